"""The program's files of words are read alike without the quicker reader of YAML, which not every platform has."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import rulespec.texts
from rulespec.texts import own_files

FOLDERS = ("words", "relations", "check/habits", "check/typography")
FILES = [path for name in FOLDERS for path in sorted((Path(rulespec.texts.__file__).parent / name).glob("*.yaml"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_without_libyaml(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_it = own_files.read_data(path)
    monkeypatch.setattr(own_files, "_SAFE", yaml.SafeLoader)
    assert own_files.read_data(path) == with_it


def test_there_are_files() -> None:
    assert {path.parent.name for path in FILES} == {"words", "relations", "habits", "typography"}


@pytest.mark.parametrize("reader", [own_files._SAFE, yaml.SafeLoader], ids=["quick", "plain"])
def test_words_that_older_yaml_reads_as_truth_values(
    reader: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "words.yaml"
    path.write_text("endings: [[ones, on]]\nwords: [no, Yes, off, y, True]\nspaces: false\nsilent: true\n")
    monkeypatch.setattr(own_files, "_SAFE", reader)
    assert own_files.read_data(path) == {
        "endings": [["ones", "on"]],
        "words": ["no", "Yes", "off", "y", "True"],
        "spaces": False,
        "silent": True,
    }
