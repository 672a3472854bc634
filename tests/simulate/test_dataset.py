"""The Parquet data set, as DuckDB and pandas read it."""

from __future__ import annotations

import json
import sys
from math import isnan
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.simulate.columns import COLUMNS
from tests.simulate.runs import kept

pytest.importorskip("pyarrow", reason="the extra 'simulate' is not installed")
DOCS = Path(__file__).parents[2] / "docs"
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


@pytest.fixture(scope="module")
def weighed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("weighed")
    words = ["--games", "2", "--seats", "mcts:30,greedy", "--detail", "decisions", "--jobs", "1", "--seed", "4"]
    assert main(["simulate", "connect_four", *words, "--out", str(made)]) == 0
    return made


def test_each_decision_is_a_row(weighed: Path) -> None:
    """Connect Four begins with seven columns; each is offered until six stones lie in it."""
    pandas = pytest.importorskip("pandas")
    rows = pandas.read_parquet(weighed / "decisions.parquet")
    games = pandas.read_parquet(weighed / "games.parquet")
    assert len(rows) == games["decisions"].sum()
    agents = pandas.read_parquet(weighed / "seats.parquet").set_index(["game", "seat"])["agent"]
    for game, of_game in rows.groupby("game"):
        assert list(of_game["n"]) == list(range(len(of_game)))
        dropped = dict[str, int]()
        for row in of_game.itertuples():
            assert row.options == len(row.keys) == sum(count < 6 for count in dropped.values()) + 7 - len(dropped)
            key = row.keys[row.took]
            dropped[key] = dropped.get(key, 0) + 1
            if row.options == 1:
                assert row.visits is None
            elif agents[game, row.seat] == "mcts:30":
                assert sum(row.visits) == 30
                assert row.visits[row.took] == max(row.visits)
                assert all(0 <= mean <= 1 for mean in row.means)
                assert all(visits > 0 for visits in row.visits)  # thirty playouts try each of seven columns
            else:
                assert set(row.visits) == {2}
                assert row.means[row.took] == max(row.means)


def test_other_details_have_no_rows_of_decisions(folder: Path) -> None:
    assert not (folder / "decisions.parquet").exists()


def test_a_player_who_does_not_say_has_no_weights(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    words = ["--games", "1", "--seats", "random", "--detail", "decisions", "--jobs", "1", "--out", str(tmp_path / "r")]
    assert main(["simulate", "tic_tac_toe", *words]) == 0
    rows = pandas.read_parquet(tmp_path / "r" / "decisions.parquet")
    assert list(rows["options"])[:5] == [9, 8, 7, 6, 5]
    assert rows["visits"].isna().all()
    assert rows["means"].isna().all()


def test_what_was_not_tried_has_no_mean(tmp_path: Path) -> None:
    """Three playouts cannot try nine cells; a game that is left has its decisions too."""
    pandas = pytest.importorskip("pandas")
    words = ["--games", "1", "--seats", "mcts:3", "--detail", "decisions", "--jobs", "1", "--out", str(tmp_path / "r")]
    assert main(["simulate", "tic_tac_toe", *words, "--most-decisions", "4"]) == 1
    rows = pandas.read_parquet(tmp_path / "r" / "decisions.parquet")
    assert list(rows["options"]) == [9, 8, 7, 6]
    for row in rows.itertuples():
        assert sum(row.visits) == 3
        assert [isnan(mean) for mean in row.means] == [visits == 0 for visits in row.visits]  # null is read as nan


WEIGHED = ["[(1, 2.0)]", "[(1.5, 2.0)] * n", "[(1, float('nan'))] * n", "[(-1, 0)] * n", "'x' * n", "5", "[None] * n"]


@pytest.mark.parametrize("weighed", WEIGHED)
def test_a_player_who_weighs_in_another_form_is_told(
    weighed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = f"""\
class Odd:
    def __init__(self, seat, seed): pass
    def choose(self, state, options):
        n = len(options)
        self.weighed = {weighed}
        return options[0]
"""
    (tmp_path / "odd.py").write_text(player)
    words = ["--games", "1", "--seats", f"{tmp_path / 'odd.py'}:Odd", "--detail", "decisions", "--jobs", "1"]
    assert main(["simulate", "tic_tac_toe", *words]) == 2
    assert "`weighed` of Odd holds for each of the 9 options" in capsys.readouterr().err


def test_every_column_says_what_it_means(weighed: Path, folder: Path) -> None:
    import pyarrow.parquet as pq

    page = (DOCS / "simulate_data.md").read_text(encoding="utf-8").splitlines()
    for path in [*weighed.glob("*.parquet"), *folder.glob("*.parquet")]:
        schema = pq.read_schema(path)
        names = ", ".join(f"`{name}`" for name in schema.names)
        assert f"| `{path.name}` | {names} |" in page
        for field in schema:
            column = COLUMNS[field.name]
            assert field.metadata[b"about"].decode() == column.about
            assert f"| `{field.name}` | {column.kind} | {column.about} |" in page


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
