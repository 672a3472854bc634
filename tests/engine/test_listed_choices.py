"""What is chosen from truth values and from values that are listed one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import State, load

HEAD = """
game: {id: g, language: 1, title: {en: G}, players: 2, seats: [red, blue]}
enums: {suit: [clubs, hearts, spades]}
state: {flag: {type: boolean, start: false}, total: {type: 0..9, start: 0}}
ranking: [{most: player.score}]
flow:
  - turns: player
    do:
"""


def begun(folder: Path, steps: str, executor: str) -> State:
    """The first position of a game whose turns are these steps."""
    text = HEAD + "".join(f"      {line}\n" for line in steps.strip().splitlines())
    (folder / "g.yaml").write_text(text, encoding="utf-8")
    return load(folder, executor=executor).start(1)


def keys(state: State) -> list[str]:
    return list(state.options().keys())


BOTH = pytest.mark.parametrize("executor", ["reference", "native"])


@BOTH
@pytest.mark.parametrize(
    ("source", "offered"),
    [
        ("boolean", ["bold false", "bold true"]),
        ("[true, false]", ["bold true", "bold false"]),
        ("if flag then [true] else [false]", ["bold false"]),
        ("list(s == hearts for s in suit)", ["bold false", "bold true"]),
    ],
)
def test_truth_values(tmp_path: Path, executor: str, source: str, offered: list[str]) -> None:
    steps = f"- choose: bold\n  from: {source}\n- {{set: flag, to: bold}}"
    state = begun(tmp_path, steps, executor)
    assert keys(state) == offered
    for option in state.options():
        assert option.args == {"bold": "true" in option.key}
        assert option.text() == ("yes" if "true" in option.key else "no")
        after = state.apply(option).view(0).to_json()["state"]
        assert after["flag"] is ("true" in option.key)


@BOTH
def test_a_filter_reads_the_truth_value(tmp_path: Path, executor: str) -> None:
    state = begun(tmp_path, "- choose: bold\n  from: boolean\n  where: bold or flag\n- {set: flag, to: bold}", executor)
    assert keys(state) == ["bold true"]
    assert keys(state.apply(state.options()[0])) == ["bold false", "bold true"]


@BOTH
def test_two_names_in_one_decision(tmp_path: Path, executor: str) -> None:
    steps = """
- id: wager
  choose: {bold: {from: boolean}, bid: {from: "[1, 3, 5]", where: bold or bid < 5}}
- {score: if bold then 2 * bid else bid, reason: x}
"""
    state = begun(tmp_path, steps, executor)
    assert keys(state) == [f"wager {text}" for text in ("false 1", "false 3", "true 1", "true 3", "true 5")]


@BOTH
def test_several_members_by_a_range(tmp_path: Path, executor: str) -> None:
    """Without the flag the first two are offered, with it the first three, though the range goes further."""
    steps = '- choose: bid\n  from: "[1, 3, 5][0..(if flag then 7 else 1)]"\n- {set: flag, to: true}'
    state = begun(tmp_path, steps, executor)
    assert keys(state) == ["bid 1", "bid 3"]
    assert keys(state.apply(state.options()[1])) == ["bid 1", "bid 3", "bid 5"]


@BOTH
def test_a_set_of_listed_values(tmp_path: Path, executor: str) -> None:
    """Of 1, 3, 3 and 5 two are chosen: 3 and 3 too, since each stands for itself."""
    steps = "- choose: bids\n  from: [1, 3, 3, 5]\n  exactly: 2\n- {set: total, to: sum(b for b in bids)}"
    totals = set()
    state = begun(tmp_path, steps, executor)
    for first in state.options():
        middle = state.apply(first)
        for second in middle.options():
            totals.add(middle.apply(second).view(0).to_json()["state"]["total"])
    assert totals == {4, 6, 8}


@BOTH
def test_chance_draws_both_truth_values(tmp_path: Path, executor: str) -> None:
    """Of 60 draws all fall on one side once in 2**59 times."""
    steps = "- choose: bold\n  from: boolean\n  who: chance\n- {set: flag, to: bold}"
    game = begun(tmp_path, steps, executor).game
    found = [game.start(seed).view(0).to_json()["state"]["flag"] for seed in range(60)]
    assert set(found) == {False, True}
