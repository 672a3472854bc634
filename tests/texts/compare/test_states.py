"""What became of differences: states with by whom, when and why, kept over new editions; the last one counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.texts.baseline import UnreadableBaseline, read_baseline
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
    assert [finding.id for finding in baseline.new(COMPARISON.findings)] == [FINDING.id] * told
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
    assert FINDING.id not in {finding.id for finding in read_baseline(file).new(found)}


def test_what_is_to_be_fixed_is_told_with_its_state_in_every_format(tmp_path: Path) -> None:
    file = tmp_path / "states.yaml"
    mark(file, "to_fix")
    found = read_baseline(file).new(COMPARISON.findings)
    for name, write in FORMATS.items():
        report = write(COMPARISON, found)
        assert "to_fix" in report, name
        assert "M. Durand" in report or name == "sarif"


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
    with pytest.raises(UnreadableBaseline, match=r"states\.yaml:2"):
        read_baseline(file)
    assert mark(file, "to_fix") == 2
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("text", "told"), [("states: []\naccepted: []\n", "last part"), ("states: []\n", "a line for each part")]
)
def test_states_that_nothing_can_be_added_to_stay(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "states.yaml"
    file.write_text(text, encoding="utf-8")
    assert mark(file, "to_fix") == 2
    assert told in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == text
