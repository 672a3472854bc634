"""Tables of figures, each with its interval and the number of games or other trials behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from interpreter.report.charts import told
from interpreter.simulate.numbers import Figure

Cell = str | int | Figure | None


def table(heads: Sequence[str], rows: Iterable[Sequence[Cell]], *, parts: Sequence[int] = (), kind: str = "") -> str:
    """Rows under their heads; figures of the columns in `parts` are written as per cents."""
    body = "".join(f"<tr>{''.join(_cell(cell, at in parts) for at, cell in enumerate(row))}</tr>" for row in rows)
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    return f'<table class="{kind}"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>' if body else ""


def _cell(cell: Cell, is_part: bool) -> str:
    if isinstance(cell, Figure):
        value, _, interval = escape(told(cell, is_part=is_part)).partition(" (")
        return f'<td class="n"><span>{value}</span> <span>({interval}</span></td>'  # may break between the two
    if isinstance(cell, int):
        return f'<td class="n">{cell:,}</td>'
    return f"<td>{'' if cell is None else escape(cell)}</td>"


def section(title: str, *parts: str) -> str:
    """A part of the page; nothing where it would be empty."""
    inner = "".join(part for part in parts if part)
    return f"<section><h2>{escape(title)}</h2>{inner}</section>" if inner else ""


def figure(picture: str, words: str) -> str:
    """A picture with what it shows."""
    return f"<figure>{picture}<figcaption>{escape(words)}</figcaption></figure>" if picture else ""


def words(text: str) -> str:
    """A paragraph."""
    return f"<p>{escape(text)}</p>"
