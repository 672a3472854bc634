"""What became of differences: states with by whom, when and why, kept over new editions; the last one counts."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import threading
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interpreter.cli.commands import texts_mark
from interpreter.cli.main import main
from rulespec.texts.baseline import read_baseline
from rulespec.texts.kept_files import UnreadableFile
from rulespec.texts.reports import FORMATS
from tests.texts.compare.books import BOOKS, changed, compared

COMPARISON = compared(changed("fr", "5 pièces", "6 pièces"))
[FINDING] = COMPARISON.findings


def mark(file: Path, state: str, *words: str, name: str = FINDING.id) -> int:
    return main(["texts", "mark", name, state, "--in", str(file), "--by", "M. Durand: traduction", *words])


@pytest.mark.parametrize(
    ("states", "told"),
    [(("to_fix",), True), (("accepted",), False), (("rejected",), False), (("accepted", "open"), True)],
)
def test_what_is_settled_is_told_no_more(tmp_path: Path, states: tuple[str, ...], told: bool) -> None:
    file = tmp_path / "states.yaml"
    file.write_text("# ours\naccepted:\n  - id: number-0000000000\n    reason: old", encoding="utf-8")
    for state in states:
        assert mark(file, state, "--reason", 'the board says "6": # as printed') == 0
    baseline = read_baseline(file)
    assert [finding.id for finding in baseline.told(COMPARISON.findings)] == [FINDING.id] * told
    state = baseline.states[FINDING.id]
    assert (state.state, state.by, state.reason) == (
        states[-1],
        "M. Durand: traduction",
        'the board says "6": # as printed',
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", state.when)
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# ours\naccepted:")
    assert text.count("- id: " + FINDING.id) == len(states)  # what was said before stays


def test_a_state_is_kept_over_a_new_edition(tmp_path: Path) -> None:
    """In the new edition a paragraph is new, and another one is wrapped anew: the difference is the same."""
    file = tmp_path / "states.yaml"
    mark(file, "accepted", "--reason", "as printed")
    text = "Une phrase de plus.\n\n" + changed("fr", "5 pièces", "6 pièces")["fr"].replace(
        "dans la boîte", "dans\nla boîte"
    )
    found = compared({**BOOKS, "fr": text}).findings
    assert FINDING.id in {finding.id for finding in found}
    assert FINDING.id not in {finding.id for finding in read_baseline(file).told(found)}


def test_what_is_to_be_fixed_is_told_with_its_state_in_every_format(tmp_path: Path) -> None:
    file = tmp_path / "states.yaml"
    mark(file, "to_fix")
    found = read_baseline(file).told(COMPARISON.findings)
    for name, write in FORMATS.items():
        report = write(COMPARISON, found)
        assert "to_fix" in report, name
        assert "M. Durand" in report, name


@pytest.mark.parametrize("state", ["accepted", "rejected"])
def test_what_is_settled_is_told_where_it_is_asked_for_and_fails_not(
    state: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, books = tmp_path / "states.yaml", []
    for language, text in (("en", "Take 3 cards now.\n"), ("fr", "Prenez 4 cartes maintenant.\n")):
        (tmp_path / language).with_suffix(".txt").write_text(text, encoding="utf-8")
        books.append(f"{language}={tmp_path / language}.txt")
    compare = ["texts", "compare", *books, "--pairs", "words", "--format", "json"]
    assert main(compare) == 1
    [finding] = json.loads(capsys.readouterr().out)["findings"]
    assert mark(file, state, "--reason", "as printed", name=finding["id"]) == 0
    for asked, number, status in ((), 0, 0), ((state,), 1, 0), (("new",), 0, 0), (("open", state), 1, 0):
        capsys.readouterr()
        words = [word for one in asked for word in ("--state", one)]
        assert main([*compare, "--baseline", str(file), *words]) == status
        found = json.loads(capsys.readouterr().out)["findings"]
        assert [one["state"]["state"] for one in found] == [state] * number
    assert main([*compare, "--state", "new"]) == 1  # without a file of states


def test_a_settled_difference_is_suppressed_in_sarif(tmp_path: Path) -> None:
    file = tmp_path / "states.yaml"
    mark(file, "accepted", "--reason", "as printed")
    found = read_baseline(file).told(COMPARISON.findings, ("accepted",))
    [result] = json.loads(FORMATS["sarif"](COMPARISON, found))["runs"][0]["results"]
    [suppression] = result["suppressions"]
    assert (suppression["kind"], suppression["status"]) == ("external", "accepted")
    assert "as printed" in suppression["justification"]


def test_the_page_filters_by_state_where_there_is_one(tmp_path: Path) -> None:
    assert 'data-filter="state"' not in FORMATS["html"](COMPARISON, list(COMPARISON.findings))
    file = tmp_path / "states.yaml"
    mark(file, "to_fix")
    page = FORMATS["html"](COMPARISON, read_baseline(file).told(COMPARISON.findings))
    assert 'data-filter="state" value="to_fix"' in page
    assert page.count('data-state="to_fix"') == 2  # the card, and the row below the sentence


STATES = """accepted:
  - id: term-0000000001
    reason: old
states:
  - {id: number-0000000002, state: open, by: Ann, when: 2026-11-01}
  - {id: number-0000000002, state: to_fix, by: Bea, when: 2026-11-02, reason: "=3"}
  - {id: number-0000000003, state: open, by: Ann, when: 2026-11-03}
"""


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ((), ["number-3", "number-2", "term-1"]),  # in the order of states: open, to_fix, accepted
        (("--state", "to_fix"), ["number-2"]),
        (("--state", "open", "--state", "accepted"), ["number-3", "term-1"]),
        (("--by", "Ann"), ["number-3"]),  # what Ann said of the second one is said no more
        (("--by", "Ann", "--history"), ["number-2", "number-3"]),
        (("--state", "rejected"), []),
    ],
)
def test_states_are_listed(
    words: tuple[str, ...], ids: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "states.yaml"
    file.write_text(STATES, encoding="utf-8")
    wanted = [name.replace("-", "-000000000") for name in ids]
    assert main(["texts", "states", str(file), *words, "--format", "json"]) == 0
    assert [state["id"] for state in json.loads(capsys.readouterr().out)["states"]] == wanted
    assert main(["texts", "states", str(file), *words, "--format", "csv", "--separator", "semicolon"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out), delimiter=";"))
    assert [row[0] for row in rows] == ["id", *wanted]
    assert "=3" not in [cell for row in rows for cell in row]  # which a spreadsheet would reckon out
    assert main(["texts", "states", str(file), *words]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split(" ")[0] for line in told[:-1]] == wanted
    assert told[-1] == ("Nothing is marked so." if not ids else told[-1])


def test_a_file_of_states_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "states.yaml"
    file.write_text("states:\n  - {id: a}\n", encoding="utf-8")
    assert main(["texts", "states", str(file)]) == 2
    assert f"{file}:2:5" in capsys.readouterr().err


def test_a_state_of_a_difference_that_is_gone_is_told(tmp_path: Path) -> None:
    file = tmp_path / "states.yaml"
    mark(file, "to_fix")
    [state] = read_baseline(file).gone(compared().findings)
    assert (state.id, state.state) == (FINDING.id, "to_fix")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((FINDING.id, "accepted"), "without a reason"),
        ((FINDING.id, "accepted", "--reason", " "), "without a reason"),
        (("number-1", "to_fix"), "no id"),
        ((FINDING.id, "to_fix", "--by", " "), "--by"),
    ],
)
def test_what_cannot_be_marked(
    words: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "states.yaml"
    assert main(["texts", "mark", *words[:2], "--in", str(file), "--by", "me", *words[2:]]) == 2
    assert told in capsys.readouterr().err
    assert not file.exists()


@pytest.mark.parametrize(
    "text",
    [
        "states:\n  - {id: a, state: to_fix, by: me}\n",  # when
        "states:\n  - {id: a, state: done, by: me, when: 2026-11-29}\n",
        "states:\n  - {id: a, state: accepted, by: me, when: 2026-11-29}\n",  # why
        "states:\n  - {id: a, state: open, by: me, when: yesterday}\n",
    ],
)
def test_a_file_of_another_form_is_refused_and_stays(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "states.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"states\.yaml:2"):
        read_baseline(file)
    assert mark(file, "to_fix") == 2
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("by", "reason", "told"),
    [
        ("a\x07b", "", "--by has a character that nobody sees (U+0007"),
        ("me", "a\ufeffb", "--reason has a character that nobody sees (U+FEFF"),
        ("me", "a\udcffb", "--reason has a character that nobody sees (U+DCFF"),
    ],
)
def test_what_no_file_can_hold_is_told(
    by: str, reason: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "states.yaml"
    words = ("--in", str(file), "--by", by, "--reason", reason)
    assert main(["texts", "mark", FINDING.id, "to_fix", *words]) == 2
    assert told in capsys.readouterr().err
    assert not file.exists()


ENTRY = "id: number-0000000000\nstate: to_fix\nby: me\nwhen: 2026-11-28"


def entry(blanks: int) -> str:
    """An entry of a list whose dashes stand behind so many blanks."""
    first, *rest = ENTRY.split("\n")
    return "".join(f"{' ' * blanks}{line}\n" for line in (f"- {first}", *(f"  {line}" for line in rest)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("states: []\naccepted: []\n", "states.yaml:1:1: `states` is not the last part"),
        (f"states: [{{{', '.join(ENTRY.split(chr(10)))}}}]\n", "states.yaml:1:9: this list is written with brackets"),
        ("# ours\n{accepted: []}\n", "states.yaml:2:1: this is written with braces"),
        ("accepted: []\n...\n", "with what would be added"),
    ],
)
def test_states_that_nothing_can_be_added_to_stay(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "states.yaml"
    file.write_text(text, encoding="utf-8")
    assert mark(file, "to_fix") == 2
    assert told in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("before", "kept", "blanks"),
    [
        ("", "states:\n", 2),
        ("# ours\n", "# ours\nstates:\n", 2),
        ("accepted: []", "accepted: []\nstates:\n", 2),
        (" accepted: []\n", " accepted: []\n states:\n", 3),
        ("states:\n" + entry(0), "states:\n" + entry(0), 0),
        ("states:\n" + entry(4) + "  # the end\n", "states:\n" + entry(4) + "  # the end\n", 4),
        ('"states":\n' + entry(2), '"states":\n' + entry(2), 2),
        ("states: []\n", "states:\n", 2),
        ("states: [ ]  # none yet\n", "states:  # none yet\n", 2),
    ],
)
def test_a_state_is_added_as_the_others_are_written(before: str, kept: str, blanks: int, tmp_path: Path) -> None:
    file = tmp_path / "states.yaml"
    file.write_text(before, encoding="utf-8")
    assert mark(file, "to_fix") == 0
    text = file.read_text(encoding="utf-8")
    assert text.startswith(kept)
    assert text[len(kept) :].startswith(" " * blanks + f"- id: {FINDING.id}\n")
    assert FINDING.id in read_baseline(file).states


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("is_ended", [True, False])
def test_line_ends_and_the_mark_at_the_beginning_stay(bom: bytes, end: bytes, is_ended: bool, tmp_path: Path) -> None:
    file = tmp_path / "states.yaml"
    before = bom + b"# ours" + end + b"accepted: []" + end * is_ended
    file.write_bytes(before)
    assert mark(file, "to_fix") == 0
    assert mark(file, "open") == 0
    after = file.read_bytes()
    assert after.startswith(before)
    assert after.count(end) == after.count(b"\n") == 11  # two lines before, `states:`, and two entries of four
    assert [state.state for state in read_baseline(file).states.values()] == ["open"]


@pytest.mark.skipif(os.name == "nt", reason="modes and links are another matter there")
def test_a_mode_and_a_link_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "states.yaml", tmp_path / "link.yaml"
    file.write_text("", encoding="utf-8")
    link.symlink_to(file)
    for mode in (0o600, 0o664):
        file.chmod(mode)
        assert mark(link, "to_fix") == 0
        assert stat.S_IMODE(file.stat().st_mode) == mode
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, file]


def test_what_several_add_at_once_is_all_there(tmp_path: Path) -> None:
    file, names = tmp_path / "states.yaml", [f"number-{n:010x}" for n in range(12)]
    begin = threading.Barrier(len(names))

    def one(name: str) -> int:
        begin.wait()
        return texts_mark.run(Namespace(id=[name], state="to_fix", file=str(file), by="me", reason=""))

    with ThreadPoolExecutor(len(names)) as pool:
        assert list(pool.map(one, names)) == [0] * len(names)
    assert sorted(read_baseline(file).states) == names


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, told in ((pipe, "it is not a file"), (tmp_path, "Is a directory")):
        assert mark(path, "to_fix") == 2
        assert told in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [pipe]
