"""The registry is whole: every field has an example that fits, every word of the language is listed."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from rulespec.diagnostics.model import Problems
from rulespec.model.generate import generated
from rulespec.model.reference import language_page
from rulespec.model.registry import REGISTRY, SECTIONS, VERBS
from rulespec.model.registry.names import GRAMMAR_WORDS
from rulespec.model.shapes import STEPS, ByNode, Expression, Field, Form, ListOf, MapOf, Record, Shape, Use
from rulespec.model.validate import validate_file, validate_whole
from tests.language.structure.cases import SKETCHES, found_in, sketches, tree_of

STEP = REGISTRY.record("step")


def _fields() -> list[tuple[str, Field]]:
    fields = [(record.name, field) for record in REGISTRY.records for field in record.all_fields()]
    return list({(name, field.name, field.example): (name, field) for name, field in fields}.values())


def _block(text: str, indent: int) -> str:
    return "".join(" " * indent + line + "\n" for line in text.splitlines())


@pytest.mark.skipif(not sketches(), reason="the sketches of the language are not beside this folder")
@pytest.mark.parametrize("path", sketches(), ids=lambda path: path.name)
def test_sketch_is_well_formed(path) -> None:
    assert found_in(path.read_text("utf-8")) == []


@pytest.mark.parametrize("section", REGISTRY.root.fields, ids=lambda field: field.name)
def test_example_of_section(section: Field) -> None:
    assert found_in(f"{section.name}:\n{_block(section.example, 2)}") == []


@pytest.mark.parametrize("form", STEP.forms, ids=lambda form: form.tag)
def test_example_of_verb(form: Form) -> None:
    assert found_in(f"setup:\n{_block(form.example, 2)}") == []
    assert re.search(rf"^ *- {form.tag}:", form.example, re.MULTILINE)


def test_examples_of_sections_make_a_whole_game() -> None:
    game = [field for field in REGISTRY.root.fields if field.name != "variant"]
    tree = tree_of("".join(f"{section.name}:\n{_block(section.example, 2)}" for section in game))
    problems = Problems()
    validate_file(tree, problems, variant=False)
    validate_whole(tree, problems)
    assert problems.items == ()


#: Where a value of each record may stand, to try the examples of its fields there.
PLACES = {
    "file": "{}",
    "game": "game: {}",
    "option": "game: {{options: {{fast: {}}}}}",
    "value": "values: {{figure: {}}}",
    "enum": "enums: {{level: {}}}",
    "enum_value": "enums: {{level: {{values: {{low: {}}}}}}}",
    "group": "boards: {{land: {}}}",
    "kind": "boards: {{land: {{cell: {}}}}}",
    "draw": "boards: {{land: {{cell: {{for: {{col: 0..4}}, draw: {}}}}}}}",
    "picture": "pieces: {{card: {{draw: {}}}}}",
    "site_row": "boards: {{land: {{cell: {{rows: {{north: {}}}}}}}}}",
    "relation": "relations: {{cell.beside: {}}}",
    "piece": "pieces: {{card: {}}}",
    "piece_row": "pieces: {{card: {{rows: [{}]}}}}",
    "zone": "zones: {{deck: {}}}",
    "state": "state: {{round: {}}}",
    "track": "tracks: {{player.climb: {}}}",
    "attribute": "boards: {{land: {{cell: {{for: {{col: 0..4}}, attributes: {{rim: {}}}}}}}}}",
    "source": "functions: {{f: {{type: boolean, is: true, source: {}}}}}",
    "function": "functions: {{f: {}}}",
    "effect": "effects: {{e: {}}}",
    "action": "actions: {{a: {}}}",
    "trigger": "triggers: {{t: {}}}",
    "when": "triggers: {{t: {{do: [], when: {}}}}}",
    "rank": "ranking: [{}]",
    "repetition": "repetition: {}",
    "hints": "hints: {}",
    "message": "messages: {{m: {}}}",
    "term": "terms: {{token: {}}}",
    "term_form": "terms: {{token: {{en: {{also: [{}]}}}}}}",
    "term_forms": "terms: {{token: {{en: {}}}}}",
    "rule": "rules: {{r: {}}}",
    "book": "book: {}",
    "part": "book: {{parts: [{}]}}",
    "show": "book: {{parts: [{{title: {{en: Bridges}}, shows: [{}]}}]}}",
    "column": "book: {{parts: [{{title: {{en: Bridges}}, shows: [{{by_players: [{}]}}]}}]}}",
    "untold": "book: {{without_rule: [{}]}}",
    "rulebook": "rulebooks: {{rulebook: {}}}",
    "suppression": "messages: {{m: {{suppress: [{}]}}}}",
    "scenario": "scenarios: {{s: {}}}",
    "move": "scenarios: {{s: {{then: [], play: [{}]}}}}",
    "refusal": "scenarios: {{s: {{then: [], play: [{{refused: {}}}]}}}}",
    "secret": "scenarios: {{s: {{then: [], play: [{{secret: {}}}]}}}}",
    "check": "checks: [{}]",
    "variant": "variant: {}",
    "pack": "pack: {}",
    "change": "variant: {{changes: [{}]}}",
    "step": "setup: [{}]",
    "choice": "setup: [{{choose: {{card: {}}}}}]",
}


def test_every_record_has_a_place() -> None:
    assert set(PLACES) == {record.name for record in REGISTRY.records}


def _entry(record: Record, field: Field) -> dict[str, str]:
    """The keys of a smallest good entry that has this field, with their examples."""
    form = next((form for form in record.forms if field in form.fields), record.forms[0] if record.forms else None)
    fields = [*record.fields, *(form.fields if form else ())]
    return {each.name: each.example for each in fields if each.required} | {field.name: field.example}


def _written(value: str) -> str:
    """A value inside braces: YAML would end longer expressions there, so they stand in quotes."""
    if value[0] in "{[\"'" or not re.search(r"[\[\]{},#]|: ", value):
        return value
    return f'"{value}"'


@pytest.mark.parametrize(("name", "field"), _fields(), ids=lambda item: getattr(item, "name", item))
def test_example_of_field(name: str, field: Field) -> None:
    if name == "file":
        return  # the sections' examples are tried above
    entry = _entry(REGISTRY.record(name), field)
    text = "{" + ", ".join(f"{key}: {_written(value)}" for key, value in entry.items()) + "}"
    assert found_in(PLACES[name].format(text) + "\n") == []


def _leaves(shape: Shape | None) -> list[Shape]:
    match shape:
        case None:
            return []
        case ListOf():
            return _leaves(shape.item)
        case MapOf():
            return _leaves(shape.value)
        case ByNode():
            return [leaf for form in (shape.scalar, shape.sequence, shape.mapping) for leaf in _leaves(form)]
        case _:
            return [shape]


def test_records_and_scopes_that_shapes_name_are_there() -> None:
    records = {record.name for record in REGISTRY.records}
    scopes = {name for name, _ in REGISTRY.scopes}
    for name, field in _fields():
        for leaf in _leaves(field.shape):
            if isinstance(leaf, Use):
                assert leaf.record in records, (name, field.name)
            if isinstance(leaf, Expression):
                assert leaf.scope in scopes, (name, field.name)


def test_meanings_are_sentences() -> None:
    for name, field in _fields():
        assert re.fullmatch(r"[A-Z`].*[.!]", field.meaning, re.DOTALL), (name, field.name, field.meaning)


def test_keys_of_a_record_stand_once() -> None:
    """A field that several forms share is told apart by its form, never twice in one."""
    for record in REGISTRY.records:
        for form in record.forms or (None,):
            names = [field.name for field in (*record.fields, *(form.fields if form else ()))]
            assert len(names) == len(set(names)), record.name


def test_a_verb_is_never_a_field_of_another_verb() -> None:
    """Else a step's verb could not be told from its fields."""
    fields = {field.name for form in STEP.forms for field in (*form.fields[1:], *STEP.fields)}
    assert fields & set(VERBS) == set()


def test_all_verbs_and_sections_of_the_design() -> None:
    assert sorted(VERBS) == sorted(
        "choose for_each repeat if let require perform may try together as turns move draw refill shuffle flip roll"
        " look eliminate gain pay set advance score emit record finish".split()
    )
    assert set(SECTIONS) >= set(
        "values enums boards relations pieces zones state tracks functions effects actions events triggers setup flow"
        " end ranking messages terms rules scenarios checks always variant".split()
    )


def _grammar() -> str:
    path = files("rulespec.expr").joinpath("expr.lark")
    return path.read_text("utf-8") if path.is_file() else (SKETCHES / "expr.lark").read_text("utf-8")


def test_words_of_the_grammar_are_the_reserved_ones() -> None:
    """Words stand in the grammar as `NAME: /(count|any)\\b/`."""
    found = {
        word
        for group in re.findall(r"^_?[A-Z_]+(?:\.\d+)?: /\(?([a-z|]+)\)?\\b/", _grammar(), re.MULTILINE)
        for word in group.split("|")
    }
    assert found == GRAMMAR_WORDS


def test_operators_name_words_of_the_grammar() -> None:
    named = {word for operator in REGISTRY.operators for word in operator.name.split() if word.isalpha()}
    told = " ".join(entry.form for entry in (*REGISTRY.operators, *REGISTRY.builtins, *REGISTRY.types))
    assert named - {"f", "m", "x", "a", "b"} <= GRAMMAR_WORDS
    assert {word for word in GRAMMAR_WORDS if not re.search(rf"\b{word}\b", told)} == {"false"}


def test_page_tells_of_everything() -> None:
    page = language_page()
    assert generated()["docs/reference/language.md"] == page
    for section in SECTIONS:
        assert f"\n### {section}\n" in page
    for _, field in _fields():
        assert field.name in {*SECTIONS, "about", "source"} or f"| `{field.name}` |" in page


def test_links_of_the_page_lead_somewhere() -> None:
    page = language_page()
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    anchors |= set(re.findall(r'<a id="([^"]+)">', page))
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= anchors


def test_steps_shape_is_the_same_everywhere() -> None:
    assert {field.name for field in STEP.all_fields() if field.shape == STEPS} >= {"do", "then", "else", "try", "may"}
