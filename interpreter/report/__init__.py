"""The report of a run: one HTML file that needs nothing else, on a screen or on paper."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from interpreter.log import write_whole
from interpreter.report import sections
from interpreter.report.answers import answers, would_change
from interpreter.report.charts import COLOURS
from interpreter.report.choosing import choosing, worths
from interpreter.report.findings import findings
from interpreter.report.people import People, is_of_people, people_beside
from interpreter.report.responses import responses
from interpreter.report.tables import section, words
from interpreter.simulate.again import moment_of
from interpreter.simulate.design import factors_of
from interpreter.simulate.plan import written
from interpreter.simulate.run import Results

_HOW: Final = (
    "Every figure stands with its 95 % interval: were the same number of games played again and again, nineteen of "
    "twenty such intervals would hold the true figure. Wins have Wilson's interval, means that of Student's t, "
    "correlations Fisher's; a shared victory counts as a part of one. A correlation does not tell which of the two "
    "makes the other."
)
_OF_AUTOMATIC: Final = " All of it is about these automatic players, and not about people."
_OF_PEOPLE: Final = " People choose which games they play and how long: few games of few people say little of others."


def write_report(results: Results, path: Path, people: People | None = None) -> None:
    """Writes the report of a run. Raises OSError."""
    write_whole(path, page(results, people))


def page(results: Results, people: People | None = None) -> str:
    """The whole page; `people` are games of people, and of automatic seats that stand beside them."""
    results = _with_games(results)
    title = f"{results.games[0].id}: {_games(results)}"
    style = files("interpreter.report").joinpath("report.css").read_text("utf-8")
    beside = "" if people is None else people_beside(results, people)
    body = beside
    if any(tally.games for tally in results.tallies):
        body = _answers(results) + beside + responses(results) + _of_which(results)
        body += "".join(part(_in_detail(results)) for part in _PARTS)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>{body}{section('How it was played', _head(results))}"
        f"{section('How to read this', words(_how(results, people)))}</body></html>\n"
    )


def _with_games(results: Results) -> Results:
    """Of games of people the arms in which one was played to its end, where there are such."""
    arms = [arm for arm, tally in enumerate(results.tallies) if tally.games]
    if not is_of_people(results) or len(arms) in (0, len(results.tallies)):
        return results
    plan = replace(results.plan, arms=tuple(results.plan.arms[arm] for arm in arms))
    return replace(
        results, plan=plan, games=[results.games[arm] for arm in arms], tallies=[results.tallies[arm] for arm in arms]
    )


def _how(results: Results, people: People | None) -> str:
    return _HOW + (_OF_PEOPLE if people is not None or is_of_people(results) else _OF_AUTOMATIC)


def _of_which(results: Results) -> str:
    """Which arm the rest of the page is about, where that is not all of them."""
    shown = _in_detail(results)
    if shown is results:
        return ""
    arm = results.plan.arms[0].told or "as it is"
    return section(
        "The first arm", words(f"What follows is of the first arm alone: {arm}, {shown.tallies[0].games:,} games.")
    )


def _in_detail(results: Results) -> Results:
    """The arms that stand side by side on the page: of a sweep, or where other numbers play, the first one alone."""
    players = {results.plan.in_arm(arm).players for arm in range(len(results.plan.arms))}
    return results if results.trends is None and len(players) == 1 else results.first_arm


def _games(results: Results) -> str:
    players = sorted({results.plan.in_arm(arm).players for arm in range(len(results.plan.arms))})
    return f"{sum(tally.games for tally in results.tallies):,} games of {' or '.join(map(str, players))}"


def _head(results: Results) -> str:
    plan, names = results.plan, [arm.told or "as it is" for arm in results.plan.arms]
    names = names if len(names) > 1 else [""]
    facts = [("players", ", ".join(plan.seats)), ("seed", str(plan.seed)), ("detail", plan.detail)]
    if plan.options:
        facts.append(("options", ", ".join(f"{name} = {value}" for name, value in plan.options)))
    if results.trends is not None:
        facts += [(factor.name, ", ".join(map(written, factor.levels))) for factor in factors_of(plan)]
    for arm, name, tally in zip(plan.arms, names, results.tallies, strict=True) if results.trends is None else ():
        about = f" ({name})" if name else ""
        facts.append((f"variants{about}", ", ".join(arm.variants) or "none"))
        facts += [(f"{level}{about}", written(value)) for level, value in arm.levels]
        facts.append((f"games{about}", f"{tally.games:,}"))
        facts.append((f"fingerprint{about}", arm.fingerprint))
    facts += [(name, str(value)) for name, value in results.about.items()]
    if results.was_stopped:
        facts.append(("stopped", "before all games were played"))
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    return f"<dl>{rows}</dl>{_arms(names) if len(names) <= len(COLOURS) and results.trends is None else ''}"


def _arms(names: list[str]) -> str:
    if len(names) == 1:
        return ""
    marks = (f'<span><i style="background:{COLOURS[arm]}"></i>{escape(n)}</span>' for arm, n in enumerate(names))
    return f'<p class="legend">{"".join(marks)}</p>'


def _answers(results: Results) -> str:
    """The sentences first: what was asked, answered."""
    items = (_item(results, each.text, each.shown) for each in answers(results))
    return section("In short", f"<ol>{''.join(items)}</ol>", words(would_change(results)))


def _found(results: Results) -> str:
    """All that a reader must not miss."""
    parts = []
    arms = zip(results.games, results.tallies, sections.arm_names(results), strict=True)
    for arm, (game, tally, name) in enumerate(arms):
        found = findings(game, tally, results.language, results.plan.in_arm(arm).seats, len(results.tallies))
        items = "".join(_item(results, each.text, None if each.shown is None else (arm, *each.shown)) for each in found)
        items = items or "<li>Nothing stands out.</li>"
        parts.append(f"<h3>{escape(name)}</h3><ul>{items}</ul>" if name else f"<ul>{items}</ul>")
    return section("What stands out", *parts)


def _item(results: Results, text: str, shown: tuple[int, int, int | None] | None) -> str:
    """A sentence, with the commands that open a game which shows it."""
    if shown is None or is_of_people(results):  # games that no command plays again
        return f"<li>{escape(text)}</li>"
    arm, number, decisions = shown
    at = "" if decisions is None else f" after {decisions:,} decisions"
    command = moment_of(results.plan, arm, number, decisions)
    return (
        f"<li>{escape(text)}<details><summary>Game {number:,}{at} shows it</summary>"
        f"<code>{escape(command)}</code></details></li>"
    )


_PARTS: Final = (
    _found,
    sections.compared,
    sections.wins,
    sections.scores,
    sections.sources,
    sections.leaders,
    sections.length,
    sections.actions,
    sections.holdings,
    sections.choices,
    choosing,
    worths,
)
