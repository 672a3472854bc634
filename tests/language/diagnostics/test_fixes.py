"""Fixes of problems: each certain one of the catalogue's examples mends its problem and makes no other error."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.check import check_game
from rulespec.diagnostics.catalogue import all_entries, entry
from rulespec.diagnostics.fixes import Edit, Fix, applied, changed, edits_of, in_quotes
from rulespec.diagnostics.model import Problem, Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.game_source import read_game
from rulespec.kept.problems import as_data, from_data, from_texts, spans_of, with_texts
from rulespec.model.validate import validate_file
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile, Span
from tests.language.cases import load_cases
from tests.language.diagnostics import test_outputs
from tests.language.diagnostics.fragments import files_of, variants_of

CASES = load_cases(__file__, "fixes.yaml")
#: Their examples are comments, arguments of commands, logs, or stand beside files that are no content.
TOLD = {*test_outputs.TOLD, "RS266", "RS409", "RS437", "RS440", "RS441", "RS442", "RS634", "RS701", "RS720"}
CODES = [
    each.code
    for each in all_entries()
    if each.code not in TOLD and each.code < "RS800" and not "RS540" <= each.code < "RS600"
    if each.code < "RS300" or not each.fix.startswith("none")  # test_examples_checked.py looks at those
]


def alone(text: str, code: str) -> tuple[Problem, ...]:
    """What is wrong with one file by itself: as YAML with its expressions, or from RS250 on in its form."""
    if code < "RS250":
        return test_outputs.problems_of(text)
    problems = Problems()
    tree = read_yaml(SourceFile.of("example.yaml", text), problems)
    if tree is not None:
        validate_file(tree, problems, variant="variant" in tree)
    return problems.items


def whole(files: dict[str, str], example: str, folder: Path) -> tuple[Problem, ...]:
    """What `check` says of a game of these files."""
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    problems = Problems()
    source = read_game(str(folder), problems)
    if source is not None:
        check_game(source, variants_of(example), problems)
    return problems.items


def short(problem: Problem) -> tuple[str, str]:
    return problem.code, problem.message


def mended(files: dict[str, str], problems: tuple[Problem, ...], code: str) -> dict[str, str] | None:
    """The files after the certain fixes of one code; None where there is none."""
    fixes = [fix for each in problems if each.code == code and (fix := each.certain)]
    place = "" if code < "RS300" else "example/"
    texts = {f"{place}{name}": text for name, text in files.items()}
    return {k.removeprefix(place): v for k, v in applied(texts, edits_of(fixes)).items()} if fixes else None


@pytest.mark.parametrize("code", CODES)
def test_a_certain_fix_mends_its_problem(code: str, tmp_path: Path) -> None:
    """Of the whole game, or of its one file where its form is wrong: whatever is wrong behind that is not told then."""
    files = {"example.yaml": entry(code).bad} if code < "RS300" else files_of(entry(code).bad)

    def found(texts: dict[str, str], folder: str) -> tuple[Problem, ...]:
        if code < "RS300":
            return alone(texts["example.yaml"], code)
        return whole(texts, entry(code).bad, tmp_path / folder / "example")

    before = found(files, "before")
    fixes = [fix for each in before if each.code == code for fix in each.fixes]
    declared = entry(code).fix.partition(" ")[0].rstrip(":")
    assert declared == "certain" or not any(fix.is_certain for fix in fixes)
    assert declared != "none" or not fixes
    new = mended(files, before, code)
    if new is not None:
        after = found(new, "after")
        gone = {short(each) for each in before if each.code == code and each.certain}
        assert not gone & {short(each) for each in after}
        errors = {short(each) for each in before if each.severity == "error"}
        assert [short(each) for each in after if each.severity == "error" and short(each) not in errors] == []


def test_most_codes_with_a_certain_fix_show_it_in_their_example(tmp_path: Path) -> None:
    """So that the test above looks at something."""
    shown = 0
    for code in CODES:
        if code < "RS300" and entry(code).fix.startswith("certain"):
            shown += any(each.certain for each in alone(entry(code).bad, code) if each.code == code)
    assert shown >= 30


# ---- fixes by themselves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_what_a_fix_makes(name: str, tmp_path: Path) -> None:
    """`files` (or one `text`) with a problem; `title` is one of its fixes, `after` is what that makes."""
    case = CASES[name]
    files = case.get("files") or files_of(case["text"])
    found = whole(files, "".join(files.values()), tmp_path / "example")
    fixes = [fix for each in found if each.code == case["code"] for fix in each.fixes if fix.title == case["title"]]
    assert fixes, [(each.code, each.message, [fix.title for fix in each.fixes]) for each in found]
    assert all(fix.is_certain == case.get("certain", True) for fix in fixes)
    texts = {f"example/{name}": text for name, text in files.items()}
    after = applied(texts, edits_of(fixes))
    expected = case["after"] if isinstance(case["after"], dict) else {"example.yaml": case["after"]}
    assert {name: after[f"example/{name}"] for name in expected} == expected
    assert all(after[name] == text for name, text in texts.items() if name.removeprefix("example/") not in expected)


@pytest.mark.parametrize("section", ["values:\n  rounds: 3\n", "{values: {rounds: 3}}\n", "values: {rounds: 3}"])
def test_no_file_is_made_empty(section: str, tmp_path: Path) -> None:
    game = """\
game: {id: example, language: 1, title: {en: "Example"}, players: 2, seats: [red, blue]}
flow: [{score: 1, reason: x}]
messages: {player.red: {en: "Red"}, player.blue: {en: "Blue"}, score.x: {en: "X"}}
"""
    found = whole({"game.yaml": game, "values.yaml": f"# figures\n\n{section}"}, game, tmp_path / "example")
    assert [(each.code, each.fixes) for each in found] == [("RS631", ())]


FILE = SourceFile.of("a.yaml", "hands: 'coinz'\n")


def test_quotes_around_a_name_stay() -> None:
    fix = changed(Span(FILE, 7, 14), "coins")
    assert applied({"a.yaml": FILE.text}, fix.edits) == {"a.yaml": "hands: 'coins'\n"}


def test_a_text_with_quotes_in_it_is_quoted_otherwise() -> None:
    file = SourceFile.of("a.yaml", 'x: say "it\'s": now')
    assert in_quotes(Span(file, 3, len(file.text))).edits[0].text == "'say \"it''s\": now'"


def test_blanks_in_a_text_that_is_quoted_stay() -> None:
    file = SourceFile.of("a.yaml", "x: say:  so\n   and  so")
    assert in_quotes(Span(file, 3, len(file.text))).edits[0].text == '"say:  so and  so"'


def test_only_one_of_two_edits_at_a_place_is_made() -> None:
    one, two = changed(Span(FILE, 7, 14), "coins"), changed(Span(FILE, 7, 14), "coin")
    assert [edit.text for edit in edits_of([one, two])] == ["coins"]


def test_edits_of_one_fix_belong_together() -> None:
    """The second fix touches what the first one changes, so that none of its edits is made."""
    first = Fix("", (Edit(Span(FILE, 0, 5), "cards"),))
    both = Fix("", (Edit(Span(FILE, 3, 4), "x"), Edit(Span(FILE, 8, 13), "coins")))
    assert edits_of([first, both]) == first.edits


def test_entries_put_in_at_one_place_stand_in_their_order() -> None:
    end = Span(FILE, 14, 14)
    fixes = [Fix("", (Edit(end, f"\n{name}: 1"),)) for name in ("a", "b", "a")]
    assert applied({"a.yaml": FILE.text}, edits_of(fixes))["a.yaml"] == "hands: 'coinz'\na: 1\nb: 1\n"


def test_a_name_as_near_as_another_one_is_not_certain() -> None:
    near = near_to("cost", ["most", "cast"])
    assert near is not None
    assert not near.is_certain
    sole = near_to("hand_sise", ["hand_size", "rounds"])
    assert sole is not None
    assert sole.is_certain


def test_a_name_in_an_option_is_changed_alone() -> None:
    file = SourceFile.of("a.yaml", "- red: wiat site[3]")
    near = near_to("wiat", ["wait"])
    assert near is not None
    [fix] = near.fixes(Span(file, 7, 19))
    assert applied({"a.yaml": file.text}, fix.edits)["a.yaml"] == "- red: wait site[3]"


# ---- fixes that are kept ------------------------------------------------------------------------------------------


def test_fixes_are_kept_with_their_problems() -> None:
    problems = Problems()
    problems.add("RS301", Span(FILE, 8, 13), name="coinz", near=near_to("coinz", ["coins"]))
    [problem] = problems.items
    assert problem.certain is not None
    assert from_data(as_data([problem]), {"a.yaml": FILE}.__getitem__) == [problem]
    assert from_texts(with_texts([problem])) == [problem]
    assert Span(FILE, 8, 13) in list(spans_of(problem))
