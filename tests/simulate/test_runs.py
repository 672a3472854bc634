"""Runs of many games: the same for any number of processes, whatever happens to them on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from interpreter.simulate.journal import Journal, OtherRun
from interpreter.simulate.local import Pool, WorkerFault
from interpreter.simulate.order import WINDOW, Order
from interpreter.simulate.plan import Plan, plan_from_json
from interpreter.simulate.records import task_of, to_line
from interpreter.simulate.run import Progress
from tests.processes import PATIENCE, interruptible
from tests.simulate.runs import Arm, breaker, kept, plan, records


def test_a_plan_is_data() -> None:
    made = plan(detail="full", seed=5, arms=(Arm(), Arm()))
    assert plan_from_json(json.loads(json.dumps(made.to_json()))) == made


def test_players_take_each_seat_equally_often() -> None:
    made = plan("agora_barcelona", 9, ("greedy", "random", "mcts"))
    for seat in range(3):
        assert sorted(made.entrant(game, seat) for game in range(9)) == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_seeds_are_of_the_game_and_of_the_run() -> None:
    one, other = plan(games=500, seed=1), plan(games=500, seed=2)
    seeds = [made.seed_of(game) for made in (one, other) for game in range(500)]
    assert len(set(seeds)) == 1000
    assert all(0 <= seed < 2**64 for seed in seeds)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_any_number_of_processes_gives_the_same(jobs: int) -> None:
    made = plan(games=40, seats=("greedy", "random"))
    assert records(made, jobs=jobs) == records(made, jobs=1)


def test_records_come_in_order(tmp_path: Path) -> None:
    found = records(plan(games=50), tmp_path, jobs=3)
    assert [record["task"] for record in found] == list(range(50))


def test_both_arms_play_the_same_seeds() -> None:
    made = plan("connect_four", 6, arms=(Arm(), Arm()))
    found = records(made)
    for game in range(6):
        pair = [{k: v for k, v in r.items() if k not in ("task", "arm")} for r in found if r["game"] == game]
        assert len(pair) == 2
        assert pair[0] == pair[1]


# ---- processes that break --------------------------------------------------------------------------------------------


#: players with whom games are not all over before anybody can break in
THINKING = ("mcts:20", "greedy")


def _played(made: Plan, seen: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    order = Order(made, (), lambda line: found.append(json.loads(line)))
    pool = Pool(made, order, 2)
    pool.run(lambda: seen(pool, order))
    return found


@pytest.mark.long
def test_killed_processes_lose_no_game() -> None:
    made = plan("connect_four", 400, THINKING)
    killed: list[int] = []

    def kill(pool: Pool, order: Order) -> None:
        if len(killed) < 5 and order.finished > 20 * len(killed) and pool.workers:
            killed.append(pool.workers[0].pid)
            os.kill(killed[-1], signal.SIGKILL)

    found = _played(made, kill)
    assert len(killed) == 5
    assert found == records(made)


@pytest.mark.long
def test_a_game_that_breaks_its_process_is_told_and_left(tmp_path: Path) -> None:
    """One game in about four breaks whoever plays it; all others are finished."""
    name = breaker(tmp_path, 4)
    made = plan(games=24, seats=(name, name))
    broken = {game for game in range(24) if made.seed_of(game) % 4 == 0}
    assert 1 <= len(broken) <= 11
    found = records(made, jobs=2)
    assert {record["game"] for record in found if "unfinished" in record} == broken
    assert len(found) == 24


@pytest.mark.long
def test_processes_that_never_finish_anything_are_an_end(tmp_path: Path) -> None:
    name = breaker(tmp_path, 1)
    with pytest.raises(WorkerFault, match="again and again"):
        records(plan(games=100, seats=(name, name)), jobs=1)


def test_content_that_is_another_one_is_refused() -> None:
    made = plan(arms=(Arm(),))
    other = Plan(**{**{k: getattr(made, k) for k in made.__slots__}, "arms": (Arm((), "0" * 32),)})
    with pytest.raises(WorkerFault, match="is not the one"):
        _played(other, lambda pool, order: None)


# ---- stopping and going on -------------------------------------------------------------------------------------------


def _command(folder: Path, *words: str) -> list[str]:
    words = ("--seats", ",".join(THINKING), "--jobs", "2", "--out", str(folder), *words)
    return interruptible("simulate", "connect_four", "--games", "1200", *words)


@pytest.mark.long
def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(tmp_path: Path) -> None:
    process = subprocess.Popen(_command(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "games.jsonl"
    while not (journal.exists() and journal.stat().st_size > 4_000):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, fault = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    done = len(kept(tmp_path))
    assert 0 < done < 1200
    assert f"connect_four: {done:,} games" in out
    assert "go on with --resume" in fault
    assert (tmp_path / "games.parquet").is_file()

    again = subprocess.run(
        _command(tmp_path, "--resume"), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert again.returncode == 0
    assert "connect_four: 1,200 games" in again.stdout
    found = sorted(kept(tmp_path), key=lambda record: record["task"])
    assert found == records(plan("connect_four", 1200, THINKING), jobs=2)


def test_a_run_is_not_mixed_with_another(tmp_path: Path) -> None:
    records(plan(games=5), tmp_path)
    with pytest.raises(OtherRun, match="--resume"):
        records(plan(games=5), tmp_path)
    with pytest.raises(OtherRun, match="other seed"):
        records(plan(games=5, seed=1), tmp_path, resume=True)
    assert len(records(plan(games=8), tmp_path, resume=True)) == 8


def test_a_line_that_was_cut_is_played_again(tmp_path: Path) -> None:
    made = plan(games=6)
    whole = records(made, tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_text(path.read_text("utf-8")[:-20], "utf-8")
    assert len(kept(tmp_path)) == 5
    assert records(made, tmp_path, resume=True) == whole


@pytest.mark.parametrize("task", ["-1", "1.5", '"x"', "3000000000000", "null", "true"])
def test_a_line_that_is_no_record_is_passed_over(tmp_path: Path, task: str) -> None:
    made = plan(games=6)
    whole = records(made, tmp_path)
    with (tmp_path / "games.jsonl").open("ab") as file:
        file.write(b'null\n\xff\xfe\n{"task":' + task.encode() + b"}\n")
    assert records(made, tmp_path, resume=True) == whole


@pytest.mark.parametrize("text", ["{", "null", "5", "[]", '"plan"'])
def test_a_folder_whose_plan_cannot_be_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "plan.json").write_text(text, "utf-8")
    with pytest.raises(OtherRun, match="cannot be read"):
        Journal(tmp_path).begin(plan(), {}, resume=True)


def test_one_program_at_a_time_plays_into_a_folder(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.begin(plan(games=5), {}, resume=False)
        with pytest.raises(OtherRun, match="Another program"):
            records(plan(games=5), tmp_path, resume=True)
    assert len(records(plan(games=5), tmp_path, resume=True)) == 5


def test_a_folder_whose_run_was_killed_before_its_plan_was_written_is_free(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_bytes(b"")
    assert len(records(plan(games=3), tmp_path)) == 3


def test_a_game_in_which_a_bit_has_changed_is_played_again(tmp_path: Path) -> None:
    """Whatever it makes of the line: a figure may have become another figure."""
    made = plan(games=3)
    whole = records(made, tmp_path)
    path = tmp_path / "games.jsonl"
    data = path.read_bytes()
    last = data[:-1].rfind(b"\n") + 1
    for at in range(last, len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert kept(tmp_path) == whole[:2], data[last:at]
    assert records(made, tmp_path, resume=True) == whole


# ---- order and progress ----------------------------------------------------------------------------------------------


def test_only_a_window_of_games_is_open() -> None:
    made = plan(games=10 * WINDOW)
    order = Order(made, (), lambda line: None)
    given = []
    while (bounds := order.hand_out(100)) is not None:
        given.append(bounds)
    assert sum(behind - first for first, behind in given) == WINDOW
    order.come(0, "a line")
    assert order.hand_out(100) == (WINDOW, WINDOW + 1)


def test_lost_tasks_are_handed_out_again_and_in_time_left() -> None:
    kept_: list[str] = []
    order = Order(plan(games=6), (), kept_.append)
    assert order.hand_out(6) == (0, 6)
    order.come(0, "a line")
    order.lost(0, 6)
    assert order.hand_out(6) == (1, 6)
    order.lost(1, 6)
    assert order.hand_out(6) == (1, 2)  # task 1 by itself: another one of them may be what breaks processes
    order.lost(1, 2)  # the third time
    assert "unfinished" in kept_[-1]
    assert order.hand_out(3) == (2, 5)
    assert order.hand_out(3) == (5, 6)


@pytest.mark.parametrize(
    ("line", "task"),
    [
        ('{"task":40,"arm":0}', 40),
        ('{"task":40,"arm":0', None),
        ('{"task":x,"arm":0}', None),
        ("fault ", None),
        ("", None),
    ],
)
def test_the_task_of_a_line(line: str, task: int | None) -> None:
    assert task_of(line) == task
    assert task_of(to_line({"task": 7, "arm": 0})) == 7


def test_words_of_progress() -> None:
    assert Progress(0, 1000).told(250, 10.0) == "250 of 1,000 games, 25.0 a second, 30 s left"
    assert Progress(100, 1000).told(200, 100.0) == "200 of 1,000 games, 1.0 a second, 13 min 20 s left"
    assert Progress(0, 10).told(0, 0.0) == "0 of 10 games, 0.0 a second, … left"


@pytest.mark.long
def test_memory_does_not_grow_with_the_games(tmp_path: Path) -> None:
    """The process that counts, by its highest use of memory; a tenth more is left to chance."""
    code = (
        "import resource, sys\n"
        "from tests.simulate.runs import plan, results\n"
        "results(plan('connect_four', int(sys.argv[1])), jobs=1)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    used = [int(subprocess.check_output([sys.executable, "-c", code, str(n)])) for n in (1_000, 20_000)]
    assert used[1] < 1.1 * used[0]
