"""Lines of text in pictures: in the colours of their styles, with icons in the place of the signs that have one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from interpreter.draw.icons import icon
from interpreter.draw.ink import BOLD, DIM, TO_INK, Line, cluster_width
from interpreter.draw.xml import element, words
from rulespec.source.characters import clusters

#: Pixels that a letter takes, and a Japanese one, in the size in which lines are written.
NARROW: Final = 8.43
FULL: Final = 14.0
ICON: Final = 15.0
#: Channels of a colour that differ by more than this are as strong as those of the seats.
VIVID: Final = 90
INK, PALE, GROUND = "#1f2937", "#6b7280", "#fafaf9"

COLOURS: Final = {
    "94": "#1d4ed8",
    "91": "#b91c1c",
    "33": "#a16207",
    "32": "#15803d",
    "95": "#a21caf",
    "36": "#0e7490",
    "34": "#1e3a8a",
    "31": "#7f1d1d",
    "166": "#c2410c",
    "136": "#a16207",
    "130": "#78350f",
    "90": "#4b5563",
}


class Letters:
    """Writes lines; `icons` are names of icons by the characters that they stand for."""

    def __init__(self, icons: Mapping[str, str]):
        self._icons = icons

    def width(self, line: Line) -> float:
        """Pixels that a line takes, about."""
        return sum(self._advance(cluster) for text, _ in line for cluster in clusters(text))

    def centred(self, line: Line, x: float, y: float, fill: str | None = None, ground: str = GROUND) -> str:
        """A line in the middle of something, with a rim that sets it off from what is drawn beneath."""
        if over(ground) != INK or _is_vivid(ground):  # no colour of a style can be read there
            line, fill = tuple((text, "") for text, _ in line), over(ground)
        rim = {"paint-order": "stroke", "stroke": ground, "stroke-width": "4", "stroke-linejoin": "round"}
        more = {"dominant-baseline": "central", **({} if fill is None else {"fill": fill})}
        if fill is None or ground != GROUND:  # whoever lights a site fills it anew
            more |= rim
        if not self._has_icon(line):
            return _text({"x": f"{x:g}", "y": f"{y:g}", "text-anchor": "middle", **more}, line)
        return self._mixed(line, x - self.width(line) / 2, y, y, more)

    def at(self, line: Line, x: float, y: float) -> str:
        """A line that begins at a place, on its base line."""
        if not self._has_icon(line):
            return _text({"x": f"{x:g}", "y": f"{y:g}", "xml:space": "preserve"}, line)
        return self._mixed(line, x, y, y - 5, {"xml:space": "preserve"})

    def _mixed(self, line: Line, x: float, y: float, middle: float, more: Mapping[str, str]) -> str:
        """Texts and icons one after the other."""
        parts: list[str] = []
        for text, style in line:
            for stretch in self._stretches(text):
                if stretch in self._icons:
                    colour = more.get("fill", _looks(style)["fill"])
                    drawn = icon(self._icons[stretch], x + ICON / 2, middle, ICON - 2, colour)
                    parts.append(element("g", {"data-says": stretch}, drawn))
                elif stretch.strip():
                    parts.append(_text({"x": f"{x:.4g}", "y": f"{y:g}", **more}, ((stretch, style),)))
                x += self.width(((stretch, style),))
        return "".join(parts)

    def _stretches(self, text: str) -> Iterator[str]:
        """A text cut at the characters that have icons."""
        waiting = ""
        for cluster in clusters(text):
            if cluster not in self._icons:
                waiting += cluster
                continue
            if waiting:
                yield waiting
            yield cluster
            waiting = ""
        if waiting:
            yield waiting

    def _has_icon(self, line: Line) -> bool:
        return any(cluster in self._icons for text, _ in line for cluster in clusters(text))

    def _advance(self, cluster: str) -> float:
        if cluster in self._icons:
            return ICON
        return FULL if cluster_width(cluster) > 1 else NARROW


def _text(attributes: Mapping[str, str], line: Line) -> str:
    return element("text", attributes, _runs(line))


def _is_vivid(colour: str) -> bool:
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return max(channels) - min(channels) > VIVID


def over(fill: str) -> str:
    """The colour of letters on a colour."""
    red, green, blue = (int(fill[at : at + 2], 16) for at in (1, 3, 5))
    return INK if red * 0.299 + green * 0.587 + blue * 0.114 > 140 else "#ffffff"


def _runs(line: Line) -> str:
    """The parts of a line, each in the colour and weight of its style."""
    return "".join(element("tspan", _looks(style), words(text)) if style else words(text) for text, style in line)


def _looks(style: str) -> dict[str, str]:
    parts = style.split(";")
    colour = next((COLOURS[part] for part in parts if part in COLOURS), PALE if DIM in parts else INK)
    colour = INK if TO_INK in parts else colour
    return {"fill": colour} | ({"font-weight": "bold"} if BOLD in parts else {})
