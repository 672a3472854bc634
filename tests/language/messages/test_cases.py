"""The cases of cases.yaml: a text with one fault gives one problem, at the right place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulespec.build import lowered
from rulespec.diagnostics.model import Problem, Problems
from rulespec.lower.context import Parsed
from rulespec.messages.check import check_messages
from rulespec.overlay.merge import merge
from rulespec.source.nodes import Mapping, read_yaml
from rulespec.source.text import SourceFile
from tests.language.cases import load_cases, span_of

CASES = load_cases(__file__, "cases.yaml")


def tree_of(name: str, text: str | None = None) -> Mapping:
    """A file beside this one, or a text, as a tree."""
    problems = Problems()
    text = Path(__file__).with_name(name).read_text(encoding="utf-8") if text is None else text
    found = read_yaml(SourceFile.of(name, text), problems)
    assert problems.items == ()
    assert found is not None
    return found


def words_for(case: dict[str, Any], own: Mapping) -> Mapping:
    """The messages of words.yaml, but for those that the case leaves out or says otherwise."""
    words = tree_of("words.yaml")
    messages, said = words.get("messages"), own.get("messages")
    assert isinstance(messages, Mapping)
    gone = {*case.get("without", ()), *(said.keys() if isinstance(said, Mapping) else ())}
    kept = replace(messages, pairs=tuple(pair for pair in messages.pairs if pair[0].text not in gone))
    return replace(words, pairs=((words.pairs[0][0], kept),))


def problems_of(case: dict[str, Any], players: int = 2) -> tuple[Problem, ...]:
    """What checking the texts of a case reports."""
    own = tree_of("case.yaml", case["text"])
    problems = Problems()
    tree = merge([tree_of("game.yaml"), words_for(case, own), own], problems)
    built = lowered(tree, players, {}, problems, Parsed())
    assert problems.items == ()
    check_messages(built.context, tree, problems, built.program)
    only = case.get("only")
    return tuple(p for p in problems.items if only is None or p.args.get("key") in only)


def test_the_game_itself_has_no_fault() -> None:
    assert problems_of({"text": "terms: {}"}, players=2) == ()
    assert problems_of({"text": "terms: {}"}, players=3) == ()


@pytest.mark.parametrize("name", CASES)
def test_problem(name: str) -> None:
    case = CASES[name]
    found = problems_of(case)
    if "codes" in case:
        assert sorted(problem.code for problem in found) == case["codes"]
        return
    assert sorted(p.code for p in found) == sorted([case["code"], *case.get("also", ())])
    [problem] = [p for p in found if p.code == case["code"]]
    file = case.get("file", "case.yaml")
    text = case["text"] if file == "case.yaml" else tree_of(file).span.file.text
    assert (problem.span.file.name, problem.span.text) == (file, case["at"].partition("#")[0])
    assert (problem.span.start, problem.span.end) == span_of(text, case["at"])
    assert case.get("hint", "") in (problem.hint or "")


def test_there_are_many_cases() -> None:
    assert len(CASES) >= 45


def test_a_game_may_add_a_language_to_the_engine() -> None:
    """The engine says it in the game's languages itself; saying it otherwise in only one of them is a fault."""
    game = "game: {languages: [en, fr]}\nmessages:\n  "
    added = problems_of({"text": f'{game}engine.over: {{de: "Aus."}}', "only": {"engine.over"}})
    changed = problems_of({"text": f'{game}engine.over: {{en: "The end."}}', "only": {"engine.over"}})
    assert added == ()
    assert [problem.code for problem in changed] == ["RS506"]
