"""What one sort of difference between sentences comes to, and which words say the opposite of each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from rulespec.texts.differences import Difference
from rulespec.texts.findings import SEVERITIES, Severity

UNLIKE: Final = 0.48  #: how sure it is, at most, that things of different kinds are exchanged
#: Concepts of the languages' words that say the opposite of each other.
OPPOSITES: Final = frozenset(
    frozenset(pair)
    for pair in (
        ("left", "right"),
        ("leftmost", "rightmost"),
        ("top", "bottom"),
        ("highest", "lowest"),
        ("on_top", "under"),
        ("face_up", "face_down"),
        ("forward", "back"),
        ("clockwise", "counterclockwise"),
        ("vertical", "horizontal"),
        ("before", "after"),
        ("descending", "ascending"),
        ("first", "last"),
        ("beginning", "end"),
        ("inside", "outside"),
        ("more", "fewer"),
        ("empty", "full"),
        ("visible", "covered"),
        ("visible", "hidden"),
    )
)


@dataclass(frozen=True)
class View:
    """What one sort of difference comes to."""

    kind: str
    severity: Severity
    confidence: float
    found: list[Difference]

    @property
    def rank(self) -> tuple[int, float]:
        return SEVERITIES.index(self.severity), -self.confidence

    def lowered(self) -> View:
        """The same, of a sentence that play does not depend on."""
        return replace(self, severity="cosmetic", confidence=min(self.confidence, UNLIKE))
