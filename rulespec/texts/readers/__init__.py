"""Reading rulebooks: text, Markdown, Word, PDF."""

from __future__ import annotations

from pathlib import Path

from rulespec.texts.document import Document, Row
from rulespec.texts.readers.kinds import BEGINNING, check_kind, decoded
from rulespec.texts.readers.plain import LARGEST, UnreadableRulebook, rows_of_text
from rulespec.texts.unwrapping import blocks

__all__ = ["LARGEST", "UnreadableRulebook", "document_of_text", "read_rulebook"]


def read_rulebook(path: Path, language: str) -> Document:
    """A rulebook by its ending. Raises UnreadableRulebook, which says why and what to do."""
    try:
        if path.stat().st_size > LARGEST:
            raise _too_large(path)
        rows = _rows(path)
    except OSError as error:
        raise UnreadableRulebook(f"{path}: {error.strerror or error}.") from error
    found = blocks(rows)
    if not found:
        raise UnreadableRulebook(f"{path.name} {_without_words(path, rows)}")
    return Document(str(path), language, found)


def _without_words(path: Path, rows: list[Row]) -> str:
    """Why a rulebook has no words."""
    if path.suffix.lower() == ".pdf":
        return "holds no text. Pages that are pictures have to be read by an OCR first."
    return "holds no words." if any(row.text.strip() for row in rows) else "is empty."


def _too_large(path: Path) -> UnreadableRulebook:
    return UnreadableRulebook(f"{path.name} is larger than {LARGEST // 1_000_000} MB.")


def _rows(path: Path) -> list[Row]:
    ending = path.suffix.lower()
    if ending == ".pdf":
        from rulespec.texts.readers.pdf import rows_of_pdf

        _check_beginning(path, b"%PDF", "a PDF")
        return rows_of_pdf(path)
    if ending == ".docx":
        from rulespec.texts.readers.docx import rows_of_docx

        _check_beginning(path, b"PK", "a Word document")
        return rows_of_docx(path)
    if ending in (".md", ".markdown"):
        from rulespec.texts.readers.markdown import rows_of_markdown

        return rows_of_markdown(_decoded(path))
    return rows_of_text(_decoded(path))


def _check_beginning(path: Path, wanted: bytes, what: str) -> None:
    with path.open("rb") as stream:
        check_kind(path.name, stream.read(BEGINNING), wanted, what)


def _decoded(path: Path) -> str:
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)  # what is no file, such as a pipe, does not say how large it is
    if len(data) > LARGEST:
        raise _too_large(path)
    return decoded(path.name, data)


def document_of_text(text: str, language: str, file: str = "text") -> Document:
    """A rulebook that is at hand as text."""
    return Document(file, language, blocks(rows_of_text(text)))
