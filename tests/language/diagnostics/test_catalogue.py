"""Every code has a whole entry, its message's places are used, and the examples are files that can be read."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from rulespec.diagnostics.catalogue import Entry, all_entries, entry, files_of_catalogue
from tests.language.cases import read

ENTRIES = {item.code: item for item in all_entries()}
SOURCES = [
    path
    for package in ("rulespec", "interpreter")
    for path in sorted((Path(__file__).parents[3] / package).rglob("*.py"))
]


def test_files_are_well_formed() -> None:
    """By our own reader, which sees a code that stands twice."""
    for path in files_of_catalogue():
        tree, problems = read(path.read_text(encoding="utf-8"))
        assert problems == (), path.name
        assert tree is not None
        assert all(re.fullmatch(rf"RS{path.name[0]}\d\d", key.text) for key, _ in tree.pairs), path.name
        assert list(tree.keys()) == sorted(tree.keys()), path.name


def test_no_code_stands_in_two_files() -> None:
    codes = re.findall(r"^(RS\d+):", "\n".join(path.read_text("utf-8") for path in files_of_catalogue()), re.MULTILINE)
    assert len(codes) == len(set(codes)) == len(ENTRIES)


@pytest.mark.parametrize("code", ENTRIES)
def test_an_entry_is_whole(code: str) -> None:
    item: Entry = ENTRIES[code]
    assert entry(code) == item
    assert item.severity in ("error", "warning", "note")
    assert item.title
    assert not item.title.endswith(".")
    assert item.message.endswith(".") or item.message.endswith("}")
    assert len(item.about) > 25
    assert re.match("(certain|offered|none)\\b", item.fix)
    assert item.bad != item.good


def test_an_unknown_code_has_no_entry() -> None:
    with pytest.raises(KeyError):
        entry("RS999")
    with pytest.raises(KeyError):
        entry("")


@pytest.mark.parametrize("code", [code for code in ENTRIES if code < "RS316"])
def test_the_mended_example_can_be_read(code: str) -> None:
    assert read(ENTRIES[code].good)[1] == ()


@pytest.mark.parametrize("code", [code for code in ENTRIES if code < "RS200"])
def test_the_faulty_example_of_a_loading_code_shows_it(code: str) -> None:
    """Those whose fault is not in a text that can be printed explain it in a comment instead."""
    codes = {problem.code for problem in read(ENTRIES[code].bad)[1]}
    is_told = code in {
        "RS101",
        "RS102",
        "RS103",
        "RS104",
        "RS105",
        "RS106",
        "RS107",
        "RS112",
        "RS113",
        "RS114",
        "RS148",
        "RS149",
        "RS150",
        "RS151",
        "RS154",
    }
    assert codes == (set() if is_told else {code})


def _calls() -> list[tuple[str, set[str], str]]:
    """Code, names of the facts, and place of each call that reports a problem with a code written out."""
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            first = node.args[0]
            is_code = isinstance(first, ast.Constant) and re.fullmatch(r"RS\d\d\d", str(first.value))
            if node.func.attr in ("add", "say") and is_code and all(keyword.arg for keyword in node.keywords):
                facts = {str(keyword.arg) for keyword in node.keywords} - {
                    "hint",
                    "related",
                    "there",
                    "near",
                    "mend",
                    "fixes",
                }
                found.append((first.value, facts, f"{path.name}:{node.lineno}"))
    return found


#: What a report is given beside the facts of its message.
NO_FACTS = {"hint", "related", "there", "near", "mend", "fixes"}


def test_every_report_fills_the_message() -> None:
    wrong = [
        f"{place} reports {code} with {sorted(facts)}"
        for code, facts, place in _calls()
        if code not in ENTRIES or facts != _places(ENTRIES[code].message)
    ]
    assert wrong == []


def _places(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}
