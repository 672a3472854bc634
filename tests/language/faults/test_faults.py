"""Each fault gives exactly one problem: its code, at its line and column, with its hint. Nothing follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.faults.corpus import HERE, Fault, all_problems_of, faults, problems_of, shown

FAULTS = faults()


def test_the_game_without_a_fault_has_no_problem(tmp_path: Path) -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in (HERE / "base").glob("*.yaml")}
    assert problems_of(files, tmp_path / "base") == ()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_one_problem_at_its_place(fault: Fault, tmp_path: Path) -> None:
    files = fault.files()
    problems = problems_of(files, tmp_path / "base", fault.variants)
    assert [shown(problem) for problem in problems] == [fault.expected(files)]
    assert fault.hint in (problems[0].hint or "")


def test_there_are_many_faults() -> None:
    assert len(FAULTS) >= 100
    edits = {(fault.file, fault.replace, fault.into, tuple(fault.add.values())) for fault in FAULTS}
    assert len(edits) == len(FAULTS)


TAKING = """
game: {id: taking, language: 1, title: {en: Taking}, players: 2, seats: [ann, bob]}
pieces: {token: {count: 9}}
zones:
  pile: {shape: pool, holds: token, start: true}
  player.tokens: {shape: pool, holds: token}
actions:
  take_tokens:
    do:
      - choose: amount
        from: 1..3
        where: amount <= pile.count
      - move: take(amount, pile)
        to: me.tokens
flow:
  - repeat:
      - turns: player
        do: [{perform: take_tokens}]
    until: pile.empty
ranking: [{most: player.tokens.count}]
messages:
  player.ann: {en: Ann}
  player.bob: {en: Bob}
  token.name: {en: token}
  zone.pile: {en: pile}
  zone.player.tokens: {en: tokens taken}
  take_tokens.prompt: {en: "How many do you take?"}
  take_tokens.option: {en: {one: "{amount} token", other: "{amount} tokens"}}
  take_tokens.log: {en: {one: "{me} takes {amount} token.", other: "{me} takes {amount} tokens."}}
"""


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("Taking", "Taking", []),
        ("amount <= pile.count", f"amount <= pile.count {'and true ' * 1200}", ["RS150"]),  # 10,800 characters more
        ("amount <= pile.count", "", ["RS115"]),
        ("from: 1..3", "from: ''", ["RS201"]),
        ('other: "{amount} tokens"', 'other: "tokens"', ["RS512"]),
    ],
    ids=["faultless", "too_long", "nothing", "empty", "no_number"],
)
def test_a_choice_that_cannot_be_read_may_give_the_number_of_a_text(
    tmp_path: Path, old: str, new: str, codes: list[str]
) -> None:
    assert old in TAKING
    found = problems_of({"game.yaml": TAKING.replace(old, new)}, tmp_path / "taking")
    assert [problem.code for problem in found] == codes


BRANCHES = """
actions:
  look_or_ask:
    do:
      - if: me.coins > 3
        then:
          - draw: 1
            from: deck
            to: me.hand
        else:
          - require: me.coins > 0
triggers:
  looking:
    when: {turn: begins}
    do: [{perform: look_or_ask}]
"""
BEHIND_BOTH = """          - require: me.coins > 0
      - require: me.coins > 1
"""


@pytest.mark.parametrize(
    ("end", "codes"),
    [("          - require: me.coins > 0\n", []), (BEHIND_BOTH, ["RS619"])],
    ids=["in_the_other_branch", "behind_both"],
)
def test_what_one_branch_reveals_is_not_known_in_the_other(tmp_path: Path, end: str, codes: list[str]) -> None:
    """A condition in the other branch stands behind nothing; one behind both stands behind the draw."""
    files = {path.name: path.read_text(encoding="utf-8") for path in (HERE / "base").glob("*.yaml")}
    files["branches.yaml"] = BRANCHES.replace("          - require: me.coins > 0\n", end)
    found = all_problems_of(files, tmp_path / "base")
    assert [problem.code for problem in found if problem.span.file.name.endswith("branches.yaml")] == codes
