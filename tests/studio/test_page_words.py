"""The page's words are in message files and all shown, and what is told of a game before it is loaded is right."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("starlette", reason="the studio is an extra")

from interpreter import load
from interpreter.studio.library import Library
from interpreter.studio.page import Page
from interpreter.studio.words import page_words
from tests.project.modules import ROOT

SOURCES = ROOT / "page" / "src"
#: What the page asks for by a name that is put together.
PUT_TOGETHER = {"connecting", "reconnecting", "crowded", "gone", "refused"} | {
    f"pace.{how}" for how in ("at_once", "quickly", "slowly")
}
#: For 390 pixels and far away: bytes of the page as it is sent.
MOST_BYTES = 600_000


def asked_for() -> set[str]:
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(SOURCES.rglob("*.svelte")))
    faults = {key for key in page_words("en")["words"] if key.startswith("error.")}
    return faults | set(re.findall(r"\bt\(\s*\"([a-z_.]+)\"", text)) | PUT_TOGETHER


def test_the_page_asks_for_all_words_and_no_others() -> None:
    words = {key for key in page_words("en")["words"] if not key.startswith("seat.")}
    assert asked_for() == words


@pytest.mark.parametrize("language", ["en", "fr", "ja", "es"])
def test_all_words_are_there_in_each_language_with_the_same_placeholders(language: str) -> None:
    found, english = page_words(language), page_words("en")
    assert found["language"] == language
    assert found["languages"] == ["en", "es", "fr", "ja"]
    for key, text in found["words"].items():
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", english["words"][key])), key
        assert text.strip() == text != ""


def test_a_language_that_the_page_lacks_is_english() -> None:
    assert page_words("xx") == page_words("en")
    assert page_words("fr-CA")["words"] == page_words("fr")["words"]


def test_a_game_is_told_of_as_it_calls_itself_when_it_is_loaded() -> None:
    library = Library()
    for language in ("en", "fr", "ja"):
        about = library.about("metro", language)
        game = load("metro")
        texts = game.texts(language)
        assert about["title"] == texts.title()
        assert about["players"] == [2, 6]
        options = {option["id"]: option for option in about["options"]}
        assert {"stocks", "centre", "city", "hand_size"} <= options.keys()
        for name, option in options.items():
            assert option["name"] == texts.option_title(name)
            for value in option["values"]:
                plain = {"true": True, "false": False}.get(value["id"], value["id"])
                assert value["name"] == texts.option_value(name, plain)
    assert options["stocks"]["start"] == "false"
    assert [value["id"] for value in options["hand_size"]["values"]] == ["1", "2", "3"]
    assert "berlin" not in {variant["id"] for variant in about["variants"]}  # an option switches it on


def test_the_page_is_small() -> None:
    page = Page()
    if not page.is_there:
        pytest.skip("the page is not built: .ci/page builds it")
    assert 10_000 < page.size < MOST_BYTES
