"""Builds that are not made again after an edit of steps: what is said equals what is said from nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.edits import said
from rulespec.build import declare
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game, resolve_fully
from rulespec.kept import bodies, builds, former
from rulespec.kept.bodies import WHOLE, WITH_STEPS
from rulespec.kept.memo import Memo
from rulespec.lower import calls
from rulespec.lower.context import Parsed
from rulespec.source.shipped import games
from rulespec.source.tree import Mapping, Node, Scalar, list_made_later

GAME = """\
game:
  id: demo
  language: 1
  title: {en: Demo}
  players: 2..3
  seats: [red, blue, green]
  options: {long: {type: boolean, start: false}}
values:
  wage: 2
  rounds: {is: if option.long then 5 else 3}
enums:
  colour: [white, black]
pieces:
  card: {attributes: {colour: colour}, rows: {a: {colour: white}, b: {colour: black}}, count: 6}
zones:
  deck: {shape: stack, holds: card, start: true, front: nobody}
  player.hand: {shape: pool, holds: card, front: owner}
state:
  player.coins: {type: 0..20, start: 0}
functions:
  doubled: {params: {n: 0..9}, type: integer, is: n + n}
setup:
  - as: player[0]
    do:
      - gain: {coins: 1}
actions:
  earn:
    do:
      - require: me.coins >= 0
      - gain: {coins: 2}
      - score: 3
        reason: work
  spend:
    params: {n: 1..2}
    do:
      - pay: {coins: n}
        rule: price
  ask:
    do:
      - choose: other
        from: player
        where: other != me
      - as: other
        do:
          - gain: {coins: 1}
effects:
  tip:
    do:
      - gain: {coins: 1}
flow:
  - repeat:
      - turns: player
        do:
          - perform: earn
          - perform: ask
    times: rounds
ranking:
  - most: player.coins
messages:
  player.red: {en: Red}
  player.blue: {en: Blue}
  player.green: {en: Green}
  option.long: {en: Long}
  colour.white: {en: White}
  colour.black: {en: Black}
  card.name: {en: "Card {card.colour}"}
  score.work: {en: Work}
  ask.prompt: {en: "{me} asks"}
  ask.option: {en: "{other}"}
scenarios:
  asking:
    players: 2
    play:
      - red: blue
    then: [red.coins == 1]
"""
VARIANT = """\
variant:
  id: poor
  title: {en: Poor}
  changes:
    - set: values.wage
      to: 0
"""

#: What is written instead of what; every one of them in steps.
EDITS = {
    "a figure": ("coins: 2}", "coins: 3}"),
    "a remark": ("      - gain: {coins: 2}", "      # a remark\n      - gain: {coins: 2}"),
    "a step more": ("      - gain: {coins: 2}", "      - score: 1\n        reason: work\n      - gain: {coins: 2}"),
    "a condition more": ("      - gain: {coins: 2}", "      - require: me.coins < 9\n      - gain: {coins: 2}"),
    "a condition that turns with the options": ("coins: 2}", "coins: if option.long then nothing else 1}"),
    "a figure that a variant changes": ("coins: 2}", "coins: 7 // wage}"),
    "a division": ("me.coins >= 0", "7 % me.coins > 1"),
    "a condition that is wrong with two players": ("me.coins >= 0", "player[2].coins >= 0"),
    "a step less": ("      - gain: {coins: 2}\n", ""),
    "another effect": ("      - gain: {coins: 2}", "      - perform: tip"),
    "a circle": ("      - gain: {coins: 2}", "      - perform: earn"),
    "nobody is called so": ("coins: 2}", "coins: two}"),
    "a reason without words": ("reason: work", "reason: luck"),
    "another name for what is chosen": ("choose: other", "choose: another"),
    "a filter that is always true": ("where: other != me", "where: 1 == 1"),
    "a filter that is never true": ("where: other != me", "where: 1 == 2"),
    "hidden hands": (
        "where: other != me",
        "where: other.hand.count > 1 and any(c in other.hand where c.colour == white)",
    ),
    "a label more": ("      - gain: {coins: 2}", "      - pay: {coins: 1}\n        rule: price"),
    "somebody is out": ("      - gain: {coins: 2}", "      - eliminate: me"),
    "the end": ("      - gain: {coins: 2}", "      - finish"),
    "an unreached effect": ("  tip:\n    do:\n      - gain: {coins: 1}", "  tip:\n    do:\n      - gain: {money: 1}"),
    "the set-up": (
        "as: player[0]\n    do:\n      - gain: {coins: 1}",
        "as: player[0]\n    do:\n      - gain: {coins: 4}",
    ),
    "the set-up fails": (
        "as: player[0]\n    do:\n      - gain: {coins: 1}",
        "as: player[0]\n    do:\n      - pay: {coins: 4}",
    ),
    "the ranking": ("most: player.coins", "least: player.coins"),
    "lines above": ("actions:\n", "# a remark\n\nactions:\n"),
}


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_NO_CACHE", "1")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by the number of players of each build that is made."""
    found: list[int] = []
    lowered = builds.lowered

    def counted(tree: Mapping, players: int, *more: Any) -> Any:
        found.append(players)
        return lowered(tree, players, *more)

    monkeypatch.setattr(builds, "lowered", counted)
    return found


def _write(folder: Path, text: str) -> None:
    (folder / "variants").mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    (folder / "variants" / "poor.yaml").write_text(VARIANT, encoding="utf-8")


def _after(folder: Path, *texts: str) -> list[list[object]]:
    """What is said at last, with what was kept of the texts before."""
    memo = Memo()
    found: list[list[object]] = []
    for text in texts:
        _write(folder, text)
        memo = Memo(json.loads(json.dumps(memo.used)))
        memo.begin()
        found = said(folder, memo)
    return found


def _compare(folder: Path, *texts: str) -> None:
    assert _after(folder, *texts) == said(folder, None)


def _edited(old: str, new: str) -> str:
    assert old in GAME
    return GAME.replace(old, new, 1)


def test_the_game_itself_is_right(tmp_path: Path) -> None:
    """Else nothing of its builds would be kept, and nothing below would be tried."""
    assert not [each for each in _after(tmp_path, GAME) if each[5] == "error"], _after(tmp_path, GAME)


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_of_steps(tmp_path: Path, name: str) -> None:
    _compare(tmp_path, GAME, _edited(*EDITS[name]))


@pytest.mark.parametrize("name", ["a figure", "a step more", "a filter that is never true", "a condition more"])
def test_edits_one_after_the_other(tmp_path: Path, name: str) -> None:
    """With lines above, and then taken back."""
    text = _edited(*EDITS[name])
    moved = text.replace("game:", "# a remark\ngame:")
    _compare(tmp_path, GAME, text, moved, GAME.replace("enums:", "# one more\nenums:"))


@pytest.mark.parametrize(
    ("name", "most"), [("lines above", 0), ("a remark", 0), ("a figure", 2), ("a condition more", 2)]
)
def test_what_follows_is_not_made(tmp_path: Path, made: list[int], name: str, most: int) -> None:
    """Only for the texts of the game and of its variant is a build made, where a step may show another one."""
    _after(tmp_path, GAME)
    everything = len(made)
    made.clear()
    memo = Memo()
    _write(tmp_path, GAME)
    said(tmp_path, memo)
    made.clear()
    _write(tmp_path, _edited(*EDITS[name]))
    memo.begin()
    said(tmp_path, memo)
    assert len(made) <= most < everything


#: The game with effects that are held as values, of which only what is asked beside the blocks may speak.
HELD = (
    GAME.replace("  player.coins: {", "  player.pending: {type: effect or none, start: none}\n  player.coins: {")
    .replace("  tip:\n", "  give:\n    params: {n: 1..3}\n    do:\n      - gain: {coins: n}\n  tip:\n")
    .replace("messages:\n", 'always:\n  - player[0].pending != give(3)\nmessages:\n  give.name: {en: "gift of {n}"}\n')
)
#: One in which an unreached effect holds another one, whose name is looked for where effects are offered.
OFFERED = (
    HELD.replace("always:\n  - player[0].pending != give(3)\n", "")  # nothing else holds an effect that is declared so
    .replace(
        "  tip:\n",
        "  lonely:\n    do:\n      - set: player[0].pending\n        to: give(2)\n"
        "  unnamed:\n    params: {n: 1..2}\n    do:\n      - gain: {coins: n}\n  tip:\n",
    )
    .replace(
        "      - gain: {coins: 2}",
        "      - let: promised\n        be: me.pending otherwise give(1)\n"
        "      - choose: gift\n        from: [promised, tip]\n      - perform: gift",
    )
    .replace("messages:\n", 'messages:\n  earn.prompt: {en: "{me} earns"}\n  tip.name: {en: tip}\n')
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("most: player.coins", "most: player.money"),
        ("give(3)", "gives(3)"),
        ("give(3)\n", "give(3)\n  - any(p in player where 1 == 2)\n"),
    ],
)
def test_what_is_asked_beside_the_blocks(tmp_path: Path, old: str, new: str) -> None:
    """Of `ranking` and `always`, where they make values that nothing else does."""
    assert not [each for each in _after(tmp_path, HELD) if each[5] == "error"]
    _compare(tmp_path, HELD, HELD.replace(old, new))


def test_an_effect_that_only_an_unreached_one_holds(tmp_path: Path) -> None:
    """It may be offered, so it needs a name."""
    assert not [each for each in _after(tmp_path, OFFERED) if each[5] == "error"]
    edited = OFFERED.replace("to: give(2)", "to: unnamed(2)")
    _compare(tmp_path, OFFERED, edited)
    assert "RS505" in {each[3] for each in said(tmp_path, None)}


def test_a_rule_that_a_variant_binds_to_what_lies_in_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = GAME.replace("messages:", 'rules:\n  one: {binds: ["actions.earn"], text: {en: "One."}}\nmessages:')
    binds = '    - set: rules.one.binds\n      to: ["ranking[most=player.coins]"]\n'
    monkeypatch.setattr("tests.language.test_kept_builds.VARIANT", VARIANT + binds)
    _compare(tmp_path, text, text.replace("most: player.coins", "least: player.coins"))
    assert "RS520" in {each[3] for each in said(tmp_path, None)}


def test_too_many_instructions_are_counted_in_the_whole_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a game with half as many as there may be nothing follows."""
    monkeypatch.setattr(former, "MOST_SIZE", 1)
    made: list[bool] = []
    monkeypatch.setattr(former, "replace", lambda *given, **more: made.append(True))
    _compare(tmp_path, GAME, _edited(*EDITS["a figure"]))
    assert not made


#: The game with figures: of steps, of a function, of the set-up, of a state, of what is offered, of texts.
FIGURES = (
    GAME.replace(
        "  wage: 2\n",
        "  wage: 2\n  per: 3\n  share: {is: 4}\n  begun: 1\n  limit: {is: 20}\n  spread: 3\n  told: 5\n  seen: 1\n"
        "  parts: {type: 1..9 by 0..2, is: [1, 2, 3]}\n",
    )
    .replace("setup:\n  - as: player[0]\n    do:\n      - gain: {coins: 1}", "setup:\n  - gain: {coins: begun}")
    .replace("setup:\n  - gain", "setup:\n  - as: player[0]\n    do:\n      - gain")
    .replace("0..20", "0..limit")
    .replace(
        "functions:\n",
        "checks:\n  - told < 8\nfunctions:\n  lot: {params: {n: 0..9}, type: integer, is: 'n * share + parts[1]'}\n",
    )
    .replace("      - score: 3\n", "      - score: lot(1)\n")
    .replace("coins: 2}", "coins: 12 // per}", 1)
    .replace("        from: player\n        where: other != me\n", "        from: player\n        where: other != me\n")
    .replace("times: rounds", "times: spread")
    .replace(
        "messages:\n", 'rules:\n  one: {binds: [values.told], text: {en: "It is {told}, and {seen}."}}\nmessages:\n'
    )
    .replace("then: [red.coins == 1]", "given: {blue.coins: seen}\n    then: [red.coins < limit]")
)

#: Which figure is another one, and how many builds are made at most.
OTHER_FIGURES = {
    "in steps": ("per: 3", "per: 4", 0),
    "in steps, and divides by nothing": ("per: 3", "per: 0", 12),
    "in a function": ("share: {is: 4}", "share: {is: 40}", 0),
    "in a function by a list": ("[1, 2, 3]", "[1, 9, 3]", 0),
    "in a list, of a wrong value": ("[1, 2, 3]", "[1, 99, 3]", 12),
    "in the set-up": ("begun: 1", "begun: 2", 2),
    "in the set-up, and too many": ("begun: 1", "begun: 100", 12),
    "in a type": ("limit: {is: 20}", "limit: {is: 30}", 12),
    "in a type, and too few": ("limit: {is: 20}", "limit: {is: 0}", 12),
    "in a loop": ("spread: 3", "spread: 4", 0),
    "in a text and a check": ("told: 5", "told: 6", 0),
    "in a check, which fails": ("told: 5", "told: 9", 12),
    "in a text and a scenario": ("seen: 1", "seen: 2", 2),
    "in a scenario, and too many": ("seen: 1", "seen: 99", 12),
    "no figure": ("wage: 2", "wage: two", 12),
    "a truth value": ("wage: 2", "wage: true", 12),
    "a longer one": ("per: 3", "per: {is: 3, type: 1..9}", 12),
    "one in a variant too": ("seen: 1", "seen: wage", 12),
}


@pytest.mark.parametrize("name", OTHER_FIGURES)
def test_another_figure(tmp_path: Path, made: list[int], name: str) -> None:
    """What is said is the same, and where only blocks, functions, texts or checks read it few builds are made."""
    old, new, most = OTHER_FIGURES[name]
    assert old in FIGURES
    memo = Memo()
    _write(tmp_path, FIGURES)
    assert not [each for each in said(tmp_path, memo) if each[5] == "error"]
    made.clear()
    memo = Memo(json.loads(json.dumps(memo.used)))
    memo.begin()
    _write(tmp_path, FIGURES.replace(old, new, 1))
    found = said(tmp_path, memo)
    assert len(made) <= most
    assert found == said(tmp_path, None)


@pytest.mark.parametrize("name", ["in steps", "in a function", "in a text and a check", "in a scenario, and too many"])
def test_figures_one_after_the_other(tmp_path: Path, name: str) -> None:
    """With steps that are others beside, and then taken back."""
    old, new, _ = OTHER_FIGURES[name]
    text = FIGURES.replace(old, new, 1)
    _compare(tmp_path, FIGURES, text, text.replace("gain: {coins: 1}", "gain: {coins: 2}"), FIGURES)


def test_a_figure_of_the_declarations_makes_all_anew(tmp_path: Path) -> None:
    _compare(tmp_path, GAME, _edited("wage: 2", "wage: 3"))
    _compare(tmp_path, GAME, _edited("type: 0..20", "type: 0..wage"), _edited("type: 0..20", "type: 0..wages"))


# ---- each guard is needed ----


@pytest.fixture
def _blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a block is made of counts for nothing: any edit of steps follows from what is kept."""
    monkeypatch.setattr(former, "_reads_the_same", lambda row, parts: True)


@pytest.mark.usefixtures("_blind")
@pytest.mark.parametrize("name", ["nobody is called so", "a circle"])
def test_the_comparison_can_fail(tmp_path: Path, name: str) -> None:
    with pytest.raises(AssertionError):
        _compare(tmp_path, GAME, _edited(*EDITS[name]))


@pytest.mark.parametrize("name", ["in steps, and divides by nothing", "in a check, which fails"])
def test_what_is_declared_now_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A figure that counts for nothing lets wrong builds follow."""
    old, new, _ = OTHER_FIGURES[name]
    split = bodies.Split._figures
    monkeypatch.setattr(bodies.Split, "_figures", lambda self, section: (split(self, section)[0], ""))
    with pytest.raises(AssertionError):
        _compare(tmp_path, FIGURES, FIGURES.replace(old, new, 1))


# ---- declaring reads no steps ----


class Looked(Exception):
    """Steps were looked at."""


def _refuse() -> tuple[Node, ...]:
    raise Looked


def _closed(node: Node, *, entry: bool) -> Node:
    """An entry whose steps nobody can look at; or steps themselves."""
    if not entry:
        return list_made_later(node.span, _refuse)
    pairs = node.pairs if isinstance(node, Mapping) else ()
    closed = tuple((key, _closed(part, entry=False) if key.text == "do" else part) for key, part in pairs)
    return Mapping(node.span, closed, node.broken) if isinstance(node, Mapping) else node


def _without_steps(tree: Mapping) -> Mapping:
    pairs: list[tuple[Scalar, Node]] = []
    for key, section in tree.pairs:
        if key.text in WHOLE:
            pairs.append((key, _closed(section, entry=False)))
        elif key.text in WITH_STEPS and isinstance(section, Mapping):
            entries = tuple((name, _closed(entry, entry=True)) for name, entry in section.pairs)
            pairs.append((key, Mapping(section.span, entries, section.broken)))
        else:
            pairs.append((key, section))
    return Mapping(tree.span, tuple(pairs), tree.broken)


@pytest.mark.parametrize("game", sorted({*games()} - {"engine"}))
def test_declaring_reads_no_steps(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """But for labels, for who is out, and for whether anything divides, which `Split` puts with what is declared."""
    problems = Problems()
    source = read_game(game, problems)
    assert source is not None
    tree = _without_steps(resolve_fully(source, [], problems).tree)
    labels: Sequence[str] = ("adjacency", "price")
    monkeypatch.setattr(calls, "labels_of", lambda node: labels)
    monkeypatch.setattr("rulespec.build.declare_out", lambda cx: None)
    monkeypatch.setattr(Parsed, "broken_in", lambda self, tree: frozenset())
    monkeypatch.setattr(Parsed, "divides_in", lambda self, tree: False)
    declare(tree, 2, {}, Problems(), Parsed())
    with pytest.raises(Looked):
        _ = next(each for key, each in tree.pairs if key.text == "flow").items  # type: ignore[attr-defined]
