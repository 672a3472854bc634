"""Sets picked one by one in any order, and loops whose order is chosen."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from interpreter import ContentError, IllegalOption, load
from interpreter.options import key_text
from interpreter.refusal import Raw, why_not
from tests.engine.small import cell, ends, keys, play, small, zone


def test_a_set_of_pieces_is_one_state_in_any_order() -> None:
    """Two equal red beads, a blue 1 and a blue 3: the sets of two are rr, rb1, rb3 and b1b3; all but the first can be
    picked in two orders.
    """
    start = small("bags", task="sets").start(1)
    found = list(ends(start))
    assert len(found) == 1 + 2 * 3
    assert {tuple(sorted(zone(end, "string"))) for _, end in found} == {
        ("bead(red,1)", "bead(red,1)"),
        ("bead(blue,1)", "bead(red,1)"),
        ("bead(blue,3)", "bead(red,1)"),
        ("bead(blue,1)", "bead(blue,3)"),
    }
    assert len({end for _, end in found}) == 4


def test_any_member_of_a_set_may_come_first_and_none_twice() -> None:
    start = small("bags", task="sets").start(1)
    assert keys(start) == ["take_two bead(red,1)", "take_two bead(blue,1)", "take_two bead(blue,3)"]
    assert keys(play(start, "take_two bead(blue,1)")) == ["take_two bead(red,1)", "take_two bead(blue,3)"]
    assert keys(play(start, "take_two bead(blue,3)")) == ["take_two bead(red,1)", "take_two bead(blue,1)"]


def test_a_condition_judges_the_whole_set() -> None:
    """Two of the fields 1, 2 and 3 whose sum is not 4: not 1 and 3."""
    start = small("bags", task="sites").start(1)
    marked = {tuple(k for k, v in cell(end, "field.marked").items() if v) for _, end in ends(start)}
    assert marked == {("field[1]", "field[2]"), ("field[2]", "field[3]")}
    assert keys(play(start, "mark_two field[3]")) == ["mark_two field[2]"]


def test_the_refusal_of_a_member_names_what_forbids_it() -> None:
    """After field 3, field 1 would make 4, and field 3 is picked already."""
    state = play(small("bags", task="sites").start(1), "mark_two field[3]")
    assert why_not(state, "mark_two field[1]").rule == "not_four"
    assert why_not(state, "mark_two field[3]").reason == "picked"


def test_up_to_ends_by_stopping_or_by_itself() -> None:
    """None, or one of three and then none or one of the two others: 1 + 3 * (1 + 2) ways to 1 + 3 + 3 sets."""
    found = list(ends(small("bags", task="some").start(1)))
    paths = [path for path, _ in found]
    assert len(paths) == 10
    assert len({end for _, end in found}) == 7
    assert ("stop",) in paths
    assert ("mark_some field[3]", "stop") in paths
    assert ("mark_some field[3]", "mark_some field[1]") in paths


def test_a_set_of_pairs() -> None:
    """A red bead each on two different fields: three sets in two orders."""
    start = small("bags", task="pairs").start(1)
    assert keys(start) == [f"place_two bead(red,1) field[{n}]" for n in (1, 2, 3)]
    found = list(ends(start))
    assert len(found) == 6
    filled = {tuple(k for k, v in zone(end, "field.bead").items() if v) for _, end in found}
    assert filled == {("field[1]", "field[2]"), ("field[1]", "field[3]"), ("field[2]", "field[3]")}


def test_the_orders_of_a_chosen_loop() -> None:
    """Four beads of which two are equal: 4! / 2! orders, and each leads to another string."""
    found = list(ends(small("bags", task="ordered").start(1)))
    assert len(found) == math.factorial(4) // math.factorial(2)
    assert len({tuple(zone(end, "string")) for _, end in found}) == 12


def test_members_that_are_alike_are_one_option() -> None:
    """By colour there are two reds and two blues; each pass may be the last: 1 + 2 + 4 + 6 + 6 ways."""
    start = small("bags", task="alike").start(1)
    assert keys(start) == ["string_alike bead(red,1)", "string_alike bead(blue,1)", "stop"]
    assert len(list(ends(start))) == 19


def test_a_loop_of_at_most_one_pass_over_some_members() -> None:
    start = small("bags", task="limited").start(1)
    assert keys(start) == ["string_limited bead(red,1)", "string_limited bead(blue,1)", "stop"]
    assert [zone(end, "string") for _, end in ends(start)] == [["bead(red,1)"], ["bead(blue,1)"], []]


def test_the_filter_of_a_chosen_loop_is_named_when_it_refuses() -> None:
    """The sack holds a bead worth three too, which the loop's own condition passes over."""
    state = small("bags", task="limited").start(0)
    others = [key_text(state, c) for c in Raw(state).candidates() if key_text(state, c) not in keys(state)]
    assert others
    for key in others:
        with pytest.raises(IllegalOption) as refused:
            state.option(key)
        assert refused.value.refusal.rule == "bead.worth == 1"
        assert refused.value.refusal.span is not None


FEW = """\
game: {{id: few, language: 1, title: {{en: "Few"}}, players: 1, seats: [solo]}}
boards:
  sea:
    site:
      for: {{n: 1..7}}
setup:
  - choose: sites
    from: site
    exactly: {amount}{by}
flow:
  - choose: number
    from: 1..2
"""


@pytest.mark.parametrize("by", ["", "\n    who: chance"])
@pytest.mark.parametrize("amount", ["9", "min(9, site.count + 2)", "7", "min(9, site.count)"])
def test_a_set_up_that_chooses_more_than_there_are(amount: str, by: str, tmp_path: Path) -> None:
    """There are seven sites; nine can neither be chosen nor left out, whichever executor comes to it."""
    (tmp_path / "few.yaml").write_text(FEW.format(amount=amount, by=by), encoding="utf-8")
    game = load(str(tmp_path))
    if amount not in ("9", "min(9, site.count + 2)"):
        assert game.playouts(None, 1, 0).decisions.tolist() == [1 if by else 8]
        return
    for begin in (lambda: game.start(0), lambda: game.playouts(None, 1, 0)):
        with pytest.raises(ContentError, match="Exactly 9 are to be chosen here, and there are 7") as caught:
            begin()
        [problem] = caught.value.problems
        assert problem.code == "RS804"
        assert problem.span.line == 7


def test_a_set_up_may_try_to_choose_more_than_there_are(tmp_path: Path) -> None:
    """A `try` says what is done instead: only the choice of a number is left."""
    text = FEW.format(amount=9, by="")
    plain = "- choose: sites\n    from: site\n    exactly: 9"
    tried = text.replace(plain, "- try: [{choose: sites, from: site, exactly: 9}]")
    assert tried != text
    (tmp_path / "few.yaml").write_text(tried, encoding="utf-8")
    assert load(str(tmp_path)).playouts(None, 1, 0).decisions.tolist() == [1]
