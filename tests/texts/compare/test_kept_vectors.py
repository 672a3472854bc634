"""Vectors that are kept for the next time: to the last bit, within bounds, and without the words of a book."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rulespec.texts import kept_vectors
from rulespec.texts.compare import compare
from rulespec.texts.glossary import Glossary
from rulespec.texts.kept_vectors import KeptVectors
from rulespec.texts.readers import document_of_text
from tests.texts.compare.test_meaning import EN, FR, WordEncoder

np = pytest.importorskip("numpy")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    return tmp_path


def vector(n: int) -> Any:
    return (np.arange(8, dtype=np.float32) + n) / np.float32(3)


TEXTS = {f"Sentence {n} of a book.": vector(n) for n in range(40)}


def test_what_is_kept_is_the_same_to_the_last_bit() -> None:
    KeptVectors("one").write(TEXTS)
    kept = KeptVectors("one")
    for text, wanted in TEXTS.items():
        found = kept.get(text)
        assert found.dtype == np.float32
        assert found.tobytes() == wanted.tobytes()
    assert kept.get("Another sentence.") is None


def test_another_encoder_knows_nothing_of_it() -> None:
    KeptVectors("one").write(TEXTS)
    assert all(KeptVectors("other").get(text) is None for text in TEXTS)


def test_no_words_are_kept(folder: Path) -> None:
    KeptVectors("one").write(TEXTS)
    files = [path for path in folder.rglob("vectors-*") if path.is_file()]
    assert files
    assert not any(b"entence" in path.read_bytes() for path in files)


def test_a_file_that_was_changed_counts_as_not_there(folder: Path) -> None:
    KeptVectors("one").write(TEXTS)
    for path in folder.rglob("vectors-*"):
        path.write_bytes(path.read_bytes().replace(b'":"', b'":"0', 1))
    assert all(KeptVectors("one").get(text) is None for text in TEXTS)


def test_where_there_is_no_room_what_nobody_asked_for_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All in one file of 10: five that were asked for and five new ones stay."""
    monkeypatch.setattr(kept_vectors, "MOST", 10)
    monkeypatch.setattr(kept_vectors.store, "digest", lambda *parts: f"0{hash(parts) & (2**124 - 1):031x}")
    names = [*TEXTS]
    KeptVectors("one").write({name: TEXTS[name] for name in names[:10]})
    kept = KeptVectors("one")
    for name in names[5:10]:
        assert kept.get(name) is not None
    kept.write({name: TEXTS[name] for name in names[10:15]})
    after = KeptVectors("one")
    assert [name for name in names if after.get(name) is not None] == names[5:15]


def test_nothing_is_kept_where_that_is_not_wanted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_NO_CACHE", "1")
    KeptVectors("one").write(TEXTS)
    assert not list(folder.rglob("vectors-*"))


class Counting(WordEncoder):
    """Counts how often it is asked for texts that it has not seen."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.calls = 0

    def encode(self, texts: Sequence[str]) -> Any:
        self.calls += bool(set(texts) - self.seen)
        self.seen |= set(texts)
        return super().encode(texts)


def test_relations_are_tried_with_what_was_encoded_at_once() -> None:
    """Whatever the number of sentences: each book is encoded once, and once all that is tried."""
    en = [line.replace(".", " before 4 up to 3 or two.") for line in EN]
    fr = [line.replace(".", " après 4 au moins 3 et deux.") for line in FR]
    encoder = Counting()
    documents = [document_of_text("\n\n".join(lines) + "\n", code) for code, lines in (("en", en), ("fr", fr))]
    found = compare(documents, Glossary({}), encoder=encoder)
    assert sum(found.trust.is_sure(each.index) for each in found.clusters if len(each.members) > 1) > 2
    assert len(encoder.seen) > 10 + 4  # something is tried
    assert encoder.calls == 3
