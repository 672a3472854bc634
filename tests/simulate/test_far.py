"""Playing on the workers of a real Dask scheduler, on this machine, whose workers are killed on the way."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter.simulate.local import WorkerFault
from interpreter.simulate.order import Order
from interpreter.simulate.plan import game_of
from interpreter.simulate.remote import Farm, NoDask
from interpreter.simulate.travel import packed
from rulespec.source.shipped import games
from tests.simulate.runs import Arm, breaker, plan, records

distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]  # what Dask warns of is not ours


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        made.adapt(minimum=2, maximum=2)  # a worker that does not come back by itself is replaced
        yield made


def _pids(cluster: Any) -> list[int]:
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid]


def test_workers_that_are_killed_lose_nothing(cluster: Any) -> None:
    made = plan("connect_four", 1500, ("mcts:20", "greedy"))  # not all over before anybody can break in
    found: list[dict[str, Any]] = []
    order = Order(made, (), lambda line: found.append(json.loads(line)))
    killed: list[int] = []

    def kill() -> None:
        if len(killed) < 3 and order.finished > 150 * len(killed):
            left = [pid for pid in _pids(cluster) if pid not in killed]
            if left:
                os.kill(left[0], signal.SIGKILL)
                killed.append(left[0])

    Farm(made, order, cluster.scheduler_address).run(kill)
    assert len(killed) == 3
    assert found == records(made, jobs=2)


def test_a_game_that_breaks_workers_is_told_and_left(cluster: Any, tmp_path: Path) -> None:
    name = breaker(tmp_path, 5)
    made = plan(games=6, seats=(name, name))
    broken = {game for game in range(6) if made.seed_of(game) % 5 == 0}
    assert len(broken) in (1, 2)
    found = records(made, scheduler=cluster.scheduler_address)
    assert {record["game"] for record in found if "unfinished" in record} == broken
    assert [record["game"] for record in found] == list(range(6))


def test_what_was_played_is_lost_with_the_worker_that_held_it() -> None:
    """Dask plays such a task again; where that kills workers, its games are tried one by one."""
    from distributed.scheduler import KilledWorker

    class Lost:
        status = "finished"

        def result(self) -> Any:
            raise KilledWorker("task", None, 3)

    farm, lost = Farm.__new__(Farm), Lost()
    farm._open, farm._suspects, farm._alone = {lost: (4, 6)}, [], False
    farm._come(lost)
    assert farm._suspects == [4, 5]
    assert not farm._open


def test_a_scheduler_that_has_lost_all_workers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is finished is kept, and the rest can be played later; workers that come in time are waited for."""

    class Deserted:
        def __init__(self, *threads: dict[str, int]) -> None:
            self._threads = list(threads)

        def nthreads(self) -> dict[str, int]:
            return self._threads.pop(0)

    clock = iter([50.0, 100.0, 169.0, 171.0])
    monkeypatch.setattr("interpreter.simulate.remote.time", SimpleNamespace(monotonic=lambda: next(clock)))
    farm = Farm.__new__(Farm)
    farm._manned, farm._client = 0.0, Deserted({}, {"tcp://one": 1}, {}, {})
    farm._look_for_workers()  # at 50: nobody yet
    farm._look_for_workers()  # at 100: somebody
    farm._look_for_workers()  # at 169: nobody for 69 seconds
    farm._manned = 50.0
    with pytest.raises(WorkerFault, match="no workers for 120 seconds"):
        farm._look_for_workers()  # at 171: nobody for 121 seconds


def test_no_scheduler() -> None:
    with pytest.raises(NoDask, match="no Dask scheduler answers"):
        records(plan(games=1), scheduler="tcp://127.0.0.1:1")


# ---- content that travels --------------------------------------------------------------------------------------------

VARIANT = """\
variant:
  id: three
  title: {en: "Three in a row"}
  changes:
    - set: values.goal_length
      to: 3
"""


def test_shipped_content_stays_where_it_is() -> None:
    made = plan("connect_four", 2)
    assert packed(made) == made


def test_a_folder_and_a_variant_travel(tmp_path: Path) -> None:
    """What is unpacked elsewhere is the same game, though nothing is left where it came from."""
    folder = tmp_path / "mine" / "connect_four"
    shutil.copytree(games()["connect_four"], folder)
    file = tmp_path / "three.yaml"
    file.write_text(VARIANT, "utf-8")
    made = plan(str(folder), 2, arms=(Arm(), Arm((str(file),))))
    sent = packed(made)
    shutil.rmtree(folder)
    file.unlink()
    assert [game_of(sent, arm).fingerprint for arm in (0, 1)] == [arm.fingerprint for arm in made.arms]
    assert made.arms[0].fingerprint != made.arms[1].fingerprint
