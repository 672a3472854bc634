"""What characters are called and which plain ones are meant."""

from __future__ import annotations

import json
import re
import sys
import unicodedata

import pytest

from rulespec.diagnostics.as_json import json_text
from rulespec.source.characters import HIDDEN, KEPT, clusters, first_strange, is_shown, meant_by, named, plain_text

MEANT = {
    "\u00a0": " ",
    "\u202f": " ",
    "\u3000": " ",
    "\u200b": "",
    "\u2060": "",
    "\ufeff": "",
    "\u00ad": "",
    "：": ":",
    "，": ",",
    "（": "(",
    "Ａ": "A",
    "７": "7",
    "\u2212": "-",
    "×": "*",
    "“": '"',
    "о": "o",  # Cyrillic
    "ο": "o",  # Greek
    "a": None,
    "é": None,
    "駒": None,
    "\u0301": None,
}


@pytest.mark.parametrize(("mark", "meant"), MEANT.items(), ids=[f"U+{ord(mark):04X}" for mark in MEANT])
def test_what_is_meant(mark: str, meant: str | None) -> None:
    assert meant_by(mark) == meant


def test_names_are_those_of_unicode() -> None:
    assert named("\u200b") == "U+200B ZERO WIDTH SPACE"
    assert named("\x07") == "U+0007 CONTROL CHARACTER"
    assert named("👩") == "U+1F469 WOMAN"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("limit", None),
        ("lіmit", 1),  # Cyrillic
        ("limit\u200b", 5),
        ("монета", None),  # a word that no Latin letters make
        ("駒：3", 1),
        ("été", None),
    ],
)
def test_the_first_character_that_is_not_what_it_looks_like(text: str, at: int | None) -> None:
    assert first_strange(text) == at


def test_a_text_with_what_is_meant() -> None:
    assert plain_text("ｌіmit\u00a0＝ 3\u200b") == "limit = 3"


def test_what_is_never_parted() -> None:
    assert list(clusters("ae\u0301👩\u200d🚀می\u200cد")) == ["a", "e\u0301", "👩\u200d🚀", "م", "ی\u200c", "د"]


def test_what_is_hidden_is_what_unicode_says_is_not_seen() -> None:
    """Controls, marks of form, line ends and halves; not the signs of scripts that Unicode counts among them too."""
    hidden = re.compile(f"[{HIDDEN}]")
    for mark in map(chr, range(0x7F, sys.maxunicode + 1)):
        kind = unicodedata.category(mark)
        if kind in ("Cc", "Cf", "Zl", "Zp", "Cs"):
            assert (hidden.match(mark) is not None) == (not is_shown(mark) or mark in KEPT), named(mark)
        elif kind != "Cn":  # what has no meaning yet may get one
            assert hidden.match(mark) is None, named(mark)


@pytest.mark.parametrize(
    ("mark", "written"),
    [
        ("\ufff9", "\\ufff9"),
        ("\U000e0041", "\\udb40\\udc41"),  # tags, as a pair of halves
        ("\u202e", "\\u202e"),
        ("\x7f", "\\u007f"),
        ("\ud800", "\\ud800"),
        ("é", "é"),
        ("駒", "駒"),
    ],
)
def test_json_shows_what_is_not_seen_as_numbers(mark: str, written: str) -> None:
    text = json_text({"file": f"a{mark}b"})
    assert text == f'{{"file": "a{written}b"}}'
    assert json.loads(text) == {"file": f"a{mark}b"}
