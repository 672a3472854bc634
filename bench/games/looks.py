"""How made games look in pictures: shapes, colours, icons, roads. In text none of it is seen.

looks(made)         # where sites are drawn at all; chance of its own, so that what else a seed makes stays
"""

from __future__ import annotations

from random import Random
from typing import Any

from bench.games.declared import Made, Tree
from rulespec.model.registry.looks import COLOURS, ICONS, SHAPES

_SHAPES = [name for name, _ in SHAPES]


def looks(made: Made) -> None:
    """Adds looks to the sites and the pieces of a game whose sites are drawn."""
    tree = made.tree
    draw: Tree | None = tree["boards"]["land"]["cell"].get("draw")
    if draw is None or "shows" not in draw:
        return
    dice = Random(f"seen {len(str(tree))}")
    draw["shape"] = _chosen(dice, _SHAPES, "cell.x > 0")
    for field in ("fill", "edge"):
        if dice.random() < 0.6:
            draw[field] = _coloured(dice, "cell.x > 0")
    if dice.random() < 0.5:
        draw |= {"picture_width": dice.choice(["5 + cell.x", 8]), "picture_height": dice.choice(["4", "3 + cell.y"])}
    if "ports" in draw:
        draw["stroke"] = dice.choice(["line", "road"])
        draw["inks"] = {0: "red", 1: dice.choice(["none", "if cell.x > 0 then red else none"])}
    if dice.random() < 0.5:
        signs = dice.sample("abcdefghijklmnopqrstuvwxyz", dice.randint(1, 12))
        tree["icons"] = dict(zip(signs, dice.sample(ICONS, len(signs)), strict=True))
    for kind in tree["pieces"].values():
        picture = {"icon": _chosen(dice, ICONS, "1 > 0"), "fill": _coloured(dice, "1 > 2")}
        kind["draw"] = {**kind.get("draw", {}), **{name: picture[name] for name in picture if dice.random() < 0.8}}


def _chosen(dice: Random, words: list[str], condition: str) -> str | dict[str, Any]:
    """One of the words, or two, the first under a condition."""
    return (
        dice.choice(words) if dice.random() < 0.8 else dict(zip(dice.sample(words, 2), (condition, True), strict=True))
    )


def _coloured(dice: Random, condition: str) -> str | dict[str, Any]:
    if dice.random() < 0.5:
        return dice.choice(["red", "none"])
    return dict(zip(dice.sample(list(COLOURS), 2), (condition, True), strict=True))
