"""The Parquet data set, as DuckDB and pandas read it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from interpreter.cli.main import main
from tests.simulate.runs import kept

pytest.importorskip("pyarrow", reason="the extra 'simulate' is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("run")
    words = ["--games", "7", "--seats", "greedy,random", "--detail", "full", "--jobs", "1", "--seed", "4"]
    assert main(["simulate", "agora_barcelona", "--players", "3", *words, "--out", str(made)]) == 0
    return made


def test_duckdb_reads_what_was_kept(folder: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    records = kept(folder)
    scores = sorted(score for record in records for score in record["scores"])
    found = duckdb.sql(f"select score from '{folder}/seats.parquet' order by score").fetchall()
    assert [score for (score,) in found] == scores
    joined = f"""
        select sum(p.points) from '{folder}/points.parquet' p
        join '{folder}/seats.parquet' s using (arm, game, seat) where s.agent = 'greedy'
    """
    [(greedy,)] = duckdb.sql(joined).fetchall()
    assert greedy == sum(
        record["scores"][seat] for record in records for seat in range(3) if record["players"][seat] == 0
    )


def test_pandas_reads_every_file(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frames = {path.stem: pandas.read_parquet(path) for path in folder.glob("*.parquet")}
    assert set(frames) == {"games", "seats", "points", "actions", "course", "choices", "holdings", "asked"}
    assert len(frames["games"]) == 7
    assert len(frames["seats"]) == 21
    assert frames["seats"].groupby("game")["won"].sum().round(9).eq(1).all()
    whole = frames["course"].groupby(["game", "seat"])["points"].sum()
    assert whole.sum() == frames["points"]["points"].sum() == frames["seats"]["score"].sum()
    assert (frames["choices"]["chosen"] <= frames["choices"]["offered"]).all()


def test_the_plan_and_the_versions_are_in_it(folder: Path) -> None:
    import pyarrow.parquet as pq

    metadata = json.loads(pq.read_schema(folder / "games.parquet").metadata[b"rulespec"])
    assert metadata["game"] == "agora_barcelona"
    assert metadata["arms"][0]["fingerprint"] == pq.read_table(folder / "games.parquet")["fingerprint"][0].as_py()
    assert set(metadata["versions"]) == {"rulespec", "language", "python"}


def test_without_the_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert main(["simulate", "tic_tac_toe", "--games", "1", "--out", str(tmp_path / "x")]) == 2
    assert "pip install 'rulespec[simulate]'" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
