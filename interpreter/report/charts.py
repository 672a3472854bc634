"""Pictures as SVG, written into the page: no library, no file beside it, and legible on paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Final

from interpreter.simulate.numbers import Figure, decimals

#: Colours that stay apart for colour-blind eyes and in grey (after P. Tol's bright and muted schemes).
COLOURS: Final = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#999933", "#882255", "#44aa99")
OTHER: Final = "#bbbbbb"
WIDTH: Final = 760
LABELS: Final = 190
RIGHT: Final = 165


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a chart: a name, and a figure for each arm that has one."""

    name: str
    figures: tuple[Figure | None, ...]


def number(value: float, *, is_part: bool = False, least: int = 0) -> str:
    """A figure for people, with at least so many decimals.

    >>> number(0.1234, is_part=True), number(3.14159), number(1234.5), number(0.00931, least=4)
    ('12.3 %', '3.14', '1,234', '0.0093')
    """
    if is_part:
        return f"{value * 100:.{max(1, least)}f} %"
    usual = 0 if abs(value) >= 1000 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{max(usual, least)}f}"


def told(figure: Figure, *, is_part: bool = False) -> str:
    """A figure with its interval, in as many decimals as tell the ends of it apart.

    >>> told(Figure(0.0093, 0.0062, 0.0124, 500)), told(Figure(2.5, 2.1, 2.9, 20))
    ('0.009 (0.006 to 0.012)', '2.50 (2.10 to 2.90)')
    """
    least = decimals(figure, 100 if is_part else 1)
    value, low, high = (number(each, is_part=is_part, least=least) for each in (figure.value, figure.low, figure.high))
    return f"{value} ({low} to {high})"


def steps(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two bounds, for the lines of a scale.

    >>> steps(0, 100)
    [0, 20, 40, 60, 80, 100]
    """
    if high <= low:
        return [low]
    rough = (high - low) / (most - 1)
    size = 10 ** floor(log10(rough))
    step = next(size * times for times in (1, 2, 2.5, 5, 10) if size * times >= rough - 1e-12)
    first = -floor(-low / step + 1e-9)
    found = []
    while first * step <= high + step * 1e-9:
        found.append(round(first * step, 10))
        first += 1
    return found


def svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """A picture with its title for those who do not see it."""
    inner = "".join(parts)
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title>{inner}</svg>'
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """A word at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'


def line(x: float, y: float, to_x: float, to_y: float, kind: str, colour: str = "") -> str:
    """A line between two places."""
    stroke = f' stroke="{colour}"' if colour else ""
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" class="{kind}"{stroke}/>'


def block(x: float, y: float, width: float, height: float, colour: str, title: str = "") -> str:
    """A filled rectangle."""
    inner = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" fill="{colour}">'
        f"{inner}</rect>"
    )


def dots(title: str, rows: Sequence[Row], *, is_part: bool = False, even: float | None = None) -> str:
    """Figures as dots with their intervals, one line for each arm; `even` is where they would lie if all were level."""
    figures = [figure for row in rows for figure in row.figures if figure is not None]
    if not figures:
        return ""
    low = min([figure.low for figure in figures] + ([even] if even is not None else []))
    high = max([figure.high for figure in figures] + ([even] if even is not None else []))
    room = (high - low) * 0.06 or abs(high) * 0.1 or 1
    scale = _Scale(low - room, high + room)
    arms = max(len(row.figures) for row in rows)
    tall = 10 + 16 * arms
    parts = scale.grid(tall * len(rows) + 6, is_part=is_part)
    if even is not None:
        parts.append(line(scale.at(even), 0, scale.at(even), tall * len(rows) + 6, "even"))
    for place, row in enumerate(rows):
        top = 6 + tall * place
        parts.append(text(LABELS - 8, top + tall / 2, short(row.name), "end"))
        for arm, figure in enumerate(row.figures):
            if figure is not None:
                y = top + 8 + 16 * arm
                parts += _dot(scale, figure, y, COLOURS[arm], is_part=is_part)
    return svg(WIDTH, tall * len(rows) + 28, title, parts)


def _dot(scale: _Scale, figure: Figure, y: float, colour: str, *, is_part: bool) -> list[str]:
    x, title = scale.at(figure.value), escape(told(figure, is_part=is_part))
    return [
        line(scale.at(figure.low), y, scale.at(figure.high), y, "interval", colour),
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"><title>{title}</title></circle>',
        text(WIDTH - RIGHT + 8, y + 4, told(figure, is_part=is_part), "start", "small"),
    ]


class _Scale:
    """Values to places from left to right."""

    def __init__(self, low: float, high: float):
        self.low, self.high = low, high

    def at(self, value: float) -> float:
        return LABELS + (WIDTH - LABELS - RIGHT) * (value - self.low) / (self.high - self.low)

    def grid(self, height: float, *, is_part: bool) -> list[str]:
        """Lines at round numbers, with the numbers below."""
        found = []
        for value in steps(self.low, self.high, 5):
            words = f"{value * 100:g} %" if is_part else f"{value:g}"
            found += [
                line(self.at(value), 0, self.at(value), height, "grid"),
                text(self.at(value), height + 14, words, "middle", "small"),
            ]
        return found


@dataclass(frozen=True, slots=True)
class Curve:
    """A figure over the levels of something; None where there is none at a level."""

    name: str
    figures: tuple[Figure | None, ...]


def curves(
    title: str,
    levels: Sequence[str],
    listed: Sequence[Curve],
    *,
    places: Sequence[float] | None = None,
    even: Sequence[float] | None = None,
    is_part: bool = False,
) -> str:
    """Figures over levels, each with the band of its intervals.

    `places` are the levels as numbers, which are drawn to scale and joined; without them they stand side by side.
    `even` is where each figure would lie if all were level.
    """
    seen = [figure for each in listed for figure in each.figures if figure is not None]
    if not seen:
        return ""
    bounds = [*(f.low for f in seen), *(f.high for f in seen), *(even or ())]
    low, high = min(bounds), max(bounds)
    room = (high - low) * 0.06 or abs(high) * 0.1 or 1
    frame = _Frame(places or range(len(levels)), low - room, high + room)
    parts = frame.grid(levels, is_part=is_part)
    if even is not None:
        parts.append(f'<polyline class="even" fill="none" points="{frame.joined(list(enumerate(even)))}"/>')
    names = [each.name for each in listed]
    for at, each in enumerate(listed):
        aside = None if places is not None else at - (len(listed) - 1) / 2
        parts += frame.curve(each, fill_for(each.name, names), aside, levels, is_part=is_part)
    return svg(WIDTH, frame.tall + 34, title, parts) + (legend(names) if len(listed) > 1 else "")


class _Frame:
    """Levels from left to right, and values from below."""

    left, wide, tall = 60.0, WIDTH - 90.0, 210

    def __init__(self, places: Sequence[float], low: float, high: float):
        self._places, self._low, self._high = places, low, high

    def x(self, at: int) -> float:
        first, last = min(self._places), max(self._places)
        return self.left + self.wide * (0.04 + 0.92 * ((self._places[at] - first) / ((last - first) or 1)))

    def y(self, value: float) -> float:
        return self.tall * (self._high - value) / (self._high - self._low)

    def grid(self, levels: Sequence[str], *, is_part: bool) -> list[str]:
        """Lines at round values, and the levels below, as many as have room."""
        found = []
        for value in steps(self._low, self._high, 5):
            words = f"{value * 100:g} %" if is_part else f"{value:g}"
            found += [
                line(self.left, self.y(value), self.left + self.wide, self.y(value), "grid"),
                text(self.left - 6, self.y(value) + 4, words, "end", "small"),
            ]
        every = max(1, -(-len(levels) * max(map(len, levels)) * 7 // int(self.wide)))
        for at in range(0, len(levels), every):
            found.append(text(self.x(at), self.tall + 18, short(levels[at]), "middle", "small"))
        return found

    def curve(
        self, curve: Curve, colour: str, aside: float | None, levels: Sequence[str], *, is_part: bool
    ) -> list[str]:
        """One figure: a band and a line, or, with its place `aside` from the others, dots with their intervals."""
        known = [(at, figure) for at, figure in enumerate(curve.figures) if figure is not None]
        found = []
        if aside is None:
            band = [(at, figure.high) for at, figure in known] + [(at, figure.low) for at, figure in reversed(known)]
            found += [
                f'<polygon class="band" fill="{colour}" points="{self.joined(band)}"/>',
                f'<polyline class="curve" fill="none" stroke="{colour}" '
                f'points="{self.joined([(at, figure.value) for at, figure in known])}"/>',
            ]
        for at, figure in known:
            x, y = self.x(at) + 7 * (aside or 0), self.y(figure.value)
            if aside is not None:
                found.append(line(x, self.y(figure.low), x, self.y(figure.high), "interval", colour))
            words = escape(f"{levels[at]}, {curve.name}: {told(figure, is_part=is_part)}")
            found.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{words}</title></circle>')
        return found

    def joined(self, points: Sequence[tuple[int, float]]) -> str:
        return " ".join(f"{self.x(at):.1f},{self.y(value):.1f}" for at, value in points)


def histogram(title: str, counts: Sequence[dict[int, int]], names: Sequence[str]) -> str:
    """How often each value came up, in each arm as a part of its games."""
    values = [value for each in counts for value in each]
    if not values:
        return ""
    low, high = min(values), max(values)
    width = max(1, -(-(high - low + 1) // 40))
    binned = [_binned(each, low, width) for each in counts]
    bins = range((high - low) // width + 1)
    top = max(part for each in binned for part in each.values())
    left, wide, tall = 50.0, WIDTH - 70.0, 150.0
    each_wide = wide / len(bins)
    parts = [line(left, tall, left + wide, tall, "axis")]
    for arm, parts_of in enumerate(binned):
        for place in bins:
            height = tall * 0.94 * parts_of.get(place, 0.0) / top
            bar = each_wide * 0.9 / len(binned)
            first, last = low + place * width, low + (place + 1) * width - 1
            span = f"{first}" if width == 1 else f"{first} to {last}"
            words = f"{span}: {parts_of.get(place, 0.0):.1%} {names[arm]}"
            x = left + place * each_wide + arm * bar
            parts.append(block(x, tall - height, bar, height, COLOURS[arm], words))
    for value in steps(low, high):
        x = left + (value - low + 0.5) / width * each_wide
        parts.append(text(x, tall + 16, f"{value:g}", "middle", "small"))
    parts.append(text(left - 6, 12, f"{top:.0%}", "end", "small"))
    return svg(WIDTH, 176, title, parts)


def _binned(counts: dict[int, int], low: int, width: int) -> dict[int, float]:
    whole, found = sum(counts.values()) or 1, dict[int, float]()
    for value, count in counts.items():
        place = (value - low) // width
        found[place] = found.get(place, 0.0) + count / whole
    return found


def stacked(title: str, rows: Sequence[tuple[str, dict[str, float]]], kinds: Sequence[str]) -> str:
    """Bars from left to right that are made of kinds; what is below nothing is left out of the picture."""
    most = max((sum(max(v, 0) for v in parts.values()) for _, parts in rows), default=0)
    if not most:
        return ""
    scale, found = _Scale(0, most * 1.02), list[str]()
    height = 26 * len(rows)
    found += scale.grid(height, is_part=False)
    for place, (name, amounts) in enumerate(rows):
        found.append(text(LABELS - 8, 26 * place + 17, short(name), "end"))
        x = scale.at(0)
        for kind in kinds:
            wide = scale.at(max(amounts.get(kind, 0), 0)) - scale.at(0)
            words = f"{kind}: {number(amounts.get(kind, 0))}"
            found.append(block(x, 26 * place + 4, wide, 18, fill_for(kind, kinds), words))
            x += wide
        found.append(text(x + 6, 26 * place + 17, number(sum(amounts.values())), "start", "small"))
    return svg(WIDTH, height + 24, title, found) + legend(kinds)


def columns(title: str, tenths: Sequence[dict[str, float]], kinds: Sequence[str]) -> str:
    """Ten columns, one for each tenth of the game, made of kinds."""
    most = max((sum(max(v, 0) for v in each.values()) for each in tenths), default=0)
    if not most:
        return ""
    left, tall, wide = 50.0, 180.0, (WIDTH - 70.0) / len(tenths)
    found = [line(left, tall, left + wide * len(tenths), tall, "axis")]
    for value in steps(0, most):
        y = tall - tall * 0.95 * value / most
        found += [
            line(left, y, left + wide * len(tenths), y, "grid"),
            text(left - 6, y + 4, f"{value:g}", "end", "small"),
        ]
    for place, amounts in enumerate(tenths):
        y = tall
        for kind in kinds:
            height = tall * 0.95 * max(amounts.get(kind, 0), 0) / most
            y -= height
            words = f"{kind}: {number(amounts.get(kind, 0))}"
            found.append(block(left + wide * place + 4, y, wide - 8, height, fill_for(kind, kinds), words))
        found.append(text(left + wide * (place + 0.5), tall + 16, f"{place + 1}", "middle", "small"))
    return svg(WIDTH, 204, title, found)


def fill_for(kind: str, kinds: Sequence[str]) -> str:
    """The colour of one of several kinds; there are only so many."""
    at = list(kinds).index(kind)
    return COLOURS[at] if at < len(COLOURS) else OTHER


def legend(kinds: Sequence[str]) -> str:
    """Which colour means what."""
    marks = (
        f'<span><i style="background:{fill_for(kind, kinds)}"></i>{escape(kind)}</span>'
        for kind in kinds[: len(COLOURS)]
    )
    rest = kinds[len(COLOURS) :]
    others = f'<span><i style="background:{OTHER}"></i>{escape(", ".join(rest))}</span>' if rest else ""
    return f'<p class="legend">{"".join(marks)}{others}</p>'


def short(words: str, most: int = 28) -> str:
    """A name that fits beside a chart.

    >>> short("a" * 40)
    'aaaaaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    return words if len(words) <= most else f"{words[: most - 1]}…"
