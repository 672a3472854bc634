"""Where values come from: chains of origins, sources, changed rule texts, and what options switch on."""

from __future__ import annotations

from rulespec.diagnostics.model import Problems
from rulespec.overlay.options import check_switches, switched_on
from rulespec.overlay.origins import origins
from rulespec.overlay.paths import Lost
from rulespec.overlay.rule_texts import TextChange, changed_texts, fill
from rulespec.overlay.sources import sources
from rulespec.source.tree import Scalar
from tests.language.overlays.overlay_cases import Case, run, tree

TEXT = """\
# file: game.yaml
values: {cost: 1, gone: 5}
actions: {settle: {do: [{score: 1}]}}
# file: a.yaml
variant:
  id: a
  title: {en: "A"}
  changes:
    - set: values.cost
      to: 2
    - remove: values.gone
    - wrap: actions.settle.do
      after: [{score: 2}]
values: {more: 7}
# file: b.yaml
variant:
  id: b
  title: {en: "B"}
  after: [a]
  changes:
    - set: values.cost
      to: 3
    - set: values.more
      to: 8
"""


def _chain(case: Case, path: str) -> list[tuple[str, str | None, str]]:
    chain = origins(case.base, case.applied, path)
    assert not isinstance(chain, Lost)
    return [(each.verb, each.variant, f"{each.span.file.name}:{each.span.line}") for each in chain]


def test_a_chain_goes_from_the_game_through_the_variants() -> None:
    assert _chain(run(TEXT), "values.cost") == [
        ("declared", None, "game.yaml:1"),
        ("set", "a", "a.yaml:5"),
        ("set", "b", "b.yaml:6"),
    ]


def test_what_was_removed_has_a_chain() -> None:
    assert _chain(run(TEXT), "values.gone") == [("declared", None, "game.yaml:1"), ("removed", "a", "a.yaml:7")]


def test_what_was_added_has_a_chain() -> None:
    assert _chain(run(TEXT), "values.more") == [("added", "a", "a.yaml:10"), ("set", "b", "b.yaml:8")]


def test_a_link_tells_what_stood_there_then() -> None:
    chain = origins(run(TEXT).base, run(TEXT).applied, "values.more")
    assert not isinstance(chain, Lost)
    assert [each.value.text for each in chain if isinstance(each.value, Scalar)] == ["7", "8"]


def test_changes_inside_and_around_are_links() -> None:
    inside = [("declared", None, "game.yaml:2"), ("wrapped", "a", "a.yaml:8")]
    assert _chain(run(TEXT), "actions.settle") == inside
    assert _chain(run(TEXT), "actions.settle.do[score 1]") == inside


def test_a_wrong_path_has_no_chain() -> None:
    case = run(TEXT)
    assert isinstance(origins(case.base, case.applied, "values.costs"), Lost)


def test_sources_and_their_grades() -> None:
    found = sources(
        tree("""\
values:
  a: {is: 1, source: {book: rulebook, place: costs}}
  b: {is: 2, source: [{public: an interview}, {reconstructed: the total is known}]}
effects:
  settle:
    params: {source: integer}
    do: []
    source: in the author's own words
pieces:
  card: {rows: [{source: {inferred: half of it}, cost: 3}, {cost: 4, source: {variant: v}}]}
""")
    )
    assert [(each.path, each.grade, each.reason) for each in found] == [
        ("values.a", "rulebook", "rulebook, costs"),
        ("values.b", "public", "an interview"),
        ("values.b", "reconstructed", "the total is known"),
        ("effects.settle", "stated", "in the author's own words"),
        ("pieces.card.rows[cost=3]", "inferred", "half of it"),
        ("pieces.card.rows[cost=4]", "variant", "v"),
    ]


FIGURES = tree("""\
values: {cost: 4, dear: cost, each: {is: {2: 6, 3: dear}}, steps: [0, 1, 3], sum: cost + 1, a: b, b: a}
enums: {kind: {values: {hill: {points: cost}}}}
""")


def test_figures_are_filled_in() -> None:
    text = "{cost} {dear} {each[2]} {each[3]} {steps[2]} {kind.hill.points}"
    assert fill(FIGURES, text) == "4 4 6 4 3 4"


def test_what_has_no_figure_stays() -> None:
    text = "{sum} {a} {nothing} {kind.lake.points} {each[7]} {steps[3]} {cost + 1} {each}"
    assert fill(FIGURES, text) == text


def test_changed_texts() -> None:
    base = tree("""\
values: {cost: 1, hand: 5}
rules:
  costs: {text: {en: "It costs {cost}.", fr: "Cela coûte {cost}."}}
  hands: {text: {en: {one: "{hand} card", other: "{hand} cards"}}}
  old: {text: {en: "Old."}}
""")
    now = tree("""\
values: {cost: 2, hand: 5}
rules:
  costs: {text: {en: "It costs {cost}.", fr: "Le prix est {cost}."}}
  hands: {text: {en: {one: "{hand} card", other: "{hand} cards or more"}}}
  new: {text: {en: "New."}}
""")
    assert list(changed_texts(base, now)) == [
        TextChange("costs", "en", "", "It costs 1.", "It costs 2."),
        TextChange("costs", "fr", "", "Cela coûte 1.", "Le prix est 2."),
        TextChange("hands", "en", "other", "5 cards", "5 cards or more"),
        TextChange("old", "en", "", "Old.", None),
        TextChange("new", "en", "", None, "New."),
    ]


OPTIONS = tree("""\
game:
  options:
    weather: {type: weather or none, start: none, switches: {wet: floods, dry: [droughts, dust]}}
    boats: {type: boolean, start: true, switches: {"true": boats}}
    hands: {type: 1..3, start: 1, switches: {3: big_hands}}
""")


def test_options_switch_variants_on() -> None:
    assert switched_on(OPTIONS, {}) == ("boats",)
    assert switched_on(OPTIONS, {"weather": "dry", "boats": False, "hands": 3}) == ("big_hands", "droughts", "dust")
    assert switched_on(OPTIONS, {"weather": "wet", "hands": "2"}) == ("boats", "floods")


def test_an_option_cannot_switch_on_what_there_is_not() -> None:
    case = run("""\
# file: game.yaml
values: {cost: 1}
# file: v.yaml
variant: {id: floods, title: {en: "Floods"}}
""")
    problems = Problems()
    known = {variant.id: variant for variant in case.applied.variants}
    check_switches(tree("game: {options: {wet: {switches: {a: flood, b: floods}}}}"), known, problems)
    [problem] = problems.items
    assert (problem.code, problem.span.text, problem.hint) == ("RS423", "flood", "Did you mean `floods`?")
