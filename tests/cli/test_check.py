"""`check`: its forms, its exit statuses, and that it checks again at each save."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.cli.watching import changes
from rulespec.diagnostics.model import Problems
from rulespec.game_source import fingerprint, read_game, resolve
from rulespec.source.shipped import games
from tests.processes import PATIENCE, interruptible
from tests.project.modules import ROOT

BROKEN = "values: {hand_size: 6}\n"


@pytest.fixture
def harbour(run, here: Path) -> Path:
    """A new game, without problems."""
    assert run("new", "game", "harbour").status == 0
    return here / "harbour"


def test_a_game_without_problems(run, harbour: Path) -> None:
    done = run("check", "harbour")
    assert (done.status, done.out) == (0, "No problems.\n")


@pytest.mark.long
def test_all_shipped_games_have_no_problems(run) -> None:
    done = run("check", "--format", "json")
    document = json.loads(done.out)
    assert [problem for problem in document["problems"] if problem["severity"] != "note"] == []
    assert [game["id"] for game in document["games"]] == list(games())
    assert done.status == 0


def test_problems_as_text(run, harbour: Path) -> None:
    (harbour / "more.yaml").write_text("values: {most_taken: 6}\n", encoding="utf-8")
    done = run("check", "harbour")
    assert done.status == 1
    assert done.out.startswith("harbour/more.yaml:1:10: error RS401: ")
    assert done.out.endswith("\n\n1 error.\n")


def test_problems_as_json(run, harbour: Path) -> None:
    (harbour / "more.yaml").write_text("values: {most_taken: 6}\n", encoding="utf-8")
    done = run("check", "harbour", "--format", "json")
    document = json.loads(done.out)
    [problem] = document["problems"]
    assert done.status == 1
    assert set(problem) == {
        "code", "severity", "message", "file", "line", "column", "end_line", "end_column", "hint", "related",
        "fixes",
    }  # fmt: skip
    place = [problem[key] for key in ("code", "severity", "file", "line", "column", "end_line", "end_column")]
    assert place == ["RS401", "error", "harbour/more.yaml", 1, 10, 1, 20]
    assert [related["file"] for related in problem["related"]] == ["harbour/harbour.yaml"]
    assert [set(game) for game in document["games"]] == [{"id", "fingerprint"}]


def test_the_fingerprint_is_that_of_the_game(run, harbour: Path) -> None:
    source = read_game("harbour", Problems())
    assert source is not None
    document = json.loads(run("check", "harbour", "--format", "json").out)
    assert document["games"] == [{"id": "harbour", "fingerprint": fingerprint(resolve(source, [], Problems()))}]


def test_problems_as_sarif(run, harbour: Path) -> None:
    (harbour / "more.yaml").write_text("values: {most_taken: 6}\n", encoding="utf-8")
    [report] = json.loads(run("check", "harbour", "--format", "sarif").out)["runs"]
    [result] = report["results"]
    assert result["ruleId"] == "RS401"
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "harbour/more.yaml"


def test_several_games_in_one_run(run, here: Path) -> None:
    run("new", "game", "harbour")
    run("new", "game", "lagoon")
    for name in ("harbour", "lagoon"):
        (here / name / "more.yaml").write_text("values: {most_taken: 6}\n", encoding="utf-8")
    document = json.loads(run("check", "harbour", "lagoon", "--format", "json").out)
    assert [problem["file"] for problem in document["problems"]] == ["harbour/more.yaml", "lagoon/more.yaml"]
    assert [game["id"] for game in document["games"]] == ["harbour", "lagoon"]


def test_a_broken_file_does_not_hide_the_others(run, harbour: Path) -> None:
    (harbour / "a.yaml").write_text("values: [\n", encoding="utf-8")
    (harbour / "b.yaml").write_text("value: {x: 1}\n", encoding="utf-8")
    document = json.loads(run("check", "harbour", "--format", "json").out)
    assert [problem["file"] for problem in document["problems"]] == ["harbour/a.yaml", "harbour/b.yaml"]


def test_a_variant_of_the_game_is_checked_with_it(run, harbour: Path) -> None:
    text = 'variant: {id: many, title: {en: "Many"}, changes: [{set: values.most_takes, to: 4}]}\n'
    (harbour / "many.yaml").write_text(text, encoding="utf-8")
    done = run("check", "harbour", "--variant", "many")
    assert done.status == 1
    column = text.index("most_takes") + 1
    assert f"harbour/many.yaml:1:{column}: error RS403" in done.out


def test_variants_that_cannot_be_on_together_are_not_checked_together(run, here: Path) -> None:
    """Each of the two is checked by itself, though an option's value would switch the other one on."""
    folder = here / "isles"
    folder.mkdir()
    (folder / "isles.yaml").write_text(
        "game:\n"
        "  {id: isles, language: 1, title: {en: Isles}, players: 2, seats: [red, blue], options: {weather:\n"
        "  {type: weather, start: calm, title: {en: Weather}, switches: {wet: floods, dry: droughts}}}}\n"
        "enums: {weather: [calm, wet, dry]}\n"
        "messages: {player.red: {en: Red}, player.blue: {en: Blue}, weather.calm: {en: calm}, weather.wet: {en: wet},\n"
        "  weather.dry: {en: dry}}\n",
        encoding="utf-8",
    )
    for name in ("floods", "droughts"):
        text = f"variant: {{id: {name}, group: sky, title: {{en: {name}}}}}\n"
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    done = run("check", "isles")
    assert (done.status, done.out) == (0, "No problems.\n")


SALE = """\
game:
  {id: sale, language: 1, title: {en: Sale}, players: 1, seats: [red],
   options: {late: {type: boolean, start: false, title: {en: Late}}}}
flow:
  - if: option.late
    then: [{choose: n, from: 1..2}]
messages:
  player.red: {en: Red}
"""


def test_a_message_that_only_an_options_value_shows(run, here: Path) -> None:
    """It must be there and be right, though nothing shows it with the value that the option starts with."""
    folder = here / "sale"
    folder.mkdir()
    (folder / "sale.yaml").write_text(SALE, encoding="utf-8")
    assert "sale/sale.yaml:6:12: error RS505: The message 'n.prompt' is missing" in run("check", "sale").out
    (folder / "words.yaml").write_text('messages: {n.prompt: {en: "{m} here?"}, other: {en: No}}\n', encoding="utf-8")
    assert "sale/words.yaml:1:29: error RS301" in run("check", "sale").out
    words = "messages: {n.prompt: {en: Which?}, n.log: {en: Chosen.}, other: {en: No}}\n"
    (folder / "words.yaml").write_text(words, encoding="utf-8")
    out = run("check", "sale").out
    assert "Nothing shows the message 'other'" in out
    assert out.endswith("\n1 warning.\n")


@pytest.mark.parametrize(
    "words", [("check", "nothing"), ("check", "harbour", "--variant", "x"), ("check", "--variant", "x")]
)
def test_what_is_not_there_gives_2(run, harbour: Path, words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("rulespec check: ")


# ---- again at each save ----------------------------------------------------------------------------------------------


def test_changes_are_seen(here: Path) -> None:
    (here / "a.yaml").write_text("a: 1", encoding="utf-8")
    seen = changes([here], pause=0.01)
    assert next(seen) is None
    (here / "sub").mkdir()
    (here / "sub/b.yaml").write_text("b: 1", encoding="utf-8")
    (here / "notes.txt").write_text("no content", encoding="utf-8")
    assert next(seen) == here / "sub/b.yaml"
    (here / "a.yaml").write_text("a: 12", encoding="utf-8")
    assert next(seen) == here / "a.yaml"
    (here / "a.yaml").unlink()
    assert next(seen) == here / "a.yaml"


@pytest.mark.long
def test_watch_checks_again_until_ctrl_c(harbour: Path, here: Path) -> None:
    command = subprocess.Popen(
        interruptible("check", "harbour", "--watch"),
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert command.stdout is not None
    lines = _lines(command)
    assert next(lines) == "No problems."
    time.sleep(0.05)
    (harbour / "more.yaml").write_text("values: {most_taken: 6}\n", encoding="utf-8")
    assert next(lines).startswith("harbour/more.yaml:1:10: error RS401")
    command.send_signal(signal.SIGINT)
    _, errors = command.communicate(timeout=PATIENCE)
    assert command.returncode == 0
    assert "Traceback" not in errors


def test_watch_tells_an_error_once(run, harbour: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told as soon as it is found is not told again by the list that follows; each save begins anew."""
    monkeypatch.setattr("interpreter.cli.watching.changes", lambda _: iter([None, "harbour/more.yaml"]))
    (harbour / "more.yaml").write_text("values: {most_taken: 6, least_taken: 1}\nend: [give: 1]\n", encoding="utf-8")
    plain = run("check", "harbour")
    done = run("check", "harbour", "--watch")
    assert plain.out.count(": error RS") > 1
    assert done.out == 2 * plain.out


def test_watch_gives_tools_whole_documents(run, harbour: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is told before its document: the screen shows the error once."""
    monkeypatch.setattr("interpreter.cli.watching.changes", lambda _: iter([None]))
    (harbour / "more.yaml").write_text("values: {most_taken: 6}\n", encoding="utf-8")
    done = run("check", "harbour", "--watch", "--format", "json")
    assert len(json.loads(done.out)["problems"]) == 1
    assert done.err == ""


def _lines(command: subprocess.Popen[str]) -> Iterator[str]:
    assert command.stdout is not None
    for line in command.stdout:
        yield line.rstrip("\n")
