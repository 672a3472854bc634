"""Logs of games with variants that lie in files of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

VARIANT = """\
variant:
  id: dear
  title: {en: "Dear"}
  changes:
    - set: values.most_taken
      to: 2
"""


@pytest.fixture
def log(run, here: Path) -> Path:
    """The log of a game with a variant whose file lies beside the game's folder."""
    run("new", "game", "harbour")
    (here / "dear.yaml").write_text(VARIANT, encoding="utf-8")
    words = ["play", "harbour", "--variant", "dear.yaml", "--seats", "random,random", "--seed", "1", "--log", "g.log"]
    assert run(*words).status == 0
    return here / "g.log"


def test_a_log_names_variants_by_their_ids(log: Path) -> None:
    assert json.loads(log.read_text("utf-8").splitlines()[0])["variants"] == ["dear"]


def test_the_file_of_a_variant_is_named_again(run, log: Path) -> None:
    done = run("replay", "g.log", "--game", "harbour", "--verify", "--variant", "dear.yaml")
    assert (done.status, done.err) == (0, "")


def test_without_the_file_the_variant_is_not_known(run, log: Path) -> None:
    done = run("replay", "g.log", "--game", "harbour", "--verify")
    assert done.status == 1
    assert "RS441" in done.err
    assert "--variant" in done.err


@pytest.mark.parametrize("field", [{"variants": ["./secret.yaml"]}, {"game": "./harbour"}, {"game": "../work/harbour"}])
def test_no_file_is_opened_for_a_log(run, log: Path, here: Path, field: dict[str, object]) -> None:
    """A log may come from a stranger, who may name any file there; what is in it must not come to light."""
    (here / "secret.yaml").write_text("pass word: [", encoding="utf-8")
    first, rest = log.read_text("utf-8").split("\n", 1)
    log.write_text(f"{json.dumps({**json.loads(first), **field})}\n{rest}", encoding="utf-8")
    done = run("replay", "g.log", "--verify")
    assert done.status == 1
    assert "RS821" in done.err
    assert "pass word" not in done.out + done.err
