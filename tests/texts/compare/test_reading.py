"""Reading rulebooks: the same sentences however lines are broken, in every format, each at its place."""

from __future__ import annotations

import builtins
import textwrap
import zipfile
from pathlib import Path

import pytest

from rulespec.texts.clauses import Clause, clauses
from rulespec.texts.document import Document
from rulespec.texts.readers import UnreadableRulebook, document_of_text, read_rulebook
from rulespec.texts.readers.markdown import rows_of_markdown
from tests.texts.compare.books import BOOKS, compared


def sentences(document: Document) -> list[str]:
    return [clause.text for clause in clauses(document)]


def read(text: str, language: str = "en") -> list[Clause]:
    return clauses(document_of_text(text, language))


# ---- sentences ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "Take it. Keep it!", ["Take it.", "Keep it!"]),
        ("en", "Pay (see p. 17). Go on.", ["Pay (see p. 17).", "Go on."]),
        ("en", "Reset the disks. (Others stay.) Go on.", ["Reset the disks. (Others stay.)", "Go on."]),
        ("fr", "Voir p. 17. Gagnez 2 points.", ["Voir p. 17.", "Gagnez 2 points."]),
        ("en", "Ask Ann S. Moore first. Go on.", ["Ask Ann S. Moore first.", "Go on."]),
        ("en", "Go to space A. Then stop.", ["Go to space A.", "Then stop."]),
        ("de", "Stand am 9. Juli. Weiter.", ["Stand am 9. Juli.", "Weiter."]),
        ("de", "Das ist Feld 9. Weiter geht es.", ["Das ist Feld 9.", "Weiter geht es."]),
        ("en", "Put it on Board A. Then draw a card.", ["Put it on Board A.", "Then draw a card."]),
        ("en", "It is Phase B. Flip the tile.", ["It is Phase B.", "Flip the tile."]),
        ("en", "Go to Zone C. Draw a card.", ["Go to Zone C.", "Draw a card."]),
        ("en", "Use Deck C. Cards are in a deck.", ["Use Deck C.", "Cards are in a deck."]),  # the book: a deck
        ("en", "Use Deck C. Foxes run. So does Deck D.", ["Use Deck C.", "Foxes run.", "So does Deck D."]),
        ("en", "By Mark S. Ball. Thanks to Mark.", ["By Mark S. Ball.", "Thanks to Mark."]),
        ("fr", "Posez-la sur la Case B. Puis tirez.", ["Posez-la sur la Case B.", "Puis tirez."]),
        ("de", "Leg es auf Plättchen A. Dann zieh.", ["Leg es auf Plättchen A.", "Dann zieh."]),
        ("de", "Es ist Plättchen A. Wölfe sind ein Plättchen.", ["Es ist Plättchen A.", "Wölfe sind ein Plättchen."]),
        ("de", "Von Mark S. Ball. Danke.", ["Von Mark S. Ball.", "Danke."]),
        ("de", "Nimm genau 3. Dann weiter.", ["Nimm genau 3.", "Dann weiter."]),
        ("de", "Nimm die 3. Dann weiter.", ["Nimm die 3.", "Dann weiter."]),
        ("de", "In der 2. und 3. Runde nicht. Ende.", ["In der 2. und 3. Runde nicht.", "Ende."]),
        ("de-AT", "Seit 12. Dez. dabei. Ende.", ["Seit 12. Dez. dabei.", "Ende."]),
        ("en", "Wait until 9. Go on.", ["Wait until 9.", "Go on."]),
        ("ja", "取ります。置きます（必ず。）。", ["取ります。", "置きます（必ず。）。"]),
        ("ja", "配置します。 **G**", ["配置します。 **G**"]),
    ],
)
def test_sentences_end_where_they_end(language: str, text: str, wanted: list[str]) -> None:
    assert [clause.text for clause in read(text, language)] == wanted


def test_fields_at_the_head_of_markdown_are_no_text() -> None:
    rows = rows_of_markdown("---\ntitle: Isles\nplayers: 2-5\n---\n\n# Isles\n\nTake 2 cards.\n")
    assert [(row.number, row.text) for row in rows if row.text] == [(6, "Isles"), (8, "Take 2 cards.")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("---\nTake 2 cards.\n---\n", ["Take 2 cards."]),
        ("---\n# Isles\n- Take 2 coins.\n---\n", ["Isles", "- Take 2 coins."]),
        ("---\n\n    Take 2 coins.\n---\n", ["    Take 2 coins."]),
        ("---\n# a remark\ntitle: Isles\ntags:\n- a\n  - b\n---\nTake 2 coins.\n", ["Take 2 coins."]),
    ],
)
def test_what_stands_between_two_rules_is_text_where_it_has_no_field(text: str, wanted: list[str]) -> None:
    assert [row.text for row in rows_of_markdown(text) if row.text] == wanted


def test_a_number_goes_on_with_its_list_behind_nested_bullets() -> None:
    found = read("1. First this\n2. Then that\n   - with this\n3. Then the rest\n")
    assert [(clause.kind, clause.text) for clause in found] == [
        ("step", "First this"),
        ("step", "Then that"),
        ("item", "with this"),
        ("step", "Then the rest"),
    ]


def test_a_bracket_with_two_sentences_is_split() -> None:
    """Languages put such asides into brackets or not."""
    assert len(read("Take one (it is a coin. It is gone). Go on.")) == 3


def test_places_are_those_of_the_file() -> None:
    [first, second] = read("  Take one card\nfrom the pile. Keep it.\n")
    assert (first.line, first.end_line, first.place(0)) == (1, 2, (1, 3))
    assert second.place(0) == (2, 16)


def test_a_sentence_goes_on_after_a_gap_that_an_ocr_left() -> None:
    text = "- Put the tokens that show a cost on the side (showing\n\na cost) up.\n\nNext."
    assert [clause.text for clause in read(text)] == [
        "Put the tokens that show a cost on the side (showing a cost) up.",
        "Next.",
    ]


def test_a_number_at_the_start_of_a_broken_line_is_no_step() -> None:
    [clause] = read("You gain\n2 coins and\n- at the end - a card.".replace("- at", "at").replace(" - a", " a"))
    assert clause.text == "You gain 2 coins and at the end a card."


def test_steps_have_numbers_in_several_ways() -> None:
    found = read("1. Take one.\n2. Keep it.\n\n**1** Pay.\n\n**2** Go on.\n")
    assert [(clause.text, clause.block.number) for clause in found] == [
        ("Take one.", 1),
        ("Keep it.", 2),
        ("Pay.", 1),
        ("Go on.", 2),
    ]


def test_a_word_that_was_parted_is_put_together() -> None:
    [first, second] = read("They construct it. They con-\nstruct a two-\nstep road.")
    assert (first.text, second.text) == ("They construct it.", "They construct a two-step road.")


# ---- wrapping -------------------------------------------------------------------------------------------------------


def wrapped(text: str, width: int, language: str) -> str:
    """A text whose long lines are broken, between any two characters where the language has no spaces."""
    out: list[str] = []
    for line in text.split("\n"):
        if language == "ja":
            out += [line[n : n + width] for n in range(0, len(line), width)] or [""]
        else:
            out += textwrap.wrap(line, width) or [""]
    return "\n".join(out)


@pytest.mark.parametrize("width", [24, 40, 61])
def test_wrapping_changes_no_finding(width: int) -> None:
    books = {**BOOKS, "fr": BOOKS["fr"].replace("5 pièces", "6 pièces")}
    again = {language: wrapped(text, width, language) for language, text in books.items()}
    before, after = compared(books).findings, compared(again).findings
    assert [finding.id for finding in before] == [finding.id for finding in after]
    assert before


# ---- formats --------------------------------------------------------------------------------------------------------


def test_markdown(tmp_path: Path) -> None:
    file = tmp_path / "rules.md"
    file.write_text("# Setup #\n\n- Take [a card](x.html).\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| Coin | 3 |\n")
    found = clauses(read_rulebook(file, "en"))
    assert [(clause.text, clause.kind, clause.line) for clause in found] == [
        ("Setup", "heading", 1),
        ("Take  a card         .", "item", 3),
        ("a", "entry", 9),
        ("b", "entry", 9),
        ("Coin", "entry", 11),
    ]


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def docx(path: Path, paragraphs: str) -> Path:
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(
            "word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{paragraphs}</w:body></w:document>'
        )
    return path


def test_word(tmp_path: Path) -> None:
    file = docx(
        tmp_path / "rules.docx",
        '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Setup</w:t></w:r></w:p>'
        "<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>Take </w:t></w:r><w:r><w:t>2 cards.</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>Go on. Stop.</w:t></w:r></w:p>",
    )
    found = clauses(read_rulebook(file, "en"))
    assert [(clause.text, clause.kind, clause.line) for clause in found] == [
        ("Setup", "heading", 1),
        ("Take 2 cards.", "entry", 2),
        ("Go on.", "text", 3),
        ("Stop.", "text", 3),
    ]


def test_a_word_document_that_declares_entities_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bad.docx"
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("word/document.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    with pytest.raises(UnreadableRulebook, match="entities"):
        read_rulebook(file, "en")


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.txt", b"", "a.txt is empty"),
        ("a.txt", b" \n\r\n", "a.txt is empty"),
        ("a.pdf", b"", "a.pdf is empty"),
        ("a.docx", b"", "a.docx is empty"),
        ("a.txt", b"1 2 3", "a.txt holds no words"),
        ("a.txt", b"\xff\xfe\xfd", "not written in UTF-8"),
        ("a.txt", "one\nMélanger".encode("latin-1"), r"not written in UTF-8 \(line 2\)"),
        ("a.txt", "Take.".encode("utf-16-le"), "bytes that are no text"),  # without the mark that says so
        ("a.txt", b"%PDF-1.7", "read as text, and it is a PDF"),
        ("a.md", b"PK\x03\x04", "package, such as a Word document"),
        ("a.html", b"\n<!DOCTYPE html><p>Take one.", "web page"),
        ("a.rtf", b"{\\rtf1 Take one.}", "RTF"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Word document"),
        ("a.docx", b"%PDF-1.7", "named like a Word document, and it is a PDF"),
        ("a.pdf", b"PK\x03\x04", "named like a PDF, and it is a package"),
        ("a.pdf", b"Take one card.", "named like a PDF, and it does not begin like one"),
        ("a.docx", b"PK\x03\x04" + bytes(60), "no Word document"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(tmp_path: Path, name: str, data: bytes, told: str) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(UnreadableRulebook, match=told):
        read_rulebook(file, "en")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_lines_are_counted_however_they_end_and_are_written(tmp_path: Path, ends: str, encoding: str) -> None:
    for name in ("rules.txt", "rules.md"):
        file = tmp_path / name
        file.write_bytes(ends.join(["Take one.", "", "  Mélangez.", ""]).encode(encoding))
        found = clauses(read_rulebook(file, "en"))
        assert [(clause.text, clause.place(0)) for clause in found] == [("Take one.", (1, 1)), ("Mélangez.", (3, 3))]


def test_utf_16_of_the_other_order(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_bytes(b"\xfe\xff" + "取ります。".encode("utf-16-be"))
    assert sentences(read_rulebook(tmp_path / "rules.txt", "ja")) == ["取ります。"]


def test_a_pdf_with_a_password_is_refused_for_that(tmp_path: Path) -> None:
    pytest.importorskip("pdfplumber")
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    from reportlab.lib.pdfencrypt import StandardEncryption

    canvas.Canvas(str(tmp_path / "rules.pdf"), encrypt=StandardEncryption("secret")).save()
    with pytest.raises(UnreadableRulebook, match="has a password"):
        read_rulebook(tmp_path / "rules.pdf", "en")


def test_a_box_of_text_in_word_is_read_once(tmp_path: Path) -> None:
    """Word writes a box twice, for itself and for old programs; it hangs on a paragraph with words of its own."""
    box = "<w:txbxContent><w:p><w:r><w:t>Keep two cards.</w:t></w:r></w:p></w:txbxContent>"
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    file = docx(
        tmp_path / "rules.docx",
        f'<w:p><w:r><w:t>Take one.</w:t></w:r><w:r><mc:AlternateContent xmlns:mc="{mc}">'
        f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>",
    )
    assert sentences(read_rulebook(file, "en")) == ["Take one.", "Keep two cards."]


def printed(path: Path, left: list[str], right: list[str], font: str = "Helvetica") -> Path:
    """A page with a line over both columns and a column of lines on each side."""
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    if font != "Helvetica":
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.cidfonts import UnicodeCIDFont

        pdfmetrics.registerFont(UnicodeCIDFont(font))
    page = canvas.Canvas(str(path), pagesize=(600, 800))
    page.setFont(font, 11)
    for x, lines in ((40, left), (320, right)):
        for n, line in enumerate(lines):
            page.drawString(x, 720 - 14 * n, line)
    page.save()
    return path


def test_two_columns_of_a_pdf_are_read_one_after_the_other(tmp_path: Path) -> None:
    pytest.importorskip("pdfplumber")
    left = ["Shuffle the tiles and place", "four of them face up. Then each", "player takes five coins."]
    right = ["The game ends when the last", "tower is built. All the players", "count their cloths."]
    found = clauses(read_rulebook(printed(tmp_path / "rules.pdf", left, right), "en"))
    assert [clause.text for clause in found] == [
        "Shuffle the tiles and place four of them face up.",
        "Then each player takes five coins.",
        "The game ends when the last tower is built.",
        "All the players count their cloths.",
    ]
    assert (found[0].line, found[1].line) == (1001, 1002)


def test_a_japanese_pdf(tmp_path: Path) -> None:
    pytest.importorskip("pdfplumber")
    file = printed(
        tmp_path / "rules.pdf", ["市場タイルを混ぜ、4枚を表向", "きに置きます。終わりです。"], [], "HeiseiKakuGo-W5"
    )
    assert sentences(read_rulebook(file, "ja")) == ["市場タイルを混ぜ、4枚を表向きに置きます。", "終わりです。"]


def test_without_the_library_a_pdf_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    importing = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name == "pdfplumber":
            raise ImportError(name)
        return importing(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    (tmp_path / "rules.pdf").write_bytes(b"%PDF-1.4")
    with pytest.raises(UnreadableRulebook, match=r"pip install 'rulespec\[pdf\]'"):
        read_rulebook(tmp_path / "rules.pdf", "en")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="only some systems have a device that never ends")
def test_what_never_ends_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.texts.readers.LARGEST", 1_000_000)
    with pytest.raises(UnreadableRulebook, match="larger than 1 MB"):
        read_rulebook(Path("/dev/zero"), "en")
