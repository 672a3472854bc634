"""Each structural fault gives exactly one diagnostic, at its place, and its mend gives none."""

from __future__ import annotations

from itertools import groupby

import pytest

from rulespec.diagnostics.catalogue import all_entries
from rulespec.diagnostics.model import Problems
from rulespec.model.validate import validate_file, validate_whole
from rulespec.source.nodes import Mapping, read_yaml
from rulespec.source.text import SourceFile
from tests.language.structure.cases import Fault, faults, found_in, problems_of, tree_of

FAULTS = faults()
CODES = [entry for entry in all_entries() if "RS250" <= entry.code <= "RS299"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_gives_one_problem_at_its_place(fault: Fault) -> None:
    problems = problems_of(fault)
    assert [(problem.code, problem.span.text) for problem in problems] == [(fault.code, fault.at)]
    assert fault.hint in (problems[0].hint or "")


def test_every_code_has_a_fault() -> None:
    assert {entry.code for entry in CODES} == {fault.code for fault in FAULTS} - {
        "RS145"
    }  # which reading a file tells too


@pytest.mark.parametrize("entry", CODES, ids=lambda entry: entry.code)
def test_example_of_a_code_has_its_fault_and_the_mend_none(entry) -> None:
    wanted = entry.code == "RS266"
    for text, expected in ((entry.bad, [entry.code]), (entry.good, [])):
        problems = Problems()
        tree = tree_of(text)
        validate_file(tree, problems, variant=wanted or "variant" in tree)
        assert [problem.code for problem in problems.items] == expected


def test_faults_of_one_file_are_all_reported() -> None:
    """A fault hides no other one, before, beside or after it."""
    sections = [fault for fault in FAULTS if not fault.whole and not fault.variant and fault.code != "RS265"]
    by_section = {fault.text.split(":")[0]: fault for fault in sections}
    text = "".join(fault.text for fault in by_section.values())
    codes = [line.split()[1] for line in found_in(text)]
    assert sorted(codes) == sorted(fault.code for fault in by_section.values())


def test_two_faults_in_one_entry() -> None:
    text = "zones:\n  deck: {shape: pile, holds: card, upto: 3}\n"
    assert found_in(text) == [
        "2: RS258 'shape' cannot be 'pile'.",
        "2: RS251 This zone cannot have 'upto'.",
    ]


def test_bad_nodes_are_known_and_good_ones_beside_them_are_not() -> None:
    tree = tree_of("zones:\n  deck: {shape: pile, holds: card}\n  discard: {shape: pool, holds: card}\n")
    bad = validate_file(tree, Problems(), variant=False)
    zones = tree.get("zones")
    deck, discard = zones.get("deck"), zones.get("discard")
    assert deck.get("shape") in bad
    assert deck not in bad
    assert bad.touches(deck)
    assert bad.touches(tree)
    assert not bad.touches(discard)


def test_a_map_with_an_unknown_key_is_bad() -> None:
    tree = tree_of("zones:\n  deck: {shape: pool, hold: card}\n")
    assert tree.get("zones").get("deck") in validate_file(tree, Problems(), variant=False)


def test_a_game_may_be_spread_over_files() -> None:
    assert found_in("game: {title: {de: Inseln}}\n") == []
    assert found_in("rules:\n  bridge_cost: {text: {de: Eine Brücke kostet etwas.}}\n") == []
    assert found_in("boards:\n  land:\n    cell:\n      attributes: {rim: boolean}\n") == []


def test_the_whole_game_shows_what_its_files_lack() -> None:
    problems = Problems()
    validate_whole(tree_of("game: {id: islands, title: {de: Inseln}}\n"), problems)
    assert [problem.args["name"] for problem in problems.items] == ["language", "players", "seats"]


def test_what_a_file_lacks_is_not_reported_again_for_the_whole() -> None:
    problems = Problems()
    tree = tree_of("zones:\n  deck: {shape: pile}\n")
    validate_file(tree, problems, variant=False)
    alone = problems.items
    validate_whole(tree, problems)
    assert problems.items == alone


def test_codes_are_spread_over_the_faults() -> None:
    """The corpus tries each code in more than one way, where there is more than one."""
    only_one_way = {"RS265", "RS266"}
    ordered = sorted(FAULTS, key=lambda fault: fault.code)
    counts = {code: len(list(group)) for code, group in groupby(ordered, key=lambda fault: fault.code)}
    assert {code for code, count in counts.items() if count < 2} <= only_one_way


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("actions: {trade: {do: buy}}", "Write it as a list of steps: [{perform: buy}]."),
        ("actions: {trade: {do: finish}}", None),  # a verb, and no action
        ("actions: {trade: {do: buy two}}", None),
        ("actions: {trade: {do: true}}", None),
        ("actions: {trade: {do: 3}}", None),
        ("ranking: score", None),  # a list of maps
        ("game: {seats: red}", "Write it as a list: [red]."),
    ],
)
def test_the_hint_for_a_value_where_a_list_should_be(text: str, hint: str | None) -> None:
    """What it says can be written: a list of the value where its items are values, an action performed for steps."""
    problems = Problems()
    tree = read_yaml(SourceFile.of("hint.yaml", text), problems)
    assert isinstance(tree, Mapping)
    validate_file(tree, problems, variant=False)
    assert [(problem.code, problem.hint) for problem in problems.items] == [("RS253", hint)]
