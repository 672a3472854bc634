"""Every combination of options that a shipped game allows is played to its end; others are refused in plain words."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path

import pytest

from interpreter import ContentError, load
from interpreter.game import load_source
from rulespec.diagnostics.model import Problems
from rulespec.lower.constants import OptionValue
from rulespec.settle import settle_options
from rulespec.source.shipped import games
from tests.engine.combinations import Case, cases, source_of, switches, values_of

#: Of more combinations of one game so many are played on one day, and others on the next.
MOST_A_DAY = 100
#: No shipped game has as many decisions.
MOST_DECISIONS = 5_000


def _played(case: Case) -> str | None:
    """Plays one random game; what went wrong, or None."""
    source, parsed = source_of(case.game)
    try:
        game = load_source(source, players=case.players, options=dict(case.options), parsed=parsed)
        state, dice = game.start(len(str(case))), random.Random(str(case))
        for _ in range(MOST_DECISIONS):
            if state.result is not None:
                return None
            options = state.options()
            state = state.apply(options[dice.randrange(len(options))])
    except Exception as fault:  # whatever it is, the case is told with it
        return f"{case}: {type(fault).__name__}: {fault}"
    return f"{case}: it does not end"


def _due(found: Sequence[Case]) -> Sequence[Case]:
    """All of some; of many those of the day, from all over the list: a fault tells its case."""
    days = -(-len(found) // MOST_A_DAY)
    return found[date.today().toordinal() % days :: days]


@pytest.mark.long
@pytest.mark.parametrize("name", games())
def test_every_allowed_combination_can_be_played(name: str) -> None:
    found = _due(cases(name))
    assert found
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1), get_context("spawn")) as pool:
        assert [fault for fault in pool.map(_played, found, chunksize=8) if fault is not None] == []


@pytest.mark.long
@pytest.mark.parametrize("name", games())
def test_every_value_of_every_option_is_among_them(name: str) -> None:
    """As far as a constraint does not forbid it in any combination: then the game could leave the value out.

    Of a range it can leave out what lies at its ends alone: there may be holes between.
    """
    source, _ = source_of(name)
    played = {pair for case in cases(name) for pair in case.options}
    for players in {case.players for case in cases(name)}:
        known = values_of(source.base, players)
        assert {(option, value) for option, values in known.items() for value in _not_between(values)} <= played


def _not_between(values: Sequence[OptionValue]) -> Sequence[OptionValue]:
    is_range = all(isinstance(value, int) and not isinstance(value, bool) for value in values)
    return (values[0], values[-1]) if is_range else values


def test_modules_that_do_not_go_together_are_refused_in_plain_words() -> None:
    """Each pair of values that switch variants on: allowed, or refused by one problem that names what was asked for."""
    refused = 0
    for name in games():
        source, _ = source_of(name)
        known = values_of(source.base, 2)
        values = [(option, value) for option in switches(source) for value in known[option]]
        for (one, first), (other, second) in combinations(values, 2):
            if one == other:
                continue
            problems = Problems()
            if settle_options(source, None, {one: first, other: second}, (), problems) is not None:
                assert not problems.has_errors
                continue
            refused += 1
            [problem] = problems.items
            assert problem.code == "RS433"
            words = [f"{option}={str(value).lower()}" for option, value in ((one, first), (other, second))]
            assert all(word in problem.message for word in words)
    assert refused > 0


@pytest.mark.parametrize("other", [{"stocks": True}, {"centre": "stations"}, {"centre": "rails"}, {"city": "paris"}])
@pytest.mark.parametrize("solo", ["normal", "harder"])
def test_metro_alone_goes_with_no_other_module(solo: str, other: dict[str, str | bool]) -> None:
    with pytest.raises(ContentError) as refused:
        load("metro", options={"solo": solo, **other})
    [problem] = refused.value.problems
    assert problem.code == "RS433"
    assert problem.hint is not None
    assert "not exists option.city" in problem.hint


@pytest.mark.parametrize(("players", "options"), [(1, {}), (7, {}), (2, {"solo": "normal"})])
def test_metro_is_for_two_to_six_or_alone(players: int, options: dict[str, str]) -> None:
    with pytest.raises(ContentError) as refused:
        load("metro", players=players, options=options)
    assert [problem.code for problem in refused.value.problems] == ["RS434"]


def test_one_centre_and_one_city_at_a_time() -> None:
    """An option has one value; two modules of a group by name are refused too."""
    for pair in (["central_rails", "central_stations"], ["paris", "tourists", "berlin"]):
        with pytest.raises(ContentError) as refused:
            load("metro", variants=pair)
        assert "RS420" in {problem.code for problem in refused.value.problems}


PORT = """\
game:
  id: port
  language: 1
  title: {en: Port}
  players: 1..2
  seats: [red, blue]
  options:
    storm: {type: boolean, start: false, switches: {"true": storm}}
    calm:
      type: boolean
      start: false
      switches: {"true": calm}
      constraint: >-
        not option.storm
        or not option.calm
values: {waves: 1}
checks: [waves > 0]
"""


def test_a_constraint_speaks_before_the_variants(tmp_path: Path) -> None:
    """That both variants write one value is no matter where they are not to be on together; and it is said in full."""
    folder = tmp_path / "port"
    folder.mkdir()
    (folder / "port.yaml").write_text(PORT, encoding="utf-8")
    for name, waves in (("storm", 9), ("calm", 2)):
        text = f"variant: {{id: {name}, title: {{en: {name}}}, changes: [{{set: values.waves, to: {waves}}}]}}\n"
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    assert load(folder, options={"calm": True}).players == 1
    with pytest.raises(ContentError) as refused:
        load(folder, options={"calm": True, "storm": True})
    [problem] = refused.value.problems
    assert problem.code == "RS433"
    assert problem.hint == "This must hold: not option.storm or not option.calm"
