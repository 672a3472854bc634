"""A stranger's content in an editor: it is answered, and the server stays small."""

from __future__ import annotations

from pathlib import Path

from bench.heavy import editor
from rulespec.model.amounts import MOST_DECLARED
from tests.lsp.client import Client

FILES, EACH = 3, 2_500


def test_more_than_a_game_may_have_is_told_and_answered(tmp_path: Path) -> None:
    """7,500 values call each other where a thousand may stand: names of the first thousand are offered."""
    (tmp_path / "game.yaml").write_text("game: {id: much, language: 1, players: 2}\n", encoding="utf-8")
    for number in range(FILES):
        values = (
            f"  v{at}: {{type: integer, is: v{(at + 1) % 1000}}}\n" for at in range(number * EACH, (number + 1) * EACH)
        )
        (tmp_path / f"much{number}.yaml").write_text(f"values:\n{''.join(values)}", encoding="utf-8")
    client = Client(tmp_path)
    uri = client.open(tmp_path / "much0.yaml")
    assert client.codes(uri, {"RS149"}) == {"RS149"}
    line = {"line": 3, "character": len("  v2: {type: integer, is: v")}
    change = {"range": {"start": line, "end": {**line, "character": line["character"] + 1}}, "text": "7"}
    client.change(uri, change)
    offered = client.at("completion", uri, 3, line["character"] + 1)
    names = [item["label"] for item in offered["items"] if item["label"].startswith("v7")]
    assert len(names) > 100
    assert {name for name in names if int(name[1:]) >= MOST_DECLARED} == set()
    assert client.at("hover", uri, 3, 3)["contents"]["value"].startswith("`v2")
    assert client.end()[0] == 0


def test_a_session_tells_what_the_server_held(tmp_path: Path) -> None:
    """Twenty questions and letters of one small file: each has an answer, in less than 200 MB."""
    path = tmp_path / "game.yaml"
    path.write_text("game: {id: small, language: 1, players: 2}\nvalues: {n: 1, m: n}\n", encoding="utf-8")
    answers, held = editor.session(tmp_path, checked=0.5)
    assert answers == editor.QUESTIONS + editor.LETTERS
    assert 20 << 20 < held < 200 << 20
