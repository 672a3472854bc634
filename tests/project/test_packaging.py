"""The wheel holds everything, and its command works from a folder that has nothing to do with the project."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rulespec.source.shipped import content_root, games, schemas_root
from tests.project.modules import ROOT

pytestmark = pytest.mark.long


def _run(*command: str | Path, folder: Path) -> str:
    """The standard output of a command that must succeed."""
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, ROOT,
         folder=folder)  # fmt: skip
    return next(folder.glob("rulespec-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a new environment with nothing but the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("installed")
    _run(sys.executable, "-m", "venv", folder, folder=folder)
    _run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "--constraint", ROOT / "requirements-ci.txt", wheel, folder=folder)  # fmt: skip
    return folder / "bin"


def _below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_wheel_holds_the_content_the_schemas_and_the_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"rulespec/py.typed", "interpreter/py.typed"} <= names
    assert {f"rulespec/_shipped/content/{name}" for name in _below(content_root())} <= names
    assert {f"rulespec/_shipped/schemas/{name}" for name in _below(schemas_root())} <= names


def test_the_wheel_holds_every_file_of_the_packages_and_no_test(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    own = {
        path.relative_to(ROOT).as_posix()
        for package in ("rulespec", "interpreter")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert own <= names
    assert [name for name in names if name.startswith("tests")] == []


def test_the_installed_command_checks_all_games_from_anywhere(installed: Path, tmp_path: Path) -> None:
    _run(installed / "rulespec", "check", folder=tmp_path)
    found = _run(installed / "python", "-c",
                 "from rulespec.source.shipped import games; print(*games())", folder=tmp_path)  # fmt: skip
    assert found.split() == list(games())
    assert [path.name for path in tmp_path.iterdir()] == []


def test_the_installed_interface_starts_every_game(installed: Path, tmp_path: Path) -> None:
    program = (
        "from interpreter import load\n"
        "from rulespec.source.shipped import games\n"
        "for name in games():\n"
        "    state = load(name).start(seed=1)\n"
        "    print(name, len(state.options()) > 0)\n"
    )
    said = _run(installed / "python", "-c", program, folder=tmp_path).splitlines()
    assert said == [f"{name} True" for name in games()]
