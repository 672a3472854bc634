"""Every example of the documentation is carried out, in the order of its page. See `pages.py` for how."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.cli.main import main
from rulespec.source.shipped import content_root
from tests.docs import pages
from tests.docs.pages import Block
from tests.processes import PATIENCE
from tests.project.modules import ROOT

# Pages that are made have tests of their own: the reference in tests/language/structure/test_examples.py, the
# diagnostics in tests/language/diagnostics.
MADE = {"diagnostics"}
#: They check, test and play changed copies of large games again and again.
LONG = {"howto_add_service", "howto_add_street_width", "howto_add_tile", "howto_modder", "howto_module"}
LONG |= {"howto_prototyper", "howto_rule_texts", "cookbook"}
PAGES = [page for page in sorted((ROOT / "docs").glob("*.md")) if page.stem not in MADE and pages.blocks(page)]
SHOWN_ONLY = {"sh", "text", "lua", "toml", "lisp", "json"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one; what is cached lies beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


@pytest.mark.parametrize(
    "page", [pytest.param(p, marks=pytest.mark.long if p.stem in LONG else ()) for p in PAGES], ids=lambda p: p.stem
)
def test_a_page_is_true(page: Path, folder: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    printed: str | None = None
    for block in pages.blocks(page):
        printed = _carry_out(block, folder, names, printed)


def _carry_out(block: Block, folder: Path, names: dict[str, object], before: str | None) -> str | None:
    """Carries out a block; gives what a `python` block has printed."""
    if block.language == "python":
        return _printed_by(block, names)
    if block.language == "text" and before is not None:
        assert pages.matches(before, block.text), f"{block}\n{before}"
    elif block.language == "yaml":
        _write_or_compare(block, folder)
    elif block.language == "diff":
        file = folder / block.file
        file.write_text(pages.changed(file.read_text(encoding="utf-8"), block), encoding="utf-8")
    elif block.language == "console":
        for command, wanted in pages.commands(block):
            _run(block, command, wanted)
    else:
        assert block.language in SHOWN_ONLY, f"{block}: nothing is known of {block.language}"
    return None


def _printed_by(block: Block, names: dict[str, object]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("\n" * block.line + block.text, block.page, "exec"), names)
    return out.getvalue()


def _write_or_compare(block: Block, folder: Path) -> None:
    if block.file.startswith("content/"):
        shipped = (content_root() / block.file.removeprefix("content/")).read_text(encoding="utf-8")
        assert pages.is_quoted(block.body, shipped), f"{block} does not stand in {block.file}"
        return
    file = folder / block.file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(block.text, encoding="utf-8")


def _run(block: Block, command: str, wanted: str) -> None:
    """`rulespec` in this process, anything else in a shell. What is shown must be what is printed.

    A command of which nothing is shown is one that goes well.
    """
    words = shlex.split(command)
    status, printed = _run_here(words[1:]) if words[0] == "rulespec" else _run_in_shell(command)
    assert status in (0, 1), f"{block}: {command}\n{printed}"
    if wanted.strip():
        assert pages.matches(printed, wanted), f"{block}: {command}\n{printed}"
    else:
        assert status == 0, f"{block}: {command}\n{printed}"


def _run_here(words: list[str]) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(words)
    return status, out.getvalue()


def _run_in_shell(command: str) -> tuple[int, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "PATH": path},
    )
    return done.returncode, done.stdout + done.stderr


def test_a_recipe_is_a_whole_game_of_at_most_sixty_lines() -> None:
    games = [block for block in pages.blocks(ROOT / "docs" / "cookbook.md") if block.language == "yaml"]
    assert games
    assert [block.file for block in games if len(block.body.splitlines()) > 60] == []


# ---- the means themselves -------------------------------------------------------------------------------------------


def test_there_are_pages() -> None:
    assert {page.stem for page in PAGES} >= {
        "tutorial",
        "python",
        "howto_modder",
        "howto_rule_texts",
        "howto_prototyper",
    }


@pytest.mark.parametrize(
    ("printed", "wanted", "is_so"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a  \nb", "\na\nb\n", True),
        ("a\nb", "a\nc", False),
        ("a\nb\nc", "a\n...\nc", True),
        ("a\nc", "a\n...\nc", True),
        ("a\nb\nc", "a\n...\nd", False),
        ("a\nb", "a", False),
        ("ab", "a...", False),
    ],
)
def test_what_is_shown_is_compared_by_lines(printed: str, wanted: str, *, is_so: bool) -> None:
    assert pages.matches(printed, wanted) is is_so


def test_a_change_replaces_lines_that_stand_once() -> None:
    change = Block("p", 1, "diff", "# f.yaml\n a\n-b\n+c\n+d\n")
    assert pages.changed("x\na\nb\ny\n", change) == "x\na\nc\nd\ny\n"
    for text in ("a\nx\n", "a\nb\na\nb\n"):
        with pytest.raises(AssertionError, match="its old lines stand"):
            pages.changed(text, change)


def test_a_quotation_may_be_less_deep() -> None:
    whole = "x:\n  y:\n    z: 1\n    w: 2\n"
    assert pages.is_quoted("y:\n  z: 1\n", whole)
    assert pages.is_quoted("    z: 1\n    w: 2\n", whole)
    assert not pages.is_quoted("y:\n z: 1\n", whole)
    assert not pages.is_quoted("z: 1\nw: 3\n", whole)
