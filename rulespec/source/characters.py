"""Characters that are invisible or look like others: their names, what is meant by them, and which ones texts keep.

named("\u00a0")      -> "U+00A0 NO-BREAK SPACE"
meant_by("\u0456")   -> "i"
first_strange("li\u00admit")  -> 2
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

#: Invisible characters without which some scripts and emoji are spelt wrongly: joiners, and marks of direction that
#: turn nothing but the blank or sign beside them.
KEPT: Final = "\u200c\u200d\u200e\u200f\u061c"

#: Places at which a line may be broken, or may not: of use in a book, without meaning at a terminal.
BREAKS: Final = "\u00ad\u200b\u2060"

#: What turns the direction of all that follows it, so that a line is not read as it is written.
TURNING: Final = "\u202a-\u202e\u2066-\u2069"

#: Controls of eight bits, line ends of Unicode, the mark at a file's beginning, and halves of characters.
_CONTROLS: Final = "\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff"

#: What YAML lets no text hold, beside a carriage return that ends no line: controls, and what is no character.
FOREIGN: Final = f"\0-\x08\x0b\x0c\x0e-\x1f{_CONTROLS}\ufffe\uffff"

#: All that a text can hold and nobody sees but by what it does, beside the controls of seven bits: `is_shown` and more.
HIDDEN: Final = (
    f"{_CONTROLS}{BREAKS}{KEPT}{TURNING}\u180e\u2061-\u2065\u206a-\u206f\ufff9-\ufffb"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)

#: Signs of which Unicode does not say what they look like.
_SIGNS: Final = {
    **dict.fromkeys("−‐‑‒–—―➖", "-"),
    **dict.fromkeys("×∗✕✖⋅·", "*"),
    **dict.fromkeys("÷∕⁄", "//"),
    **dict.fromkeys("“”„‟″«»「」『』", '"'),
    **dict.fromkeys("‘’‚‛′ʼ", "'"),
    **dict.fromkeys("、", ","),
    **dict.fromkeys("。", "."),
    **dict.fromkeys("꞉∶ː", ":"),
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "…": "..",
    "‥": "..",
    "〜": "..",
    "→": "->",
    "∧": "and",
    "∨": "or",
    "¬": "not",
    "∈": "in",
}
#: Letters of other scripts that cannot be told from a small Latin letter, by Unicode's list of confusable characters
#: (UTS 39), and capitals and signs of the same kind.
_LETTERS: Final = dict(
    pair
    for latin, others in {
        "a": "аɑα",
        "b": "Ьƅ",
        "c": "сϲⅽ",
        "d": "ԁⅾ",
        "e": "еҽ",
        "f": "ẝք",
        "g": "ɡց",
        "h": "һհ",
        "i": "іıɩιӏ",
        "j": "јϳ",
        "k": "κ",
        "l": "ⅼǀ",
        "m": "ⅿ",
        "n": "ոռ",
        "o": "оοօσ",
        "p": "рρ",
        "q": "ԛգ",
        "r": "гᴦ",
        "s": "ѕꜱ",
        "u": "υսᴜ",
        "v": "ѵνᴠ",
        "w": "ԝաᴡ",
        "x": "хⅹ",
        "y": "уγү",
        "z": "ᴢ",
        "A": "АΑ",
        "B": "ВΒ",
        "C": "СϹ",
        "E": "ЕΕ",
        "H": "НΗ",
        "I": "ІΙ",
        "J": "Ј",
        "K": "КΚ",
        "M": "МΜ",
        "N": "Ν",
        "O": "ОΟ",
        "P": "РΡ",
        "S": "Ѕ",
        "T": "ТΤ",
        "X": "ХΧ",
        "Y": "ΥҮ",
        "Z": "Ζ",
    }.items()
    for pair in ((other, latin) for other in others)
)
#: Signs of Arabic and other scripts that Unicode counts among the invisible ones, and that are seen.
_SEEN: Final = "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
_SHOWN: Final = re.compile(f"[{KEPT}{_SEEN}]")
_INVISIBLE: Final = ("Cf", "Cc", "Zl", "Zp")
_WORD: Final = re.compile(r"\w+")


def is_shown(mark: str) -> bool:
    """Whether a character of a text can be given to a terminal: it is seen, or the ones beside it need it."""
    return mark.isprintable() or unicodedata.category(mark) == "Zs" or _SHOWN.fullmatch(mark) is not None


def clusters(text: str) -> Iterator[str]:
    """A text in parts that are never parted: a letter with its marks, characters that are joined to one sign."""
    part = ""
    for mark in text:
        if part and not (_goes_on(mark) or part[-1] == "\u200d"):
            yield part
            part = ""
        part += mark
    if part:
        yield part


def _goes_on(mark: str) -> bool:
    return unicodedata.category(mark) in ("Mn", "Me") or mark in "\u200c\u200d"


def named(mark: str) -> str:
    """A character's code and its name in Unicode."""
    return f"U+{ord(mark):04X} {unicodedata.name(mark, 'CONTROL CHARACTER')}"


def meant_by(mark: str) -> str | None:
    """The plain characters that are meant by one that looks like them: nothing where it is invisible, else a blank, a
    sign or a letter of ASCII. None for all characters that are themselves.
    """
    if mark.isascii():
        return None
    found = _SIGNS.get(mark) or _LETTERS.get(mark)
    if found is not None:
        return found
    kind = unicodedata.category(mark)
    if kind in _INVISIBLE or "VARIATION SELECTOR" in unicodedata.name(mark, ""):
        return ""
    if kind == "Zs":
        return " "
    plain = unicodedata.normalize("NFKC", mark)
    return plain if plain.isascii() and len(plain) == 1 else None


def first_strange(text: str) -> int | None:
    """Where the first character stands that only looks like another one; a word of another script is none."""
    if text.isascii():
        return None
    genuine = {at for word in _WORD.finditer(text) if not _is_disguised(word[0]) for at in range(*word.span())}
    return next((at for at, mark in enumerate(text) if at not in genuine and meant_by(mark) is not None), None)


def _is_disguised(word: str) -> bool:
    """Whether a word would be a plain one if all that look like plain letters were some."""
    return all(mark.isascii() or meant_by(mark) is not None for mark in word)


def mend_of(mark: str) -> str:
    """How a character that looks like another one is mended, as a sentence."""
    match meant_by(mark):
        case None if unicodedata.combining(mark):
            return "It goes with the letter before it: delete it, names have no accents."
        case None:
            return "Write plain letters, figures and signs."
        case "":
            return "It is invisible: delete it."
        case " ":
            return "Write a plain blank."
        case plain:
            return f"Write `{plain}`."


def plain_text(text: str) -> str:
    """A text with what is meant by each character, as far as that is known."""
    return "".join(mark if (meant := meant_by(mark)) is None else meant for mark in text)
