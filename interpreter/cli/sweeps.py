"""What `--sweep` and several numbers of players ask for, out of what was typed; and what is said of a sweep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from interpreter.cli.common import UsageError, say

if TYPE_CHECKING:
    from interpreter.simulate.design import Factor
    from interpreter.simulate.numbers import Figure
    from interpreter.simulate.plan import Arm, Level
    from interpreter.simulate.run import Results
    from interpreter.simulate.trends import Trend

#: Arms of a sweep. The games of all of them are read when a run begins.
MOST_CELLS: Final = 256
MOST_DIGITS: Final = 15
_RANGE = re.compile(r"(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.(\d{1,15}))?")
_NUMBER = re.compile(r"-?\d+")


def factors_of_words(sweeps: Sequence[str], players: Sequence[int] = ()) -> list[Factor]:
    """The factors that were typed, that of several numbers of players first. Raises UsageError."""
    from interpreter.simulate.design import Factor
    from interpreter.simulate.plan import PLAYERS

    found = [Factor(PLAYERS, tuple(players))] if len(players) > 1 else []
    for words in sweeps:
        name, equals, values = setting_of(words)
        if not (name and equals and values):
            raise UsageError(f"--sweep takes NAME=VALUES, such as values.purse=12..20, and this is {words!r}.")
        if name == PLAYERS:
            raise UsageError("--sweep varies figures and options; several numbers of players are --players 3..5.")
        if name in [factor.name for factor in found]:
            raise UsageError(f"--sweep {name} stands twice.")
        found.append(Factor(name, levels_of_words(values, f"--sweep {name}")))
    return found


def setting_of(words: str) -> tuple[str, str, str]:
    """A name, the sign and what stands behind it; a path may have signs and commas in brackets.

    >>> setting_of("pieces.card.rows[cost=3, kind=hill].count=1,2")
    ('pieces.card.rows[cost=3, kind=hill].count', '=', '1,2')
    """
    depth = 0
    for at, sign in enumerate(words):
        depth += (sign == "[") - (sign == "]")
        if sign == "=" and depth <= 0:
            return words[:at].strip(), sign, words[at + 1 :].strip()
    return words.strip(), "", ""


def listed(words: str) -> list[str]:
    """What commas part that stand in no brackets.

    >>> listed("a, rows[x=1, y=2].n=3")
    ['a', 'rows[x=1, y=2].n=3']
    """
    found, depth = [""], 0
    for sign in words:
        depth += (sign == "[") - (sign == "]")
        if sign == "," and depth <= 0:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found if part.strip()]


def levels_of_words(words: str, of: str) -> tuple[Level, ...]:
    """`12..20`, `12..20..4` and `12,15,20` as levels. Raises UsageError.

    >>> levels_of_words("1..7..3,9", ""), levels_of_words("none,cold", "")
    ((1, 4, 7, 9), ('none', 'cold'))
    """
    found: dict[Level, None] = {}
    for word in (part.strip() for part in words.split(",")):
        for level in _levels(word, of):
            if level in found:
                raise UsageError(f"{of}: {word} stands twice, or in a range.")
            found[level] = None
    return tuple(found)


def _levels(word: str, of: str) -> Iterator[Level]:
    said = _RANGE.fullmatch(word)
    if said is None:
        if not word:
            raise UsageError(f"{of}: there is nothing between two commas.")
        yield level_of(word, of)
        return
    first, last, step = int(said[1]), int(said[2]), int(said[3] or 1)
    if last < first or step < 1:
        raise UsageError(f"{of}: {word} is an empty range.")
    if (last - first) // step >= MOST_CELLS:
        raise UsageError(f"{of}: {word} has more than {MOST_CELLS} values; {first}..{last}..STEP takes some of them.")
    yield from range(first, last + 1, step)


def level_of(word: str, of: str) -> Level:
    """A figure or the value of an option, as it was typed. Raises UsageError for a number that no figure can be.

    >>> level_of("12", ""), level_of("true", ""), level_of("cold", "")
    (12, True, 'cold')
    """
    if _NUMBER.fullmatch(word):
        if len(word) > MOST_DIGITS:
            raise UsageError(f"{of}: a number has at most {MOST_DIGITS} digits.")
        return int(word)
    return {"true": True, "false": False}.get(word, word)


def swept_arms(arms: Sequence[Arm], factors: Sequence[Factor], design: str | None) -> tuple[Arm, ...]:
    """The arms of a sweep. Raises UsageError for too many, and where there is no such design."""
    from interpreter.simulate.design import GRID, LATIN, NoDesign, swept

    for name in {name for arm in arms for name, _ in arm.levels} & {factor.name for factor in factors}:
        raise UsageError(f"{name} is swept, so no arm can have another value of it.")
    if design == LATIN and len(factors) < 2:
        raise UsageError("--design says how several factors of --sweep are put together, and there are not several.")
    try:
        found = swept(arms, factors, design or GRID)
    except NoDesign as fault:
        raise UsageError(f"--design: {fault}.") from None
    if len(found) > MOST_CELLS:
        way_out = "; --design latin plays a part of them" if design != "latin" and len(factors) > 2 else ""
        raise UsageError(f"--sweep makes {len(found):,} arms, and at most {MOST_CELLS} are played{way_out}.")
    return found


# ---- what is said ----------------------------------------------------------------------------------------------------


def print_sweep(results: Results) -> None:
    """A line for each arm, who is level where, and what stands out."""
    from interpreter.simulate.summary import sweep_lines

    for line in sweep_lines(results):
        say(line)


def sweep_json(results: Results) -> dict[str, Any]:
    """The sweep as data: its factors, where seats are level, and the trends."""
    from interpreter.simulate.design import factors_of
    from interpreter.simulate.level import level_seats
    from interpreter.simulate.trends import findings_by_seats

    assert results.trends is not None
    found = results.trends.found()
    return {
        "factors": [{"name": factor.name, "levels": list(factor.levels)} for factor in factors_of(results.plan)],
        "rows": results.trends.games,
        "seats_level": [
            {"levels": dict(results.plan.arms[each.arm].levels), "level": each.may_be, "most_away": round(each.most, 6)}
            for each in level_seats(results)
        ],
        "trends": [_trend_json(trend) for trend in found],
        "by_seats": [
            {**_trend_json(each.trend), "verdict": each.verdict, "seats": [_trend_json(part) for part in each.by_seats]}
            for each in findings_by_seats(found)
        ],
    }


def _trend_json(trend: Trend) -> dict[str, Any]:
    beside = {} if trend.contrast.level is None else {"level": trend.contrast.level}
    if trend.contrast.seats is not None:
        beside["seats"] = trend.contrast.seats
    return {
        "factor": trend.contrast.factor.name,
        **beside,
        "group": trend.group,
        "name": trend.name,
        "change": round(trend.change.value, 6),
        "ci95": _interval(trend.change),
        "p": float(f"{trend.chance:.3g}"),
        "stands_out": trend.stands_out,
    }


def _interval(figure: Figure) -> list[float]:
    return [round(figure.low, 6), round(figure.high, 6)]
