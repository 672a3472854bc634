"""The command as a whole: help, exit statuses, and that it starts quickly."""

from __future__ import annotations

import subprocess
import sys

import pytest

from interpreter.cli import commands
from interpreter.cli.commands import available, load
from interpreter.cli.main import main
from tests.project.modules import ROOT

MUST_BE_THERE = {"check", "show", "why", "diff", "sources", "new", "code"}


def test_the_commands_are_there() -> None:
    assert available().keys() >= MUST_BE_THERE
    assert available().keys() <= commands.SUMMARIES.keys()


def test_help_names_every_command(run) -> None:
    done = run("--help")
    assert done.status == 0
    assert all(f"    {name} " in done.out for name in available())


@pytest.mark.parametrize("name", available())
def test_every_command_has_help(run, name: str) -> None:
    done = run(name, "--help")
    assert done.status == 0
    assert f"usage: rulespec {name}" in done.out
    assert (load(name).__doc__ or "").splitlines()[0] in done.out


@pytest.mark.parametrize("words", [(), ("chekc",), ("show",), ("show", "a", "b", "c"), ("check", "--format", "xml")])
def test_wrong_usage_gives_2_and_says_why(run, words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.status == 2
    assert "usage: rulespec" in done.err
    assert done.out == ""


def test_the_version_is_printed(run) -> None:
    done = run("--version")
    assert done.status == 0
    assert done.out.startswith("rulespec ")


def test_ctrl_c_ends_a_command_cleanly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(load("code"), "run", interrupted)
    assert main(["code"]) == 130
    assert capsys.readouterr() == ("", "\n")


def test_a_closed_pipe_is_no_fault() -> None:
    """As in `rulespec code | head -1`: whoever reads has gone."""
    command = subprocess.Popen(
        [sys.executable, "-m", "interpreter.cli.main", "code"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert command.stdout is not None
    assert command.stderr is not None
    command.stdout.close()
    errors = command.stderr.read()
    command.stderr.close()
    assert (command.wait(), errors) == (0, b"")


def test_the_start_imports_nothing_that_is_not_needed() -> None:
    """The parser of expressions, YAML and the schemas take longer than all of `--help`."""
    code = "import sys; from interpreter.cli.main import main; main(['--help']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = done.stdout.rsplit("\n[", 1)[1]
    assert not [name for name in ("lark", "babel", "jsonschema", "wcwidth") if f"'{name}'" in imported]
