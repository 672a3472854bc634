"""Pairs that a person has joined and split: the alignment obeys them, and what fits no more is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.texts.by_hand import Entry, Named, read_pairs
from rulespec.texts.compare import Comparison, compare
from rulespec.texts.glossary import Glossary
from rulespec.texts.readers import document_of_text
from rulespec.texts.reports import FORMATS

#: Four sentences each, which the words of the languages put together one by one.
EN = "Shuffle the cards.\n\nTake 3 cards.\n\nPlace a coin.\n\nEnd your turn.\n"
FR = "Mélangez les cartes.\n\nPrenez 3 cartes.\n\nPlacez une pièce.\n\nTerminez votre tour.\n"
JA = "カードを混ぜます。\n\nカードを3枚取ります。\n\nコインを置きます。\n\n手番を終えます。\n"
TEXTS = {"en": EN, "fr": FR, "ja": JA}


def words(language: str, *lines: int) -> tuple[Named, ...]:
    return tuple(Named(TEXTS[language].split("\n\n")[n].strip(), 0, "pairs.yaml:1:1") for n in lines)


def entry(ruling: str, **sides: tuple[int, ...]) -> Entry:
    return Entry(ruling, {language: words(language, *lines) for language, lines in sides.items()})


def compared(*entries: Entry, texts: dict[str, str] = TEXTS, told_in: str = "en") -> Comparison:
    documents = [document_of_text(text, language) for language, text in texts.items()]
    return compare(documents, Glossary({}), told_in=told_in, by_hand=entries)


def pairs(found: Comparison) -> set[tuple[tuple[str, tuple[int, ...]], ...]]:
    return {tuple(sorted(cluster.members.items())) for cluster in found.clusters}


def same(n: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return (("en", (n,)), ("fr", (n,)), ("ja", (n,)))


def test_nothing_by_hand() -> None:
    assert pairs(compared()) == {same(n) for n in range(4)}


@pytest.mark.parametrize(
    ("entries", "there"),
    [
        ((entry("join", en=(1,), fr=(2,)),), [{"en": (1,), "fr": (2,)}]),
        ((entry("join", en=(0,), fr=(3,), ja=(1,)),), [{"en": (0,), "fr": (3,), "ja": (1,)}]),
        ((entry("join", en=(0, 2), ja=(3,)),), [{"en": (0, 2), "ja": (3,)}]),
        ((entry("join", fr=(0,), ja=(3,)),), [{"fr": (0,), "ja": (3,)}]),
        # what says more of a pair is put with it
        ((entry("join", en=(0,), fr=(3,)), entry("join", fr=(3,), ja=(2,))), [{"en": (0,), "fr": (3,), "ja": (2,)}]),
        # of two that contradict each other the last one counts
        ((entry("join", en=(0,), fr=(3,)), entry("join", en=(0,), fr=(2,))), [{"en": (0,), "fr": (2,)}]),
        ((entry("split", en=(0,), fr=(0,)), entry("join", en=(0,), fr=(0,))), [{"en": (0,), "fr": (0,)}]),
    ],
)
def test_what_is_joined_is_a_pair(entries: tuple[Entry, ...], there: list[dict[str, tuple[int, ...]]]) -> None:
    found = [cluster.members for cluster in compared(*entries).clusters]
    for wanted in there:
        assert any(all(members.get(language) == lines for language, lines in wanted.items()) for members in found), (
            found
        )
    named = [n for members in found for n in members.get("en", ())]
    assert sorted(named) == [0, 1, 2, 3]  # nothing is lost, and nothing stands twice


@pytest.mark.parametrize("one", ["en", "fr", "ja"])
@pytest.mark.parametrize("other", ["en", "fr", "ja"])
def test_what_is_split_is_no_pair(one: str, other: str) -> None:
    if one == other:
        return
    last = (entry("join", **{one: (1,), other: (1,)}), entry("split", **{one: (1,), other: (1,)}))
    for entries in (last[1:], last):
        found = compared(*entries)
        assert not any(
            1 in cluster.members.get(one, ()) and 1 in cluster.members.get(other, ()) for cluster in found.clusters
        )
        assert pairs(found) >= {same(0), same(2), same(3)}  # the others are as they were


def test_what_is_joined_is_compared_and_sure(tmp_path: Path) -> None:
    """Three cards are no coin: what is no pair by itself is compared where a person says that it is one."""
    found = compared(entry("join", en=(1,), fr=(2,)), entry("join", en=(2,), fr=(1,)))
    assert [finding.kind for finding in found.findings if finding.severity == "play"]
    data = json.loads(FORMATS["json"](found, ()))
    assert [pair["by_hand"] for pair in data["pairs"] if "by_hand" in pair] == [["en", "fr"]] * 2
    assert "joined by hand" in FORMATS["html"](found, ())


def test_entries_of_other_languages_are_not_asked() -> None:
    found = compared(
        Entry("join", {"en": words("en", 0), "de": (Named("Mischt.", 0, ""),)}), texts={"en": EN, "fr": FR}
    )
    assert not found.unfit
    region = compared(entry("join", en=(0,), fr=(3,)), texts={"en": EN, "fr-CA": FR})
    assert any(cluster.members == {"en": (0,), "fr-CA": (3,)} for cluster in region.clusters)


def named(text: str, nth: int = 0) -> Entry:
    return Entry("join", {"en": (Named(text, nth, "pairs.yaml:2:9"),), "fr": words("fr", 0)})


@pytest.mark.parametrize(
    ("text", "nth", "told"),
    [
        ("Sing a song of sixpence.", 0, ["pairs.yaml:2:9: the English edition has no sentence “Sing a song"]),
        ("Take 4 cards.", 0, ["“Take 4 cards.”", "Is it “Take 3 cards.” now (line 3)?"]),
        ("Pass.", 0, ["the sentence “Pass.” 2x", "`nth`"]),
        ("Pass.", 3, ["the sentence “Pass.” 2x"]),
    ],
)
def test_an_entry_that_fits_no_more_is_told_and_not_obeyed(text: str, nth: int, told: list[str]) -> None:
    texts = {"en": EN + "\nPass.\n\nEnd.\n\nPass.\n", "fr": FR}
    found = compared(named(text, nth), texts=texts)
    [note] = found.not_obeyed
    for words in told:
        assert words in note
    assert pairs(found) == pairs(compared(texts=texts))
    for form in FORMATS.values():
        assert "pairs.yaml:2:9" in form(found, ())


def test_it_is_told_in_the_languages_of_reports() -> None:
    for language in ("fr", "ja"):
        [note] = compared(named("Take 4 cards."), told_in=language).not_obeyed
        assert "pairs.yaml:2:9" in note
        assert "Take 3 cards." in note


def test_which_of_several_sentences_is_meant() -> None:
    texts = {"en": EN + "\nPass.\n\nEnd.\n\nPass.\n", "fr": FR}
    for nth, n in ((1, 4), (2, 6)):
        found = compared(named("pass.  ", nth), texts=texts)  # capitals and blanks are no matter
        assert not found.unfit
        assert any(cluster.members == {"en": (n,), "fr": (0,)} for cluster in found.clusters)


# ---- the commands ----------------------------------------------------------------------------------------------------


@pytest.fixture
def books(tmp_path: Path) -> dict[str, str]:
    for language, text in TEXTS.items():
        (tmp_path / f"{language}.txt").write_text(text, encoding="utf-8")
    return {language: f"{language}={tmp_path / language}.txt" for language in TEXTS}


def decide(part: str, file: Path, *sentences: str) -> int:
    return main(["texts", part, *sentences, "--in", str(file), "--by", "Ann: one", "--reason", 'so "it" is'])


def test_join_and_split_write_what_compare_obeys(
    books: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pairs.yaml"
    file.write_text("# ours\n", encoding="utf-8")
    assert decide("join", file, f"{books['en']}:1", f"{books['fr']}:5,7") == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "en: Shuffle the cards.",
        "fr: Placez une pièce. Terminez votre tour.",
    ]
    assert decide("split", file, f"{books['en']}:3", f"{books['fr']}:3") == 0
    assert file.read_text(encoding="utf-8").startswith("# ours\npairs:\n  - join:\n")
    assert [each.ruling for each in read_pairs(file)] == ["join", "split"]
    capsys.readouterr()
    compare = ["texts", "compare", books["en"], books["fr"], "--pairs", "words", "--format", "json"]
    main([*compare, "--by-hand", str(file)])
    lines = [pair["lines"] for pair in json.loads(capsys.readouterr().out)["pairs"]]
    assert {"en": 1, "fr": 5} in lines
    assert {"en": 3, "fr": 3} not in lines
    (tmp_path / "fr.txt").write_text(FR.replace("Placez", "Posez"), encoding="utf-8")
    main([*compare, "--by-hand", str(file)])
    assert f"{file}:5:12" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sentences", "told"),
    [
        (("en:1", "fr"), "LANG=FILE:LINE"),
        (("en:1", "fr:2"), "No sentence stands in line 2"),
        (("en:1", "fr:1.2"), "1.2 is asked for"),
        (("en:1", "en:3"), "each named once"),
        (("en:1",), "each named once"),
    ],
)
def test_sentences_that_are_named_wrongly(
    sentences: tuple[str, ...],
    told: str,
    books: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "pairs.yaml"
    named = [books[word.partition(":")[0]] + word[2:] for word in sentences]
    assert decide("join", file, *named) == 2
    assert told in capsys.readouterr().err
    assert not file.exists()


def test_of_several_sentences_in_a_line_one_is_named(
    books: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "en.txt").write_text("Take a card. Pass.\nPlay on.\n", encoding="utf-8")
    file = tmp_path / "pairs.yaml"
    assert decide("join", file, f"{books['en']}:1", f"{books['fr']}:1") == 2
    assert "say which one: 1.1 Take a card. / 1.2 Pass." in capsys.readouterr().err
    assert decide("join", file, f"{books['en']}:1.2", f"{books['fr']}:1") == 0
    assert [each.text for each in read_pairs(file)[0].sides["en"]] == ["Pass."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pairs:\n  - {by: me}\n", "2:5: `pairs[0]` is either a `join` or a `split`"),
        ("pairs:\n  - join: {en: a}\n", "2:11: `pairs[0].join` is for two languages"),
        ("pairs:\n  - join: {en: a, fr: {text: b, nth: no}}\n", "2:38: `pairs[0].join.fr.nth` is a whole number"),
        ("others: []\n", "1:1: pairs by hand has no field `others`"),
    ],
)
def test_a_file_of_another_form_is_refused_and_stays(
    text: str, told: str, books: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pairs.yaml"
    file.write_text(text, encoding="utf-8")
    assert main(["texts", "compare", *books.values(), "--by-hand", str(file)]) == 2
    assert f"{file}:{told}" in capsys.readouterr().err
    assert decide("join", file, f"{books['en']}:1", f"{books['fr']}:1") == 2
    assert file.read_text(encoding="utf-8") == text
