"""What was accepted: a change of a rule marks its translations and no others, and accepting them renews the lock."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.game_source import GameSource
from rulespec.texts.check.entries import texts_of
from rulespec.texts.check.lock import accept
from rulespec.texts.check.writing import BusyFile, changing
from tests.processes import PATIENCE
from tests.texts.check.small import game, problems_of

STALE, NEVER = "RS542", "RS543"


def stale(source: GameSource) -> set[tuple[str, str]]:
    return {(str(p.args["rule"]), str(p.args["language"])) for p in problems_of(source) if p.code == STALE}


@pytest.fixture
def accepted(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    game(folder)
    assert main(["texts", "accept", str(folder), "--all", "--lang", "fr", "--lang", "ja"]) == 0
    return folder


def test_nothing_is_told_of_what_was_accepted(accepted: Path) -> None:
    assert problems_of(game(accepted)) == ()


def test_without_a_lock_it_is_told_once(tmp_path: Path) -> None:
    [problem] = problems_of(game(tmp_path / "small"))
    assert (problem.code, problem.message) == (NEVER, "No translation is accepted yet.")


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        (("hand_size: 5", "hand_size: 6"), {"hands"}),
        (("cost: 7", "cost: 8"), {"levels"}),  # a row that the rule does not show, of a table that it binds
        (("The game lasts", "A game lasts"), {"rounds"}),
        (("Les cartes ne sont pas", "Ces cartes ne sont pas"), set()),  # the translation itself
        (("The cards are not shown.", "The cards  are not shown."), set()),  # blanks say nothing
    ],
)
def test_a_change_marks_exactly_the_translations_of_its_rules(
    accepted: Path, change: tuple[str, str], rules: set[str]
) -> None:
    assert stale(game(accepted, change)) == {(rule, language) for rule in rules for language in ("fr", "ja")}


def test_a_stale_text_is_told_where_it_stands(accepted: Path) -> None:
    first, *_ = (p for p in problems_of(game(accepted, ("hand_size: 5", "hand_size: 6"))) if p.code == STALE)
    assert first.span.text == "Chaque joueur a {hand_size} cartes."


def test_accepting_one_renews_that_one(accepted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game(accepted, ("hand_size: 5", "hand_size: 6"))
    capsys.readouterr()
    assert main(["texts", "accept", str(accepted), "hands", "--lang", "ja"]) == 0
    assert capsys.readouterr().out.startswith("1 translation accepted in ")
    assert stale(game(accepted, ("hand_size: 5", "hand_size: 6"))) == {("hands", "fr")}


def test_the_lock_has_a_line_for_each_rule_and_is_written_whole(accepted: Path) -> None:
    lines = (accepted / "texts.lock").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert [line.partition(":")[0] for line in lines[1:]] == ["hands", "rounds", "levels", "order"]
    assert all("fr: " in line and "ja: " in line for line in lines[1:])
    assert [path.name for path in accepted.iterdir() if path.name.startswith(".texts")] == []


def test_a_rule_that_is_gone_leaves_the_lock_when_it_is_written(accepted: Path) -> None:
    rule = (
        "  rounds:\n    text:\n      en: The game lasts {rounds} rounds.\n      fr: La partie dure {rounds} manches.\n"
    )
    rule += "      ja: ゲームは{rounds}ラウンド続きます。\n    binds: [values.rounds]\n"
    source = game(accepted, (rule, ""))
    assert [p.code for p in problems_of(source)].count("RS544") == 2
    assert main(["texts", "accept", str(accepted), "hands", "--lang", "fr"]) == 0
    assert "rounds" not in (accepted / "texts.lock").read_text(encoding="utf-8")


def test_a_new_translation_is_not_accepted_yet(accepted: Path) -> None:
    text = (accepted / "texts.lock").read_text(encoding="utf-8")
    found = problems_of(game(accepted, lock="\n".join(line for line in text.split("\n") if "order" not in line)))
    assert [problem.message for problem in found] == [
        "The text of 'order' in fr is not accepted yet.",
        "The text of 'order' in ja is not accepted yet.",
    ]


def test_a_lock_that_is_no_lock_is_told(accepted: Path) -> None:
    codes = {problem.code for problem in problems_of(game(accepted, lock="hands: [\n"))}
    assert any(code < "RS200" for code in codes)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["hand", "--lang", "fr"], "There is no rule 'hand'. Did you mean `hands`?"),
        (["hands", "--lang", "de"], "The game has no texts in 'de'; it has en, fr, ja."),
        (["--all", "--lang", "fr,de"], "The game has no texts in 'de'; it has en, fr, ja."),
        (["--all", "--lang", "en"], "Rules are written in en: there is nothing to accept."),
        (["hands", "--lang", "en"], "Rules are written in en: there is nothing to accept."),
        (["hands"], "Name the language, with --lang."),
        (["--lang", "fr"], "Name the rules, or all of them with --all."),
        (["hands", "--all", "--lang", "fr"], "Name the rules, or all of them with --all."),
    ],
)
def test_wrong_usage_writes_nothing(
    tmp_path: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "small"
    game(folder)
    assert main(["texts", "accept", str(folder), *words]) == 2
    assert told in capsys.readouterr().err
    assert not (folder / "texts.lock").exists()


@pytest.mark.parametrize("before", ["<<<<<<< HEAD\n", "hands: {fr: \n- "])
def test_a_damaged_lock_is_not_written_over(accepted: Path, before: str, capsys: pytest.CaptureFixture[str]) -> None:
    lock = accepted / "texts.lock"
    damaged = before + lock.read_text(encoding="utf-8")
    lock.write_text(damaged, encoding="utf-8")
    capsys.readouterr()
    assert main(["texts", "accept", str(accepted), "hands", "--lang", "fr"]) == 2
    assert lock.read_text(encoding="utf-8") == damaged
    assert "texts.lock cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(("lang", "count"), [("fr,ja", 2), ("fr, ja", 2), ("FR", 1), ("fr-CA", 1), ("ja_JP,JA", 1)])
def test_languages_may_stand_in_a_list_and_with_regions(
    accepted: Path, lang: str, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["texts", "accept", str(accepted), "hands", "--lang", lang]) == 0
    assert capsys.readouterr().out.startswith(f"{count} translation")


def test_what_is_named_twice_is_accepted_once(accepted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["texts", "accept", str(accepted), "hands", "hands", "--lang", "fr", "--lang", "fr"]) == 0
    assert capsys.readouterr().out.startswith("1 translation accepted")


# ---- several programs at once ---------------------------------------------------------------------------


def started(folder: Path, rule: str, language: str) -> subprocess.Popen[bytes]:
    """Another program that accepts a translation."""
    words = ["texts", "accept", str(folder), rule, "--lang", language]
    return subprocess.Popen([sys.executable, "-m", "interpreter.cli.main", *words], stdout=subprocess.DEVNULL)


def test_what_another_program_accepts_meanwhile_is_kept(tmp_path: Path) -> None:
    """A line is added while the other program is at it: read before, written after, it would be lost."""
    folder = tmp_path / "small"
    game(folder)
    lock = folder / "texts.lock"
    with changing(lock) as stream:
        other = started(folder, "rounds", "fr")
        time.sleep(1)
        assert other.poll() is None
        assert not lock.exists()
        stream.write("hands: {ja: 0123456789ab}\n")
    assert other.wait(timeout=PATIENCE) == 0
    assert [line.split()[:2] for line in lock.read_text(encoding="utf-8").splitlines()[1:]] == [
        ["hands:", "{ja:"],
        ["rounds:", "{fr:"],
    ]


def test_two_programs_that_accept_by_turns_lose_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    game(folder)
    pairs = [(rule, language) for rule in ("hands", "rounds", "levels", "order") for language in ("fr", "ja")]
    for one, two in zip(pairs[::2], pairs[1::2], strict=True):
        both = [started(folder, *one), started(folder, *two)]
        assert [program.wait(timeout=PATIENCE) for program in both] == [0, 0]
    assert problems_of(game(folder)) == ()


def test_a_program_that_does_not_end_is_not_waited_for_without_end(accepted: Path) -> None:
    lock = accepted / "texts.lock"
    before = lock.read_text(encoding="utf-8")
    texts = texts_of(game(accepted))
    with changing(lock) as stream:
        stream.write(before)
        with pytest.raises(BusyFile, match=r"\.texts\.lock\.new is there"):
            accept(texts, texts.rules, ["fr"], patience=0.05)
    assert accept(texts, texts.rules, ["fr"], patience=0.05).read_text(encoding="utf-8") == before


@pytest.mark.skipif(os.name == "nt", reason="there the program is alone that could make the file")
def test_what_a_killed_program_left_beside_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    (tmp_path / ".notes.new").write_text("a longer text that was not finished", encoding="utf-8")
    with changing(path, patience=0) as stream:
        stream.write("new\n")
    assert path.read_text(encoding="utf-8") == "new\n"
    assert [each.name for each in tmp_path.iterdir()] == ["notes"]


@pytest.mark.skipif(os.name == "nt", reason="there the program is alone that could make the file")
@pytest.mark.parametrize("lead", ["symlink_to", "hardlink_to"])
def test_a_file_beside_that_is_another_file_too_is_left_alone(tmp_path: Path, lead: str) -> None:
    """A folder from a stranger may hold a link to anything."""
    mine = tmp_path / "mine"
    mine.write_text("of mine", encoding="utf-8")
    getattr(tmp_path / ".notes.new", lead)(mine)

    def change() -> None:
        with changing(tmp_path / "notes", patience=0) as stream:
            stream.write("new\n")

    with pytest.raises((BusyFile, OSError)):
        change()
    assert mine.read_text(encoding="utf-8") == "of mine"


def test_a_change_that_fails_leaves_the_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("old\n", encoding="utf-8")

    def half() -> None:
        with changing(path) as stream:
            stream.write("half")
            raise KeyError

    with pytest.raises(KeyError):
        half()
    assert path.read_text(encoding="utf-8") == "old\n"
    assert [each.name for each in tmp_path.iterdir()] == ["notes"]
