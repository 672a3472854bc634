"""What a page begins with: the question answered in at most five sentences, and what would change them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from interpreter.players import HUMAN
from interpreter.report.charts import number, told
from interpreter.report.findings import SEATS, Sentence, findings
from interpreter.report.sections import arm_names, compared_names
from interpreter.simulate.compare import Difference, Pairs
from interpreter.simulate.level import Levelness, level_seats
from interpreter.simulate.numbers import CONFIDENCE
from interpreter.simulate.run import Results
from interpreter.simulate.summary import of_trend, seats_told
from interpreter.simulate.summary import told as figure_told
from interpreter.simulate.trends import alike, findings_by_seats

MOST: Final = 5
#: So many figures that differ are named in the sentence of an arm.
_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence, and a game of an arm that shows it, after how many decisions, where there is one."""

    text: str
    shown: tuple[int, int, int | None] | None = None


def answers(results: Results) -> list[Answer]:
    """The sentences: of a sweep what follows its factors, of arms what differs, and else what the game is like."""
    if results.trends is not None:
        found = list(_of_sweep(results))
    elif results.pairs:
        found = list(_of_arms(results))
    else:
        found = list(_of_game(results))
    return found[:MOST]


def would_change(results: Results) -> str:
    """What the answers hang on, and what would make others of them."""
    plan, games = results.plan, sum(tally.games for tally in results.tallies)
    if not games:
        return "No game was over."
    kinds = sorted({kind for arm in range(len(plan.arms)) for kind in plan.in_arm(arm).seats})
    said = [
        f"This is what {games:,} games say in which {' and '.join(kinds)} played. Four times as many games halve each "
        "interval; what is not told here may be there, smaller than that."
    ]
    if HUMAN in kinds:  # nobody plays such games again
        return said[0]
    left = sum(tally.worths.left for tally in results.tallies)
    if left:
        said.append(
            f"{left:,} trials of what choices are worth came to nothing: without an end, or with a fault of the "
            "content. They count nowhere, so that what leads there looks better than it is."
        )
    if "seats" not in plan.swept and not any(kind.startswith(("mcts", "uct")) for kind in kinds):
        said.append(
            "Stronger players may find what these do not: --sweep seats="
            f"{','.join(dict.fromkeys([*kinds, 'mcts:200']))} tells whether it holds with them."
        )
    if not plan.worth:
        said.append("What each choice is worth has not been tried: --worth 2 does.")
    return " ".join(said)


# ---- one arm ---------------------------------------------------------------------------------------------------------


def _of_game(results: Results) -> Iterator[Answer]:
    """Whether the seats are level, then what moves most of a victory."""
    if not results.tallies[0].games:
        return
    found = findings(results.games[0], results.tallies[0], results.language, results.plan.in_arm(0).seats)
    level = level_seats(results)
    if level and not any(_is_of_seats(each) for each in found):
        yield Answer(_level(results, level[0]))
    for each in found:
        yield Answer(each.text, None if each.shown is None else (0, *each.shown))
    if not [each for each in found if not _is_of_seats(each)]:
        yield Answer("Nothing else stands out.")


def _is_of_seats(sentence: Sentence) -> bool:
    return sentence.about == SEATS


def _level(results: Results, found: Levelness) -> str:
    tally = results.tallies[found.arm]
    even = "" if tally.part is None else f", {number(tally.part, is_part=True)}"
    return (
        f"No seat is certain to win more or less often than its part{even} (all seats together: 95 %): as seen in "
        f"{tally.games:,} games the farthest is {number(found.seen, is_part=True)} away from it, and by what is known "
        f"so far it is not more than {number(found.most, is_part=True)}."
    )


# ---- several arms ----------------------------------------------------------------------------------------------------


def _of_arms(results: Results) -> Iterator[Answer]:
    """For each further arm what is certain to be different, most certain first, then where the seats are level."""
    names = arm_names(results)
    found = sorted((_of_pairs(results, pairs, names) for pairs in results.pairs), key=lambda each: each[0])
    shown = found[: MOST - 1] if len(found) < MOST else found[: MOST - 2]
    yield from (Answer(text) for _, text in shown)
    if len(shown) < len(found):
        yield Answer(f"What differs in {len(found) - len(shown)} further arms stands below, side by side.")
    levels = level_seats(results)
    if levels:
        level, away = (
            ", ".join(names[each.arm] for each in levels if each.may_be is wanted) for wanted in (True, False)
        )
        said = [f"The seats may be level {level}."] if level else []
        said += [f"They are not level {away}." if level else f"The seats are not level {away}."] if away else []
        yield Answer(" ".join(said))


def _of_pairs(results: Results, pairs: Pairs, names: Sequence[str]) -> tuple[float, str]:
    """How probable the most certain difference is by chance, and the sentence."""
    every = pairs.differences(comparisons=len(results.pairs))
    found = sorted((each for each in every if each.stands_out), key=lambda each: each.chance)
    what = f"{_begun(names[pairs.arm])}, beside {names[0]}, in {pairs.games:,} pairs of games"
    if not found:
        return 1.0, f"{what}: none of {len(every)} figures is certain to be different."
    said = compared_names(results, [(each.group, each.name) for each in found])
    listed = "; ".join(_difference(each, said[each.group, each.name]) for each in found[:_NAMED])
    return found[0].chance, f"{what}: {len(found)} of {len(every)} figures are different. The most certain: {listed}."


def _difference(each: Difference, name: str) -> str:
    is_part = each.group == "seat wins"
    before, after = (number(value, is_part=is_part) for value in (each.before, each.after))
    return f"{each.group}, {name}: {before} becomes {after} (by {told(each.change, is_part=is_part)})"


def _begun(name: str) -> str:
    return name[:1].upper() + name[1:]


# ---- a sweep ---------------------------------------------------------------------------------------------------------


def _of_sweep(results: Results) -> Iterator[Answer]:
    """Where the seats are level, what follows the factors, and whether that holds with other players."""
    assert results.trends is not None
    names = [arm.told.removeprefix("with ") or "as it is" for arm in results.plan.arms]
    levels = level_seats(results)
    level = sorted((each for each in levels if each.may_be), key=lambda each: each.most)
    if level:
        best = level[0]
        yield Answer(
            f"The seats may be level in {len(level)} of {len(levels)} arms; surest with {names[best.arm]}, where no "
            f"seat is more than {number(best.most, is_part=True)} away from its part."
        )
    elif levels:
        best = min(levels, key=lambda each: each.least)
        yield Answer(
            f"The seats are level in none of {len(levels)} arms; the nearest to it is {names[best.arm]}, where a seat "
            f"is at least {number(best.least, is_part=True)} away from its part."
        )
    every = results.trends.found()
    found = [each for each in every if each.stands_out and each.contrast.seats is None]
    by_seats = {id(each.trend): each for each in findings_by_seats(every)}
    for trend, _ in alike(sorted(found, key=lambda each: each.chance)):
        over = f"; that {seats_told(by_seats[id(trend)])}" if id(trend) in by_seats else ""
        change = figure_told(trend.change, least=2, sign="+")
        yield Answer(f"{_begun(trend.group)}, {trend.name}: {change} {of_trend(trend)}{over}.")
    if not found:
        sure = number(CONFIDENCE, is_part=True)
        yield Answer(
            f"Nothing follows the factors for certain, in {results.trends.games:,} rows of games ({sure} for all "
            "figures together)."
        )
