"""The rulebook of a small game: its parts in order, its figures, tables, pictures, index, and what a variant changes.

What is expected was written by hand from `content/`: ten cards are six and four, three players hold four of them.
"""

from __future__ import annotations

import errno
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from interpreter.book import html, make_book, markdown
from interpreter.book.changes import compared
from interpreter.book.document import ADDED, REMOVED, Book, Picture, Stretch
from interpreter.book.paragraphs import blocks
from interpreter.book.svg import svg
from interpreter.cli.main import main
from interpreter.draw.ink import plain
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import GameSource, read_game
from rulespec.messages.plurals import nearest_language
from tests.lengths import long_where

CONTENT = Path(__file__).with_name("content")

BOOK = """\
# Isles

## 1 Set-up

**Hands**

| Players | 2 | 3 |
| --- | --- | --- |
| Cards | 5 | 4 |

**The sea**

```text
┌ North Isle ─── 1 ┐
│                  │
└──────────────────┘
┌ South Isle ─── 3 ┐
│                  │
└──────────────────┘
```

(1) There are 10 cards: 4 are worth 2.

### 1.1 Levels

| Level | Cost |
| --- | --- |
| low \\<level\\> | 1 |
| high level | 3 |

| Worth |
| --- |
| 1 |
| 2 |

## 2 Play

**Red has landed**

```text
┌ North Isle ─── 1 ┐
│ SR               │
└──────────────────┘
┌ South Isle ─── 3 ┐
│                  │
└──────────────────┘

  SR = ship of Red
```

(1) **Settling** Place a ship & score 3 points:

- in the north, or
- in the south.

### 2.1 Storms

(1) In a storm an isle pays 2 points.

## 3 Further rules

(1) Nobody takes a ship back.

## Index of terms

- **card** (fr: carte) (ja: カード) 1
- **ship** (fr: navire) (ja: 船) 2, 3
"""


@pytest.fixture(scope="module")
def source() -> GameSource:
    problems = Problems()
    found = read_game(str(CONTENT), problems)
    assert problems.items == ()
    assert found is not None
    return found


def texts_of(book: Book) -> dict[str, str]:
    """Each rule's text, with marks for what is added and removed."""
    marks = {ADDED: "+{}+", REMOVED: "-{}-", "": "{}"}
    return {
        rule.rule: "".join(marks[each.change].format(each.text) for each in rule.text)
        for part in book.every_part()
        for rule in part.rules
    }


def test_the_whole_book(source: GameSource) -> None:
    assert markdown(make_book(source, "en")) == BOOK


def test_another_language(source: GameSource) -> None:
    book = make_book(source, "ja")
    assert book.title == "島"
    assert [part.title for part in book.every_part()] == ["準備", "階層", "遊び方", "嵐", "その他のルール"]
    assert texts_of(book)["cards"] == "カードは10枚あり、4枚は2点です。"
    assert book.labels["index"] == "用語索引"


def test_what_is_not_translated_stands_in_english_and_says_so(source: GameSource) -> None:
    book = make_book(source, "fr")
    [aside] = [rule for part in book.every_part() for rule in part.rules if rule.rule == "aside"]
    assert (aside.language, texts_of(book)["aside"]) == ("en", "Nobody takes a ship back.")
    assert '<div id="rule-aside" class="rule" lang="en">' in html(book)


def test_a_variant_marks_what_it_changes(source: GameSource) -> None:
    book = make_book(source, "en", ["storms"])
    assert book.variants == ("Storms",)
    texts = texts_of(book)
    assert texts["settling"].startswith("Place a ship & score -3-+2+ points:")
    assert texts["cards"] == "There are 10 cards: 4 are worth 2."
    assert texts["aside"] == "-Nobody takes a ship back.-"
    assert "| high level | <del>3</del><ins>2</ins> |" in markdown(book)


def test_a_part_that_only_a_variant_fills(source: GameSource) -> None:
    """Its figures are those with the variant on, although the rest of the book is about the game without it."""
    texts = texts_of(make_book(source, "en"))
    assert texts["storms_pay_less"] == "In a storm an isle pays 2 points."
    assert texts["settling"].startswith("Place a ship & score 3 points:")


class _Page(HTMLParser):
    """Collects ids and links, and checks that every element is closed."""

    VOID = frozenset({"meta"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        self.ids += [known["id"]] if "id" in known else []
        self.links += [known["href"].removeprefix("#")] if "href" in known else []
        self.outside += [name for name in ("src", "srcset") if name in known]
        if tag not in self.VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.get_starttag_text().endswith("/>") and tag == "path":
            return
        assert self.open.pop() == tag


@pytest.mark.parametrize("variants", [(), ("storms",)])
def test_the_page_is_whole_and_alone(source: GameSource, variants: tuple[str, ...]) -> None:
    text = html(make_book(source, "en", variants))
    page = _Page()
    page.feed(text)
    assert page.open == []
    assert page.outside == []
    assert "@import" not in text
    assert "url(" not in text
    assert len(page.ids) == len(set(page.ids))
    assert set(page.links) <= set(page.ids)
    assert {"part-1", "part-1.1", "part-2.1", "index", "rule-cards"} <= set(page.ids)


def test_texts_are_no_markup(source: GameSource) -> None:
    """A name with angle brackets and a text with an ampersand."""
    text = html(make_book(source, "en"))
    assert "low &lt;level&gt;" in text
    assert "a ship &amp; score" in text


def test_pictures_are_of_the_start_or_of_a_scenario(source: GameSource) -> None:
    book = make_book(source, "en")
    sea, landed = [show for part in book.every_part() for show in part.shows if isinstance(show, Picture)]
    assert (sea.title, landed.title) == ("The sea", "Red has landed")
    assert svg(sea.lines, sea.title).count("<path") == 6
    assert ">SR</text>" in svg(landed.lines, landed.title)
    assert ">SR</text>" not in svg(sea.lines, sea.title)


def test_letters_stand_in_cells_of_their_own() -> None:
    drawn = svg([plain("a日b")], "x")
    assert '<text x="0 8 24" y="13">a日b</text>' in drawn
    assert "<path" not in drawn


def test_lines_are_drawn_through_a_cell() -> None:
    """A level stroke goes from one side of its cell to the other, through the middle: 8 wide, 17 high."""
    assert '<path d="M4 8.5L0 8.5M4 8.5L8 8.5"/>' in svg([plain("─")], "x")
    assert svg([plain("═")], "x").count("M") == 4
    assert '<path d="M0 0L8 17"/>' in svg([plain("╲")], "x")


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("same", "same", [("same", "")]),
        ("5 cards", "12 cards", [("5", REMOVED), ("12", ADDED), (" cards", "")]),
        ("手札5枚です", "手札6枚です", [("手札", ""), ("5", REMOVED), ("6", ADDED), ("枚です", "")]),
        ("one thing", "全く別", [("one thing", REMOVED), ("全く別", ADDED)]),
    ],
)
def test_what_is_marked_as_changed(old: str, new: str, found: list[tuple[str, str]]) -> None:
    assert list(compared(old, new)) == [Stretch(*each) for each in found]


def test_paragraphs_and_lists() -> None:
    text = (Stretch("One.\n\nTwo:\n- a"), Stretch("b", ADDED), Stretch("\n- c\nThree."))
    found = blocks(text)
    assert [(block.listed, len(block.lines)) for block in found] == [(False, 1), (False, 1), (True, 2), (False, 1)]
    assert found[2].lines[0] == (Stretch("a"), Stretch("b", ADDED))


def test_a_part_of_no_variant_is_told(tmp_path: Path) -> None:
    text = (CONTENT / "isles.yaml").read_text(encoding="utf-8")
    (tmp_path / "isles.yaml").write_text(text, encoding="utf-8")  # and not the file of the variant
    problems = Problems()
    found = read_game(str(tmp_path), problems)
    assert found is not None
    check_game(found, [], problems)
    assert [(problem.code, problem.span.text) for problem in problems.errors] == [("RS423", "storms")]


# ---- the command ----------------------------------------------------------------------------------------


def test_the_command_writes_by_the_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, text = tmp_path / "isles.html", tmp_path / "isles.md"
    assert main(["book", str(CONTENT), "--out", str(page)]) == 0
    assert main(["book", str(CONTENT), "--out", str(text)]) == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert text.read_text(encoding="utf-8") == BOOK
    assert capsys.readouterr().out.splitlines() == [str(page), str(text)]


def test_the_command_prints_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", str(CONTENT), "--lang", "en"]) == 0
    assert capsys.readouterr().out.strip() == BOOK.strip()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "isles.pdf"], "--out ends in .html or .md, and this is isles.pdf."),
        (["--lang", "de"], "The game has no texts in 'de'; it has en, fr, ja."),
        (["--lang", "x q"], "The game has no texts in 'x q'; it has en, fr, ja."),
        (["--out", "nowhere/isles.md"], "cannot be written"),
        (["--variant", "calm"], "calm"),
    ],
)
def test_wrong_usage(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", str(CONTENT), *words]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("asked", ["FR", "fr-CA", "fr_BE", "fr"])
def test_a_region_of_a_language_is_that_language(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", str(CONTENT), "--lang", asked]) == 0
    assert capsys.readouterr().out.startswith("# Les îles")


def test_the_only_region_of_a_language_is_that_language() -> None:
    assert nearest_language("pt", ["en", "pt-BR"]) == "pt-BR"
    assert nearest_language("pt", ["en", "pt-BR", "pt-PT"]) is None  # nobody can say which
    assert nearest_language("p", ["en", "pt-BR"]) is None


def test_a_book_that_cannot_be_written_whole_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "isles.md"
    page.write_text("the book of yesterday", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("interpreter.log.os.fsync", full)
    assert main(["book", str(CONTENT), "--out", str(page)]) == 2
    assert "No space left" in capsys.readouterr().err
    assert page.read_text(encoding="utf-8") == "the book of yesterday"
    assert [file.name for file in tmp_path.iterdir()] == ["isles.md"]


BOOKS = [("agora_barcelona", "fr"), ("metro", "en"), ("barcelona", "ja")]


@pytest.mark.parametrize(("game", "language"), long_where(lambda game, _: game != "agora_barcelona", BOOKS))
def test_shipped_books_are_whole(game: str, language: str) -> None:
    """Every rule stands in the book once, with words in it and no placeholder left, and no part is empty."""
    problems = Problems()
    found = read_game(game, problems)
    assert found is not None
    book = make_book(found, language)
    ids = [rule.rule for part in book.every_part() for rule in part.rules]
    assert len(ids) == len(set(ids))
    assert set(_rules(found.base)) <= set(ids)
    texts = texts_of(book)
    assert [rule for rule, text in texts.items() if not text.strip() or re.search("[{}]", text)] == []
    assert [part.title for part in book.every_part() if not (part.rules or part.parts)] == []
    assert {rule.language for part in book.every_part() for rule in part.rules} == {language}
    assert len(book.index) > 5


def _rules(tree):
    rules = tree.get("rules")
    return rules.keys() if rules is not None else ()


def test_joiners_and_places_to_break_lines_stay(tmp_path: Path) -> None:
    """A word of Persian and an emoji are spelt with joiners; a soft hyphen is of use to a browser."""
    persian, english = "کارت برمی\u200cدارید.", "The 👩\u200d🚀 moves far\u00adther."
    (tmp_path / "game.yaml").write_text(
        'game: {id: rocket, language: 1, title: {en: "Rocket", fa: "موشک"}, players: 2, seats: [red, blue]}\n'
        "flow: [{finish: game}]\n"
        f'rules:\n  move: {{text: {{en: "{english}", fa: "{persian}"}}, binds: [flow]}}\n',
        encoding="utf-8",
    )
    for language, text in (("en", english), ("fa", persian)):
        for name in ("book.html", "book.md"):
            assert main(["book", str(tmp_path), "--lang", language, "--out", str(tmp_path / name)]) == 0
            assert text in (tmp_path / name).read_text(encoding="utf-8")


def test_a_table_that_is_too_much_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """1,681 rows, each of which looks at all 1,681 cells for three steps and more: above five million together."""
    table = "{each: cell, columns: [{title: {en: Row}, is: list(q for q in cell where q.x == cell.x)}]}"
    (tmp_path / "game.yaml").write_text(
        "game: {id: g, language: 1, title: {en: G}, players: 2, seats: [red, green]}\n"
        "boards: {map: {cell: {for: {x: 0..40, y: 0..40}}}}\nflow: [{finish: game}]\n"
        f"ranking: [{{most: player.score}}]\nbook:\n  parts: [{{title: {{en: All}}, shows: [{table}]}}]\n",
        encoding="utf-8",
    )
    assert main(["book", str(tmp_path), "--out", str(tmp_path / "book.html")]) == 1
    told = capsys.readouterr()
    assert "error RS701" in told.out + told.err
    assert not (tmp_path / "book.html").exists()


def test_a_text_without_its_form_for_other_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`check` tells of it (RS511); the book is made all the same, with the texts that are whole."""
    text = '{kind: end, text: {en: {one: "{n} fish", other: "{n} fishes"}, fr: {one: "{n} poisson"}}, binds: [flow]}'
    (tmp_path / "pond.yaml").write_text(
        "game: {id: pond, language: 1, title: {en: Pond}, players: 2, seats: [red, green]}\n"
        "values: {n: 3}\n"
        "flow: [{score: 1, reason: catch}]\n"
        f"rules:\n  fish: {text}\n",
        encoding="utf-8",
    )
    for language, shown in (("en", True), ("fr", False)):
        book = tmp_path / f"{language}.md"
        assert main(["book", str(tmp_path), "--lang", language, "--out", str(book)]) == 0, capsys.readouterr().err
        assert ("3 fishes" in book.read_text(encoding="utf-8")) is shown
