"""Four games without any imbalance, in which one is planted by an option: it is found, told first, and told rightly.

What was worked out with the help of `harvest` and `stalls` was then tried on `race` and `claims`, which were written
before and looked at afterwards only.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.report.answers import answers
from interpreter.report.findings import findings
from interpreter.simulate.run import Results
from tests.simulate.runs import plan, results

HERE = Path(__file__).with_name("planted")
SEATS = {"harvest": 2, "stalls": 3, "race": 2, "claims": 3}

#: What is planted, and what the finding that is told first says of it.
PLANTED = {
    ("harvest", "dominant"): ("At sow, field hill", "is worth"),
    ("harvest", "starter"): ("Seat 1 (ada) wins more often", "It always begins."),
    ("harvest", "runaway"): ("It is decided early", "The lead grows"),
    ("stalls", "dominant"): ("At take_card, card card (gold)", "is worth"),
    ("stalls", "dead"): ("At take_card, card card (clay)", "is worth -"),
    ("stalls", "starter"): ("Seat 1 (ada) wins more often", "It always begins."),
    ("race", "dominant"): ("At going, ride", "is worth"),
    ("race", "dead"): ("At going, row", "is worth -"),
    ("race", "runaway"): ("It is decided early", "The lead grows"),
    ("claims", "dominant"): ("At claim, plot with ground port", "is worth"),
    ("claims", "dead"): ("At claim, plot with ground bog", "is worth -"),
    ("claims", "starter"): ("Who begins wins more often than its part, whichever seat it is",),
}
QUICK = [("harvest", "dominant"), ("race", "runaway"), ("claims", "starter"), ("stalls", "dead")]


def _played(game: str, planted: str, games: int, seed: int) -> Results:
    seats, option = ("random",) * SEATS[game], (("planted", planted),)
    return results(plan(str(HERE / game), games, seats, detail="full", worth=2, seed=seed, options=option), jobs=1)


def _is_told_first(game: str, planted: str, games: int, seed: int) -> None:
    found = findings((played := _played(game, planted, games, seed)).games[0], played.tallies[0])
    for words in PLANTED[game, planted]:
        assert words in found[0].text
    assert found[0].text in [answer.text for answer in answers(played)[:2]]


@pytest.mark.parametrize(("game", "planted"), QUICK)
def test_what_is_planted_is_told_first(game: str, planted: str) -> None:
    _is_told_first(game, planted, 300, 1)


@pytest.mark.long
@pytest.mark.parametrize(("game", "planted"), PLANTED)
def test_every_planted_imbalance_is_told_first(game: str, planted: str) -> None:
    _is_told_first(game, planted, 600, 20)


@pytest.mark.long
def test_where_nothing_is_planted_nothing_is_claimed_in_19_of_20() -> None:
    """Forty runs: of these one in twenty may claim something, which is two, and more than seven once in 1,400 times."""
    claims = [
        (game, seed, [each.text for each in found])
        for game in SEATS
        for seed in range(30, 40)
        for played in (_played(game, "even", 150, seed),)
        if (found := findings(played.games[0], played.tallies[0]))
    ]
    assert len(claims) <= 7, claims
