"""What was typed against what is offered: any case, accents ignored, words in any order.

>>> matching("cafe", ["Café 3", "Tea 5"])
[0]
>>> matching("3 CÀF", ["Café 3", "Café 5"])
[0]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def folded(text: str) -> str:
    """The text as it is compared: no case, no accents on Latin letters, plain digits and blanks."""
    apart = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in apart if not "\u0300" <= c <= "\u036f")
    return " ".join(unicodedata.normalize("NFC", bare).casefold().split())


def matching(typed: str, texts: Sequence[str]) -> list[int]:
    """The numbers of the texts that are meant: those that are just this, else those that hold all words of it."""
    wanted = folded(typed)
    known = [folded(text) for text in texts]
    exact = [at for at, text in enumerate(known) if text == wanted]
    if exact or not wanted:
        return exact
    whole = [at for at, text in enumerate(known) if wanted in text]
    return whole or [at for at, text in enumerate(known) if all(word in text for word in wanted.split())]


def as_number(typed: str) -> int | None:
    """The number that was typed, in any script's digits; None where it is something else."""
    text = folded(typed)
    return int(text) if text.isdecimal() and len(text) < 10 else None
