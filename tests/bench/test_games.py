"""Whole games made by chance: how they are made, and a few examined. Longer: `python -m bench.games`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.games.coverage import NEVER, Coverage, all_forms, all_rows, rows_of_tree, why_never
from bench.games.files import laid_out, languages_of, variants_of
from bench.games.make import as_yaml, make_game
from bench.games.mend import without
from bench.games.play import Wrong, examine
from bench.games.remembered import remembered
from bench.games.run import Fault, run
from bench.games.shrink import shrunk
from bench.games.ways import NEVER_WRITTEN, all_ways, ways_of, why_never_written
from interpreter.by_reference import ByReference
from rulespec.check import check_game
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game
from rulespec.source.nodes import Mapping, read_yaml
from rulespec.source.text import SourceFile


def problems_of(text: str, folder: Path) -> Problems:
    folder.mkdir(exist_ok=True)
    (folder / "made.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert source is not None
    check_game(source, [], problems)
    return problems


def test_a_seed_makes_the_same_game_again() -> None:
    assert as_yaml(make_game(5)) == as_yaml(make_game(5))
    assert as_yaml(make_game(5)) != as_yaml(make_game(6))


def test_a_game_is_the_same_when_it_was_written_and_read() -> None:
    for seed in range(10):
        assert yaml.safe_load(as_yaml(make_game(seed))) == make_game(seed)


def faults_of(faults: dict[tuple[str, str], Fault]) -> list[str]:
    return [f"seed {fault.seed}: {fault.kind} in {fault.where}: {fault.says}" for fault in faults.values()]


@pytest.mark.parametrize("count", [2, pytest.param(10, marks=pytest.mark.long)])
def test_some_games_go_well(count: int, tmp_path: Path) -> None:
    outcome = run(seed=1000, count=count, out=tmp_path)
    assert faults_of(outcome.faults) == []
    assert outcome.made == count
    assert outcome.examined >= count // 2
    assert outcome.decisions > count


def test_rows_and_forms_are_those_that_there_are() -> None:
    assert {"step.choose", "operator reach", "member top", "type or none", "zone.renew"} <= all_rows()
    assert {"ask", "if_any", "Comprehend", "ZoneRead"} <= all_forms()


def test_nearly_every_row_is_made_and_all_others_have_their_reason() -> None:
    """70 games with their variants and packs hold every row; each reason is of rows that there are."""
    met = set[str]().union(*(rows_of_tree(make_game(seed)) for seed in range(70)))
    assert sorted(row for row in all_rows() - met if not why_never(row)) == []
    assert all(any(row.startswith(beginning) for row in all_rows() - met) for beginning in NEVER)


def test_nearly_every_way_of_writing_is_made_and_all_others_have_their_reason() -> None:
    """100 games: each closed word and each form of writing that the registry allows."""
    met = set[str]().union(*(rows_of_tree(make_game(seed)) for seed in range(100)))
    assert sorted(way for way in all_ways() - met if not why_never_written(way)) == []
    assert all(any(way.startswith(beginning) for way in all_ways() - met) for beginning in NEVER_WRITTEN)


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("zones: {a: {shape: slot, holds: b}}", ["zone.shape: slot"]),
        ("enums: {a: [b, c]}", ["file.enums as a list"]),
        (
            "enums: {a: {values: [b], attributes: {n: {type: 0..3}}}}",
            ["enum.attributes as a map", "enum.values as a list", "file.enums as a map"],
        ),
        ("flow: [{for_each: m, in: a, optional: true, do: []}]", ["step.optional: true"]),
        ("values: {n: 1, m: {type: integer, is: n + 1}}", ["file.values as a map", "file.values as a value"]),
        (
            "always: [sum(a * 2 for a in 0..3 where a < 1) > 0]",
            [
                "file.always as a value",
                *(f"operator {each} in operator sum" for each in ("*", "..", "<")),
                "operator sum in operator <",
            ],
        ),
    ],
)
def test_ways_are_those_that_are_written(text: str, ways: list[str]) -> None:
    tree = read_yaml(SourceFile.of("a.yaml", text), Problems())
    assert isinstance(tree, Mapping)
    assert sorted(ways_of([tree])) == ways
    assert {way for way in ways if "operator" not in way} <= all_ways()


def test_what_is_remembered_changes_nothing_that_is_seen(tmp_path: Path) -> None:
    """A game with options, and one that `check` refuses: everything is made anew, or once."""
    text = as_yaml(make_game(next(seed for seed in range(50) if "options" in make_game(seed)["game"])))
    for each in (text, as_yaml({**_small(), "values": {"a": "1 +"}})):
        anew = examine(each, tmp_path, 3)
        with remembered():
            once = examine(each, tmp_path, 3)
        assert [str(p.message) for p in anew.refused] == [str(p.message) for p in once.refused]
        assert (anew.decisions, anew.faults, anew.forms) == (once.decisions, once.faults, once.forms)


def test_variants_and_packs_lie_where_they_are_found(tmp_path: Path) -> None:
    """A game with two variants and German texts: all three belong to it, and the pack only while it is laid out."""
    variants = {
        f"{name}.yaml": {"variant": {"id": name, "title": {"en": name}, "changes": []}} for name in ("windy", "calm")
    }
    pack = {"pack": {"game": "made"}, "game": {"title": {"de": "Gemacht"}}}
    tree = {**_small(), "files": {**variants, "made.de.yaml": pack}}
    assert (variants_of(tree), languages_of(tree)) == (["windy", "calm"], ["en", "de"])
    with laid_out(as_yaml(tree), tmp_path) as home:
        source = read_game(str(home), Problems())
        assert source is not None
        assert (set(source.variants), len(source.trees)) == ({"windy", "calm"}, 2)
    source = read_game(str(home), Problems())
    assert source is not None
    assert len(source.trees) == 1


def test_an_error_in_a_variant_is_taken_out_of_its_file(tmp_path: Path) -> None:
    changes = [{"set": "values.a", "to": 2}, {"set": "values.nosuch", "to": 1}]
    windy = {"variant": {"id": "windy", "title": {"en": "W"}, "changes": changes}}
    tree = {**_small(), "values": {"a": 1}, "files": {"windy.yaml": windy}}
    problems = examine(as_yaml(tree), tmp_path, 1).refused
    assert [problem.code for problem in problems] == ["RS403"]
    mended = without(tree, problems)
    assert mended is not None
    assert mended["files"]["windy.yaml"]["variant"]["changes"] == changes[:1]


def test_what_was_met_is_kept_and_what_adds_to_it_is_worth_more(tmp_path: Path) -> None:
    coverage, path = Coverage(), tmp_path / "coverage.json"
    assert Coverage.read(path) == coverage
    coverage.add({"step.choose", "step.from", "choose in may"}, {"ask"})
    coverage.add({"step.choose", "zone.renew"}, {"ask"})
    coverage.write(path)
    again = Coverage.read(path)
    assert again == coverage
    assert again.rows["step.choose"] == 2
    assert again.pairs == {("step.choose", "step.from"), ("step.choose", "zone.renew")}
    assert again.worth({"step.choose", "step.from"}) == 0
    assert again.worth({"step.from", "zone.renew"}) == 1  # both were met, but not in one game
    assert again.worth({"step.choose", "step.where"}) == 101  # a row, and a pair with it
    assert again.worth({"step.choose", "pay in may"}) == 100
    assert again.worth({"step.choose", "choose in pay"}) == 0  # a payment holds no steps


# ---- what goes wrong -------------------------------------------------------------------------------------------------


def test_what_is_refused_is_taken_out_and_nothing_else(tmp_path: Path) -> None:
    """The second step speaks of nothing that there is, and a function is of another type than it says."""
    tree = _small()
    tree["flow"].insert(1, {"set": "nosuch", "to": 1})
    tree["functions"] = {"bad": {"type": "integer", "is": "true"}}
    problems = problems_of(as_yaml(tree), tmp_path / "a")
    assert problems.has_errors
    mended = without(tree, problems.errors)
    assert mended == {**_small(), "functions": {}}


def _small() -> dict[str, Any]:
    game = {"id": "made", "language": 1, "title": {"en": "Made"}, "players": 2, "seats": ["red", "green"]}
    steps = [{"score": "1", "for": "red", "reason": "a"}, {"score": "2", "for": "green", "reason": "b"}]
    return {"game": game, "flow": steps, "ranking": [{"most": "player.score"}]}


def test_what_is_not_needed_goes() -> None:
    """Wrong is what gives red points by a sum: of two steps and all else that the game has, one step is left."""
    tree = {**_small(), "values": {"a": 1, "b": 2}, "setup": [{"repeat": [], "times": 2}]}
    tree["flow"][0]["score"] = "max(1, 1 + 2)"

    def still(smaller: dict[str, Any]) -> dict[str, Any] | None:
        steps = smaller.get("flow")
        wrong = isinstance(steps, list) and any(
            "+" in str(step.get("score")) for step in steps if isinstance(step, dict)
        )
        return smaller if wrong else None

    assert shrunk(tree, still) == {"flow": [{"score": "1 + 2"}]}


def test_executors_that_differ_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference gives one point more than it should."""
    run_plainly = ByReference.run

    def run_wrongly(self: ByReference, c: list[Any], pc: int, sink: Any = None, **more: Any) -> Any:
        found = run_plainly(self, c, pc, sink, **more)
        c[self.facts.layout.regions["player.score"]] += 1
        return found

    monkeypatch.setattr(ByReference, "run", run_wrongly)
    with pytest.raises(Wrong, match=r"executors: the states: player\.score"):
        examine(as_yaml(_small()), tmp_path, 1)


@pytest.mark.long
def test_a_difference_is_cut_down_to_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference gives a point too many where a program draws: of a game and its variant, the draw is left."""
    run_plainly = ByReference.run

    def run_wrongly(self: ByReference, c: list[Any], pc: int, sink: Any = None, **more: Any) -> Any:
        found = run_plainly(self, c, pc, sink, **more)
        if any(instr.op == "draw" for instr in self.instrs):
            c[self.facts.layout.regions["player.score"]] += 1
        return found

    monkeypatch.setattr(ByReference, "run", run_wrongly)
    small = _small()
    steps = [*small["flow"], {"repeat": [{"draw": "1 + 1", "from": "deck", "to": "open"}], "times": 2}]
    tree = {
        **small, "flow": steps, "values": {"a": 1, "b": 2}, "state": {"n": {"type": "0..9", "start": 3}},
        "pieces": {"card": {"count": 6}}, "setup": [{"shuffle": "deck"}], "checks": ["a + b == 3"],
        "zones": {
            "deck": {"shape": "stack", "holds": "card", "start": True}, "open": {"shape": "pool", "holds": "card"},
        },
        "files": {"windy.yaml": {"variant": {"id": "windy", "title": {"en": "W"}, "changes": []}}},
    }  # fmt: skip

    def still(smaller: dict[str, Any]) -> dict[str, Any] | None:
        try:
            examine(as_yaml(smaller), tmp_path, 1)
        except Wrong as fault:
            return smaller if "executors" in str(fault) else None
        except Exception:  # what is cut out may be what the examination itself needs
            return None
        return None

    found = shrunk(tree, still, tries=250, seconds=60)
    assert not {"values", "state", "setup", "checks", "files"} & {name for name, part in found.items() if part}
    assert [list(step) for step in found["flow"]] == [["draw", "from", "to"]]
