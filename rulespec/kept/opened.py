"""A game that is opened as it was before: what was asked for, and all of its files, are the same.

Then it is known without looking that nothing is wrong with the files, what was settled, and which program was made; the
content is only looked at for what somebody asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from rulespec.built import Built
from rulespec.game_source import GameSource, fingerprint, resolve_again
from rulespec.kept.digests import Digests
from rulespec.kept.lowered import program_key, recalled
from rulespec.overlay.fingerprint import hints_fingerprint
from rulespec.source import store
from rulespec.source.tree import Mapping

if TYPE_CHECKING:
    from rulespec.lower.constants import OptionValue


@dataclass(frozen=True, slots=True)
class Opened:
    """What is played: the number of players, the options, all variants, the seats, and two fingerprints, of the rules
    and of the hints that automatic seats go by.
    """

    players: int
    options: dict[str, OptionValue]
    variants: tuple[str, ...]
    seats: tuple[str, ...]
    fingerprint: str
    hints: str


class Opening:
    """One request: what was kept of the same one, or what is to be kept of it.

    `variants` are ids of variants of the source. Nothing is kept of a source of which two files have one name.
    """

    def __init__(
        self,
        source: GameSource,
        players: int | None,
        options: AbstractMapping[str, OptionValue],
        variants: Sequence[str],
    ) -> None:
        self._source = source
        self._digests = Digests(source)
        asked = repr((players, sorted(options.items()), list(variants)))
        self._name = None if self._digests.has_twins else f"opened-{store.digest(self._digests.everything, asked)}"

    def recalled(self) -> tuple[Opened, Callable[[], Mapping], Built] | None:
        """What is played, what gives its declarations, and its program; None where it was not opened before."""
        kept = None if self._name is None else store.read(self._name)
        if kept is None:
            return None
        try:
            opened = _opened(kept)
        except (LookupError, TypeError, ValueError):
            return None
        tree = _once(lambda: resolve_again(self._source, opened.variants))
        file_of = self._digests.files.__getitem__
        built = recalled(kept["program"], file_of, tree, opened.players, opened.options)
        return None if built is None else (opened, tree, built)

    def keep(self, opened: Opened) -> None:
        """Keeps what was played for this request, without a problem; its program is kept already."""
        if self._name is None:
            return
        kept: dict[str, Any] = {
            "players": opened.players,
            "options": opened.options,
            "variants": opened.variants,
            "seats": opened.seats,
            "fingerprint": opened.fingerprint,
            "hints": opened.hints,
            "program": program_key(self._digests, opened.variants, opened.players, opened.options),
        }
        store.write(self._name, kept)


def _once(make: Callable[[], Mapping]) -> Callable[[], Mapping]:
    """What gives the same tree each time, also to threads that ask at once: a node is known by being that very node.

    `functools.cache` lets two threads make it, and each keep its own.
    """
    lock, made = Lock(), list[Mapping]()

    def given() -> Mapping:
        with lock:
            if not made:
                made.append(make())
        return made[0]

    return given


def _opened(kept: Any) -> Opened:
    """Raises LookupError, TypeError or ValueError for what was not written by `keep`."""
    texts = [*kept["variants"], *kept["seats"], *kept["options"], kept["fingerprint"], kept["hints"], kept["program"]]
    if not all(isinstance(text, str) for text in texts) or not isinstance(kept["players"], int):
        raise TypeError(kept)
    return Opened(
        kept["players"],
        dict(kept["options"]),
        tuple(kept["variants"]),
        tuple(kept["seats"]),
        kept["fingerprint"],
        kept["hints"],
    )


def opened(built: Built, tree: Mapping, options: AbstractMapping[str, OptionValue], variants: Sequence[str]) -> Opened:
    """What is played, from what was made of the declarations."""
    world = built.world
    seats = tuple(str(member) for member in world.domains["player"].members)
    return Opened(world.players, dict(options), tuple(variants), seats, fingerprint(tree), hints_fingerprint(tree))
