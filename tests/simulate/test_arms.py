"""Several variants beside each other: what each arm is played with, and that nothing that was typed is dropped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.arms import MOST_ARMS, arms_of
from interpreter.cli.common import UsageError
from interpreter.cli.main import main
from interpreter.report import page
from interpreter.simulate.compare import Pairs
from tests.simulate.runs import Arm, plan, results


@pytest.fixture
def goals(tmp_path: Path) -> dict[int, str]:
    """Variants of four in a row that want another number in a row: two of them write the same value."""
    found = {}
    for goal in (3, 6):
        path = tmp_path / f"goal_{goal}.yaml"
        change = f"changes: [{{set: values.goal_length, to: {goal}}}]"
        path.write_text(f'variant:\n  id: goal_{goal}\n  title: {{en: "{goal}"}}\n  {change}\n', "utf-8")
        found[goal] = str(path)
    return found


def _json(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    assert main(["simulate", "connect_four", "--jobs", "1", "--format", "json", *words]) == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def _decisions(arm: dict[str, Any]) -> dict[str, Any]:
    [found] = [each for each in arm["compared"]["differences"] if each["name"] == "decisions"]
    return dict(found)


def test_every_arm_is_played(capsys: pytest.CaptureFixture[str], goals: dict[int, str]) -> None:
    """With three in a row games are shorter than with four, with six they are longer; each beside the first arm."""
    found = _json(capsys, "--games", "20", "--against", goals[3], "--against", goals[6])
    assert found["variants"] == []
    assert [arm["variants"] for arm in found["arms"]] == [[goals[3]], [goals[6]]]
    shorter, longer = map(_decisions, found["arms"])
    assert shorter["before"] == longer["before"] == pytest.approx(found["length"]["mean"])
    assert shorter["after"] < shorter["before"] < longer["after"]
    assert [arm["games"] for arm in found["arms"]] == [20, 20]


def test_what_scripts_read_of_two_arms_stays(capsys: pytest.CaptureFixture[str], goals: dict[int, str]) -> None:
    found = _json(capsys, "--games", "5", "--against", goals[3])
    [arm] = found["arms"]
    assert found["compared"] == arm["compared"]
    assert found["against"] == arm


def test_two_rivals_beside_each_other(capsys: pytest.CaptureFixture[str], goals: dict[int, str]) -> None:
    """Both write one value: as arms they do not meet. In one arm they do, and neither comes last."""
    found = _json(capsys, "--games", "20", "--variant", goals[3], "--against", goals[6])
    assert found["variants"] == [goals[3]]
    assert found["against"]["variants"] == [goals[6]]
    change = _decisions(found)
    assert change["before"] < 20  # five decisions at the least
    assert change["after"] > 30  # eleven at the least; 42 fill the board
    assert main(["simulate", "connect_four", "--against", f"{goals[3]},{goals[6]}"]) == 1
    assert "RS410" in capsys.readouterr().out


def test_expectations_are_held_against_each_arm(
    capsys: pytest.CaptureFixture[str], goals: dict[int, str], tmp_path: Path
) -> None:
    said = tmp_path / "said.txt"
    said.write_text("length at most 25 decisions\n", "utf-8")
    words = ("--games", "20", "--against", goals[3], "--against", goals[6], "--expect", str(said))
    found = _json(capsys, *words, status=1)
    verdicts = [(each["variants"], each["verdict"]) for each in found["expectations"]]
    assert verdicts == [([goals[3]], "holds"), ([goals[6]], "refuted")]


def test_the_report_has_every_arm(goals: dict[int, str]) -> None:
    of = plan("connect_four", 6, arms=(Arm(), Arm((goals[3],)), Arm((goals[6],))))
    shown = page(results(of))
    for name in ("as it is", f"with {goals[3]}", f"with {goals[6]}"):
        assert name in shown
    assert shown.count("6 pairs of games with the same seed") == 2


def test_more_comparisons_ask_for_more() -> None:
    """Of ten pairs eight differ by one. The chance of that is under 5 % by far, and over 5 % divided by a million."""
    pairs = Pairs()
    for game in range(10):
        for arm in range(2):
            more = float(arm and game < 8)
            pairs.add({
                "task": 0, "arm": arm, "game": game, "seed": 0, "players": [0, 1], "decisions": 10 + more, "turns": 1,
                "scores": [1, 0], "places": [1, 2], "points": {}, "actions": {},
            })  # fmt: skip
    assert [each.name for each in pairs.differences() if each.stands_out] == ["decisions"]
    assert not any(each.stands_out for each in pairs.differences(comparisons=1_000_000))


def test_arms_as_they_are_typed(tmp_path: Path) -> None:
    odd = tmp_path / "a,b.yaml"
    odd.write_text("", "utf-8")
    assert [arm.variants for arm in arms_of(["x"], ["y", "y, z", str(odd)])] == [
        ("x",), ("y",), ("y", "z"), (str(odd),),
    ]  # fmt: skip
    with pytest.raises(UsageError, match="names the variants"):
        arms_of([], [","])
    with pytest.raises(UsageError, match=f"at most {MOST_ARMS - 1} of them"):
        arms_of([], ["x"] * MOST_ARMS)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--variant", "five_in_a_row", "--against", "five_in_a_row"], "are the same game"),
        (["--against", "five_in_a_row", "--against", "five_in_a_row"], "are the same game"),
        (["--players", "6..3"], "takes numbers of players, such as 3, 3..5 or 2,4, and this is '6..3'"),
        (["--games", "many"], "takes a whole number, such as 3, and this is 'many'"),
        (["--seed", "1", "--seed", "2"], "argument --seed: stands twice: 1 and 2"),
        (["--seats", "greedy", "--seats", "random"], "argument --seats: stands twice: greedy and random"),
    ],
)
def test_what_is_typed_is_done_or_refused(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert main(["simulate", "connect_four", *words]) == 2
    assert said in capsys.readouterr().err
