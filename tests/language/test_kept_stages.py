"""Answers with what is kept of earlier checks equal those from nothing, after any edits."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from bench.edits import differences, said
from rulespec.kept.digests import Digests
from rulespec.kept.memo import Memo
from rulespec.source.shipped import games

GAME = """\
game:
  id: demo
  language: 1
  title: {en: Demo}
  players: 2..3
  seats: [red, blue, green]
  options: {long: {type: boolean, start: false}}
values:
  rounds: {is: if option.long then 5 else 3}
state:
  player.coins: {type: 0..20, start: 0}
actions:
  earn:
    do:
      - gain: {coins: 2}
flow:
  - repeat:
      - turns: player
        do:
          - perform: earn
    times: rounds
ranking:
  - most: player.coins
"""


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_NO_CACHE", "1")


def _compare(name: str, edits: int, seed: int, *, texts: bool = False) -> None:
    told = 0
    for number, (what, kept, fresh) in enumerate(differences(games()[name], edits, seed, texts=texts)):
        assert kept == fresh, f"edit {number}: {what}"
        told += len(fresh)
    assert told > edits // 10  # the edits do harm, so that there is something to compare


@pytest.mark.parametrize("seed", [1, 2])
def test_a_few_edits(seed: int) -> None:
    _compare("tic_tac_toe", 12, seed)


def test_a_few_edits_of_texts() -> None:
    _compare("connect_four", 12, 1, texts=True)


@pytest.mark.long
@pytest.mark.parametrize(("name", "edits"), [("connect_four", 40), ("metro", 2)])
def test_many_edits_of_texts(name: str, edits: int) -> None:
    _compare(name, edits, 2, texts=True)


@pytest.mark.long
@pytest.mark.parametrize(("name", "edits"), [("connect_four", 50), ("tic_tac_toe", 50), ("agora_barcelona", 6)])
def test_many_edits(name: str, edits: int) -> None:
    _compare(name, edits, 3)


def _demo(folder: Path, **changes: str) -> None:
    text = GAME
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "game.yaml").write_text(text, encoding="utf-8")


def _codes(found: Iterable[list[object]]) -> list[object]:
    return [each[3] for each in found]


def test_what_has_not_changed_is_not_found_anew(tmp_path: Path) -> None:
    _demo(tmp_path)
    memo = Memo()
    first = said(tmp_path, memo)
    assert memo.made > 0
    memo.begin()
    assert said(tmp_path, memo) == first
    assert memo.made == 0


def _edited(folder: Path, memo: Memo, before: str, after: str) -> tuple[int, list[list[object]]]:
    """How much is found anew when the texts have changed, and what is said then: the same as from nothing."""
    (folder / "words.yaml").write_text(before, encoding="utf-8")
    memo.begin()
    said(folder, memo)
    (folder / "words.yaml").write_text(after, encoding="utf-8")
    memo.begin()
    found = said(folder, memo)
    assert found == said(folder, None)
    return memo.made, found


def test_a_text_leaves_the_lowerings_as_they_are(tmp_path: Path) -> None:
    """Three numbers of players and two values of the option are six lowerings; a message is in none of them."""
    _demo(tmp_path)
    memo = Memo()
    said(tmp_path, memo)
    everything = memo.made
    made, _ = _edited(
        tmp_path, memo, "messages: {player.red: {en: Red}}\n", "messages: {player.red: {en: Red, fr: Rouge}}\n"
    )
    assert 0 < made < everything / 3


WORDS = """\
messages:
  player.red: {en: "Red"}
  player.blue: {en: "Blue {coin}"}
  earn.log: {en: "{me} earns two coins"}
  nowhere: {en: "Nothing shows it"}
terms:
  coin: {en: {one: coin, other: coins}}
rules:
  earning: {text: {en: "A player earns {rounds} coins"}, binds: [actions.earn]}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [("Red", "Crimson, as in the book"), ("A player earns", "Whoever plays earns"), ("two coins", "2 coins")],
)
def test_other_words_between_placeholders_change_nothing_but_places(tmp_path: Path, old: str, new: str) -> None:
    """What is said of the texts behind it is said again where they stand now, and nothing is looked at anew."""
    _demo(tmp_path)
    made, found = _edited(tmp_path, Memo(), WORDS, WORDS.replace(old, new))
    assert made == 0
    assert {"RS301", "RS507"} <= {*_codes(found)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Blue {coin}", "Deep blue {coin}"),  # its own place is another one now
        ("{me} earns", "{you} earn"),
        ("{me} earns", "{{me}} earns"),
        ('"Red"', '" "'),
        ('"Red"', '"Red \\x7brounds\\x7d"'),
        ('{en: "Red"}', '{en: {one: "Red", other: "Reds"}}'),
        ('{en: "Red"}', '{select: rounds, en: "Red"}'),
        ("one: coin, ", "one: '', "),
        ("other: coins", "few: coins"),
        ("{rounds}", "{round}"),
        ("nowhere:", "player.green:"),
        ('en: "Nothing', 'xx: "Nothing'),
    ],
)
def test_whatever_else_a_text_says_is_looked_at(tmp_path: Path, old: str, new: str) -> None:
    _demo(tmp_path)
    assert old in WORDS
    _edited(tmp_path, Memo(), WORDS, WORDS.replace(old, new))


def test_an_edit_of_an_action_is_noticed(tmp_path: Path) -> None:
    _demo(tmp_path)
    memo = Memo()
    assert "RS301" not in _codes(said(tmp_path, memo))
    _demo(tmp_path, **{"coins: 2": "coins: two"})
    memo.begin()
    assert "RS301" in _codes(said(tmp_path, memo))
    _demo(tmp_path)
    memo.begin()
    assert "RS301" not in _codes(said(tmp_path, memo))


def test_places_move_with_lines_above(tmp_path: Path) -> None:
    _demo(tmp_path, **{"coins: 2": "coins: two"})
    memo = Memo()
    before = [each for each in said(tmp_path, memo) if each[3] == "RS301"]
    _demo(tmp_path, **{"coins: 2": "coins: two", "values:": "# a remark\nvalues:"})
    memo.begin()
    after = [each for each in said(tmp_path, memo) if each[3] == "RS301"]
    assert [each[1] for each in after] == [each[1] + len("# a remark\n") for each in before]  # type: ignore[operator]


def test_the_comparison_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """With digests that do not see what is played, what is kept is wrong."""
    monkeypatch.setattr(Digests, "played", lambda self, variants: " ".join(sorted(variants)))
    with pytest.raises(AssertionError, match="edit"):
        _compare("tic_tac_toe", 60, 1)
