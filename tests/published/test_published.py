"""Data of the published forms: faults are told with their place, and what the program writes has the form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from interpreter.log_lines import LineWriter
from interpreter.log_reading import parse_log
from interpreter.save import load_save
from interpreter.simulate.journal import Journal, OtherRun
from rulespec.diagnostics.model import Problems
from rulespec.published import Fault, first_fault, place_of
from rulespec.source.shipped import schemas_root
from rulespec.source.text import SourceFile
from rulespec.texts.baseline import read_baseline
from rulespec.texts.kept_files import UnreadableFile
from tests.engine.small import names, small
from tests.simulate.runs import plan

OWN = [
    "expectations",
    "log",
    "simulate_plan",
    "studio",
    "table",
    "texts_baseline",
    "texts_compare",
    "texts_changed",
    "texts_pairs",
]


@pytest.mark.parametrize("path", sorted(schemas_root().glob("*.schema.json")), ids=lambda path: path.name)
def test_every_schema_is_one(path: Path) -> None:
    Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


def test_these_forms_are_published() -> None:
    assert {f"{name}.schema.json" for name in OWN} <= {path.name for path in schemas_root().iterdir()}


# ---- what the program writes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_every_line_of_a_log_has_the_form(name: str) -> None:
    """Of a whole game in which the last option is taken, for whoever may see all and for the first seat."""
    game = small(name)
    for seat in (None, 0):
        writer, state = LineWriter(game, seat), game.start(1, events=True)
        lines = [("header", writer.header(1, state))]
        lines += [("event", line) for line in writer.events(state)]
        for n in range(1, 200):
            if state.decision is None:
                break
            option = state.options()[-1]
            before, state = state, state.apply(option, events=True)
            lines.append(("decision", writer.decision(n, before, option, state)))
            lines += [("event", line) for line in writer.events(state)]
        lines.append(("result", writer.result(state)))
        for kind, line in lines:
            assert first_fault(json.loads(json.dumps(line)), "log", kind) is None


def test_a_plan_has_the_form() -> None:
    assert first_fault(json.loads(json.dumps(plan(detail="full").to_json())), "simulate_plan") is None


# ---- what comes in ---------------------------------------------------------------------------------------------------

HEADER = (
    '{"log": 2, "game": "tic_tac_toe", "fingerprint": "0", "players": 2, "options": {}, "variants": [], '
    '"language": 1, "seed": 7, "digest": "0"}'
)
DECISION = '{"n": 1, "player": "cross", "key": "b", "digest": "c"}'


@pytest.mark.parametrize(
    ("line", "old", "new", "words", "at"),
    [
        (HEADER, '"players": 2', '"players": "2"', "`players` is a whole number", '"2"'),
        (HEADER, '"players": 2', '"players": true', "`players` is a whole number", "true"),
        (HEADER, '"players": 2', '"players": 0', "`players` is a number of players", "0, "),
        (HEADER, '"players": 2', '"players": 2.0', "`players` is a whole number", "2.0"),
        (HEADER, '"game": "tic_tac_toe"', '"game": "../x"', "`game` is an id, and never a path", '"../x"'),
        (HEADER, '"game": "tic_tac_toe"', '"game": "x\\n"', "`game` is an id, and never a path", '"x\\n"'),
        (HEADER, '"variants": []', '"variants": ["a", 5]', "`variants[1]` is a text", "5]"),
        (HEADER, '"options": {}', '"options": {"a": []}', "`options.a` is a text or a whole number or true or", "[]}"),
        (HEADER, '"seed": 7', '"seed": 7, "more": 1', "a header has no field `more`", '"more"'),
        (HEADER, ', "seed": 7', "", "a header has a field `seed`, or in a seat's log `seat`", "{"),
        (HEADER, '"seed": 7', '"seed": 7, "seat": "x"', "a header has a field `seed`, or in a seat's log", "{"),
        (DECISION, ', "digest": "c"', "", "a decision has a field `digest`", "{"),
        (DECISION, '"n": 1', '"n": "1"', "`n` is a whole number", '"1"'),
        ('{"result": null}', "null", "5", "`result` is a map or null", "5"),
        ('{"result": null}', "null", '{"scores": {}}', "a result has a field `ranking`", '{"scores"'),
        ('{"event": "x", "player": "a"}', '"a"', "3", "`player` is a text", "3"),
    ],
)
def test_a_line_of_a_log(line: str, old: str, new: str, words: str, at: str) -> None:
    assert old in line
    text, problems = line.replace(old, new), Problems()
    parse_log(SourceFile.of("a.log", text), problems, ended=False)
    [problem] = problems.items
    assert problem.code == "RS821"
    assert words in problem.message
    assert problem.span.start == text.index(at)


@pytest.mark.parametrize(
    ("last", "words", "column"),
    [
        ('{"save": 1, "n": "0", "state": "", "digest": ""}', "`n` is a whole number", 18),
        ('{"save": 1, "n": 0, "state": "", "digest": "", "seats": {}}', "`seats` is a list", 57),
        ('{"save": 1, "n": 0, "state": "", "digest": "", "seats": [1]}', "`seats[0]` is a text", 58),
        ('{"save": 1, "n": 0, "digest": ""}', "the last line of a save has a field `state`", 1),
        ('{"save": 2, "n": 0}', "its version is 2, and 1 can be read", 1),
        ("[]", "its last line does not hold the state", 1),
    ],
)
def test_the_last_line_of_a_save(tmp_path: Path, last: str, words: str, column: int) -> None:
    problems, path = Problems(), tmp_path / "a.save"
    path.write_text(f"{HEADER}\n{last}\n", encoding="utf-8")
    assert load_save(path, problems) is None
    [problem] = problems.items
    assert (problem.code, problem.span.line, problem.span.column) == ("RS829", 2, column)
    assert words in problem.message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": "2"}, ":4:14: the plan of the run cannot be read: `players` is a whole number."),
        ({"detail": "some"}, '`detail` is one of "games", "full", "decisions".'),
        ({"plan": 2}, ":2:11: the plan of the run cannot be read: `plan` is 1."),
        ({"arms": [{"variants": []}]}, "an arm has a field `fingerprint`."),
        ({"options": [["a"]]}, "`options[0]` is the name of an option and its value."),
        ({"more": 1}, "a plan has no field `more`."),
    ],
)
def test_the_plan_of_a_run(tmp_path: Path, change: dict[str, object], words: str) -> None:
    data = {**plan().to_json(), **change}
    (tmp_path / "plan.json").write_text(json.dumps(data, indent=2), "utf-8")
    with pytest.raises(OtherRun) as told:
        Journal(tmp_path).begin(plan(), {}, resume=True)
    assert words in str(told.value)
    assert str(told.value).startswith(f"{tmp_path / 'plan.json'}:")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("accepted: x\n", "1:11: `accepted` is a list."),
        ("taken: []\n", "1:1: a baseline has no field `taken`."),
        ("accepted:\n  - id: a\n    reason: b\n    more: c\n", "4:5: an entry of `accepted` has no field `more`."),
        ("accepted:\n  - id: a\n    reason: b\n  - id: [a]\n    reason: b\n", "4:9: `accepted[1].id` is a text."),
        ("accepted:\n  - x\n", "2:5: `accepted[0]` is a map."),
    ],
)
def test_a_baseline(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "accepted.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile) as refused:
        read_baseline(path)
    assert str(refused.value) == f"{path}:{told}"


# ---- places ----------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.data(), st.sampled_from([None, 1]))
def test_a_place_holds_the_value(data: object, chosen: st.DataObject, indent: int | None) -> None:
    """The text at the place of any value is that value, and the text at the place of its key is the key."""
    text = " " + json.dumps(data, indent=indent)
    path: list[str | int] = []
    while isinstance(data, (dict, list)) and data and chosen.draw(st.booleans()):
        step = chosen.draw(st.sampled_from(list(data) if isinstance(data, dict) else list(range(len(data)))))
        if isinstance(data, dict):
            start, end = place_of(text, Fault("", (*path, step), is_key=True))
            assert json.loads(text[start:end]) == step
        path.append(step)
        data = data[step]  # type: ignore[call-overload,index]
    start, end = place_of(text, Fault("", tuple(path)))
    assert json.loads(text[start:end]) == data
