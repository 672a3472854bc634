"""The report of a run: one HTML file that needs nothing else, on a screen or on paper."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from interpreter.log import write_whole
from interpreter.report import sections
from interpreter.report.charts import COLOURS
from interpreter.report.findings import findings
from interpreter.report.tables import section, words
from interpreter.simulate.run import Results

_HOW: Final = (
    "Every figure stands with its 95 % interval: were the same number of games played again and again, nineteen of "
    "twenty such intervals would hold the true figure. Wins have Wilson's interval, means that of Student's t, "
    "correlations Fisher's; a shared victory counts as a part of one. A correlation does not tell which of the two "
    "makes the other. All of it is about these automatic players, and not about people."
)


def write_report(results: Results, path: Path) -> None:
    """Writes the report of a run. Raises OSError."""
    write_whole(path, page(results))


def page(results: Results) -> str:
    """The whole page."""
    title = f"{results.games[0].id}: {_games(results)}"
    style = files("interpreter.report").joinpath("report.css").read_text("utf-8")
    body = "".join(part(results) for part in _PARTS)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>{_head(results)}{body}"
        f"{section('How to read this', words(_HOW))}</body></html>\n"
    )


def _games(results: Results) -> str:
    return f"{sum(tally.games for tally in results.tallies):,} games of {results.plan.players}"


def _head(results: Results) -> str:
    plan, names = results.plan, sections.arm_names(results)
    facts = [("players", ", ".join(plan.seats)), ("seed", str(plan.seed)), ("detail", plan.detail)]
    if plan.options:
        facts.append(("options", ", ".join(f"{name} = {value}" for name, value in plan.options)))
    for arm, name, tally in zip(plan.arms, names, results.tallies, strict=True):
        about = f" ({name})" if name else ""
        facts.append((f"variants{about}", ", ".join(arm.variants) or "none"))
        facts.append((f"games{about}", f"{tally.games:,}"))
        facts.append((f"fingerprint{about}", arm.fingerprint))
    facts += [(name, str(value)) for name, value in results.about.items()]
    if results.was_stopped:
        facts.append(("stopped", "before all games were played"))
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    return f"<dl>{rows}</dl>{_arms(names)}"


def _arms(names: list[str]) -> str:
    if len(names) == 1:
        return ""
    marks = (f'<span><i style="background:{COLOURS[arm]}"></i>{escape(n)}</span>' for arm, n in enumerate(names))
    return f'<p class="legend">{"".join(marks)}</p>'


def _found(results: Results) -> str:
    """The sentences first: what a reader must not miss."""
    parts = []
    for game, tally, name in zip(results.games, results.tallies, sections.arm_names(results), strict=True):
        found = findings(game, tally, results.language)
        items = "".join(f"<li>{escape(each)}</li>" for each in found) or "<li>Nothing stands out.</li>"
        parts.append(f"<h3>{escape(name)}</h3><ul>{items}</ul>" if name else f"<ul>{items}</ul>")
    return section("What stands out", *parts)


_PARTS: Final = (
    _found,
    sections.compared,
    sections.wins,
    sections.scores,
    sections.sources,
    sections.length,
    sections.actions,
    sections.holdings,
    sections.choices,
)
