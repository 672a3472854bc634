"""Expressions that an earlier process has read are as if read anew, and what is spoiled costs only time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.expr import ast, kept, parse, tables
from rulespec.source import store
from rulespec.source.text import SourceFile, Span

#: Each kind of expression and type, by what it begins with in the grammar.
TEXTS = [
    ("expr", "coins"),
    ("expr", "cell[x + 1, y].tokens.count"),
    ("expr", "sum(each.value for each in me.goods where each.kind == wood and not empty(each.box))"),
    ("expr", "if exists best then best.points else -3"),
    ("expr", "max(1, 2 * (a + b)) // 3 otherwise none"),
    ("expr", "a in b or a not in c or true"),
    ("expr", "[1, two, three(4)]"),
    ("expr", "most(s in site by s.worth) without tax"),
    ("expr", "walk(s from start step s.next)"),
    ("expr", "reach(s from start via s.near cost 1 within 3)"),
    ("expr", "longest(s in row where s.free)"),
    ("type", "0..limit or none"),
    ("type", "list of site"),
    ("type", "integer by colour"),
    ("type", "(player, site) -> integer"),
]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder where nothing is kept yet, and a process that has read nothing."""
    monkeypatch.delenv("RULESPEC_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    _begin(monkeypatch)


def _begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a process that begins now."""
    monkeypatch.setattr(parse, "shared_reader", parse.cache(parse.Reader))


def _read(start: str, text: str, before: str = "") -> Any:
    file = SourceFile.of("a.yaml", before + text)
    problems = Problems()
    found = parse.parse_span(Span(file, len(before), len(before + text)), problems, start=start)
    return repr(found), tuple(problems.items)


def test_a_later_process_reads_the_same_without_a_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    there, elsewhere = ([_read(*text, before=before) for text in TEXTS] for before in ("", "words: "))
    parse.keep_readings()
    _begin(monkeypatch)
    monkeypatch.setattr(tables, "make_lark", None)  # nothing can be read anew
    for before, expected in (("", there), ("words: ", elsewhere)):
        for text, read in zip(TEXTS, expected, strict=True):
            assert not read[1]
            assert _read(*text, before=before) == read


def test_every_kind_of_expression_can_be_kept() -> None:
    for name in kept._KINDS:
        for field, is_place in kept._FIELDS[name]:
            assert is_place == field.endswith("span"), (name, field)
    assert {"Each", "Name", "TypeRange"} <= kept._KINDS.keys()
    assert "Expr" not in kept._KINDS


def test_what_is_wrong_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [_read("expr", "1 +"), _read("expr", "9999999999")]
    _read("expr", "a")
    parse.keep_readings()
    _begin(monkeypatch)
    assert [code for _, [problem] in wrong for code in (problem.code,)] == ["RS203", "RS219"]
    assert [_read("expr", "1 +"), _read("expr", "9999999999")] == wrong


@pytest.mark.parametrize(
    "data",
    [
        {"expr": {"a + 1": ["Nothing_like_it", 0, 1]}},
        {"expr": {"a + 1": ["Name", 0]}},
        {"expr": {"a + 1": ["Name", "x", 1, "a"]}},
        {"expr": {"a + 1": 7}},
        {"expr": {"a + 1": []}},
        {"expr": ["a + 1"]},
        ["expr"],
    ],
)
def test_what_was_not_written_so_is_read_anew(data: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = _read("expr", "a + 1")
    assert store.write(kept._name(), data)
    _begin(monkeypatch)
    assert _read("expr", "a + 1") == expected


def test_it_stays_within_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_TEXTS", 4)
    for texts in (["a", "b", "c"], ["b", "d", "e"]):
        _begin(monkeypatch)
        for text in texts:
            _read("expr", text)
        parse.keep_readings()
    assert sorted(store.read(kept._name())["expr"]) == ["b", "d", "e"]  # what nobody asked for went


def test_what_one_file_does_not_take_is_left_out_and_the_rest_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LARGEST", 1_000)
    monkeypatch.setattr(kept, "MOST_BYTES", 700)
    for texts in (["a", "b + 1", "c"], ["b + 1", *(f"worth_{number} + {number}" for number in range(12))], ["d"]):
        _begin(monkeypatch)
        for text in texts:
            _read("expr", text)
        parse.keep_readings()
        written = store.read(kept._name())["expr"]
        assert texts[0] in written  # what was asked for now
        assert len(written) > 1  # and what there is room for beside it
    assert "worth_0 + 0" in written
    assert "worth_11 + 11" not in written


def test_a_text_is_kept_by_what_it_begins_with(monkeypatch: pytest.MonkeyPatch) -> None:
    _read("type", "site")
    parse.keep_readings()
    _begin(monkeypatch)
    file = SourceFile.of("a.yaml", "site")
    assert isinstance(parse.parse_span(Span(file, 0, 4), Problems()), ast.Name)
