"""Expectations in YAML of the published schema: what is read, and where what is wrong stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.simulate.expect import FORMS, WrongStatement, read_expectations
from interpreter.simulate.expectations import WrongFile, read_file
from rulespec.published import first_fault
from rulespec.source.shipped import schemas_root

GOOD = """\
# yaml-language-server: $schema=../schemas/expectations.schema.json
confidence: 90
expect:
  - no seat wins over 60 %
  - statement: "length at most 250   decisions"
    about: One evening.
"""


def _file(folder: Path, text: str, name: str = "balance.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_statements_are_those_of_sentences(tmp_path: Path) -> None:
    found, confidence = read_file(_file(tmp_path, GOOD))
    said, same = read_expectations("confidence 90 %\nno seat wins over 60 %\nlength at most 250 decisions\n")
    assert (confidence, same) == (0.9, 0.9)
    assert [(s.text, s.subject, s.low, s.high) for s in found] == [(s.text, s.subject, s.low, s.high) for s in said]
    # the text within quotes begins behind the quote
    assert [(s.line, s.column) for s in found] == [(4, 5), (5, 17)]


def test_json_is_read_too(tmp_path: Path) -> None:
    found, confidence = read_file(_file(tmp_path, json.dumps({"expect": ["length at most 9 turns"]}), "b.json"))
    assert (confidence, [each.text for each in found]) == (0.95, ["length at most 9 turns"])


def test_the_schema_offers_what_can_be_said() -> None:
    schema = json.loads((schemas_root() / "expectations.schema.json").read_text("utf-8"))
    assert schema["$defs"]["statement"]["anyOf"][0]["enum"] == list(FORMS)
    for form in FORMS:
        assert first_fault({"expect": [form.replace(" 2", " 3")]}, "expectations") is None


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("confidence: 90\n", (1, 1), "a file of expectations has a field `expect`"),
        ("expect: no seat wins over 60 %\n", (1, 9), "`expect` is a list"),
        ("expect: []\n", (1, 9), "`expect` is a list of at least one statement"),
        ("expect: [length at most 9 turns]\nconfidnce: 90\n", (2, 1), "no field `confidnce`"),
        ("confidence: 20\nexpect: [length at most 9 turns]\n", (1, 13), "at least 50 and less than 100"),
        ("expect:\n  - length at most 9 turns\n  - 7\n", (3, 5), "`expect[1]` is a statement with bounds"),
        ("expect:\n  - they win a lot\n", (2, 5), "`expect[0]` is a statement with bounds"),
        ("expect:\n  - {statement: length at most 9 turns, abut: x}\n", (2, 41), "has no field `abut`"),
        ("expect:\n  - {about: x}\n", (2, 5), "has a field `statement`"),
        ("expect:\n  - length between 9 and 2 turns\n", (2, 5), "leaves nothing between"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(tmp_path: Path, text: str, place: tuple[int, int], words: str) -> None:
    with pytest.raises(WrongStatement) as fault:
        read_file(_file(tmp_path, text))
    assert (fault.value.line, fault.value.column) == place
    assert words in str(fault.value)


@pytest.mark.parametrize("text", ["- length at most 9 turns\n", "expect: [\n", "expect: [a]\nexpect: [b]\n"])
def test_what_is_no_map_in_yaml(tmp_path: Path, text: str) -> None:
    with pytest.raises(WrongFile):
        read_file(_file(tmp_path, text))


def test_the_command_tells_line_and_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, "expect:\n  - seat 9 wins at least 5 %\n")
    assert main(["simulate", "tic_tac_toe", "--games", "2", "--seats", "random", "--expect", str(path)]) == 2
    assert f"{path}:2:5: there is no seat '9'" in capsys.readouterr().err
    sentences = _file(tmp_path, "\n  seat 9 wins at least 5 %\n", "balance.txt")
    assert main(["simulate", "tic_tac_toe", "--games", "2", "--seats", "random", "--expect", str(sentences)]) == 2
    assert f"{sentences}:2:3: there is no seat '9'" in capsys.readouterr().err
