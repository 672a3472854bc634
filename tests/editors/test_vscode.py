"""The extension of Visual Studio Code, as `.ci/extension` has packed it: what is in it, and what it does in Node.js."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from interpreter.cli.main import main
from rulespec.diagnostics.model import Problems
from rulespec.model.colours import expression_keys
from rulespec.model.validate import validate_file
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile
from tests.processes import PATIENCE

PROJECT = Path(__file__).parents[2]
SOURCE = PROJECT / "editors" / "vscode"
PACKED = PROJECT / ".cache" / "vscode"
VSIX = PACKED / "rulespec.vsix"
HARNESS = Path(__file__).with_name("harness.cjs")

packed = pytest.mark.skipif(
    not VSIX.is_file() or shutil.which("node") is None, reason="the extension is not packed: .ci/extension does that"
)


def _manifest() -> dict[str, Any]:
    return dict(json.loads((SOURCE / "package.json").read_text(encoding="utf-8")))


# ---- what is packed --------------------------------------------------------------------------------------------------


@packed
def test_the_package_holds_all_that_its_manifest_names_and_nothing_else() -> None:
    with zipfile.ZipFile(VSIX) as package:
        names = set(package.namelist())
        manifest = json.loads(package.read("extension/package.json"))
        about = ET.fromstring(package.read("extension.vsixmanifest"))
        code = package.read("extension/dist/extension.js").decode("utf-8")
    contributes = manifest["contributes"]
    wanted = [manifest["main"], *(each["path"] for each in (*contributes["grammars"], *contributes["snippets"]))]
    wanted += [each["configuration"] for each in contributes["languages"]]
    assert {f"extension/{path.removeprefix('./')}" for path in wanted} <= names
    assert names - {f"extension/{path.removeprefix('./')}" for path in wanted} == {
        *("[Content_Types].xml", "extension.vsixmanifest", "extension/package.json"),
        *("extension/readme.md", "extension/LICENSE.txt"),
    }
    identity = next(each for each in about.iter() if each.tag.endswith("Identity"))
    assert (identity.get("Id"), identity.get("Version")) == (manifest["name"], manifest["version"])
    assert 'require("vscode")' in code
    assert "rulespec.newGame" in code


@packed
def test_the_package_is_made_of_these_files() -> None:
    """Packed again after each change; else what is tested is an older one."""
    for path in [*SOURCE.glob("src/*.ts"), SOURCE / "package.json"]:
        same = (PACKED / path.relative_to(SOURCE)).read_bytes() == path.read_bytes()
        assert same, f"{path.name} was changed: run .ci/extension"


def test_version_and_commands_are_those_of_the_program() -> None:
    manifest = _manifest()
    project = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{manifest["version"]}"' in project
    registered = "".join(path.read_text(encoding="utf-8") for path in SOURCE.glob("src/*.ts"))
    for command in manifest["contributes"]["commands"]:
        assert f'registerCommand("{command["command"]}"' in registered


def test_other_yaml_is_left_alone() -> None:
    """No file belongs to the language by its name, so that all YAML stays YAML until it is known to be content."""
    [language] = _manifest()["contributes"]["languages"]
    assert not {"extensions", "filenames", "filenamePatterns", "firstLine"} & set(language)


# ---- problem matchers and snippets -----------------------------------------------------------------------------------


def _matcher(name: str) -> tuple[re.Pattern[str], dict[str, Any]]:
    matchers = {each["name"]: each for each in _manifest()["contributes"]["problemMatchers"]}
    pattern = matchers[name]["pattern"]
    return re.compile(pattern["regexp"]), pattern


def _matched(name: str, line: str) -> dict[str, str] | None:
    pattern, groups = _matcher(name)
    found = pattern.match(line)
    return None if found is None else {key: found.group(n) for key, n in groups.items() if isinstance(n, int)}


def test_problems_of_check_and_test_are_matched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "game", str(tmp_path / "isl")]) == 0
    file = next((tmp_path / "isl").glob("*.yaml"))
    right = file.read_text(encoding="utf-8")
    file.write_text(right.replace("players:", "playerz:"), encoding="utf-8")
    capsys.readouterr()
    main(["check", str(tmp_path / "isl"), "--no-cache"])
    found = [each for line in capsys.readouterr().out.splitlines() if (each := _matched("rulespec", line)) is not None]
    line = right[: right.index("players:")].count("\n") + 1
    assert [(each["line"], each["severity"], each["code"]) for each in found] == [(str(line), "error", "RS251")]
    assert Path(found[0]["file"]).name == file.name


def test_a_failed_scenario_is_matched_and_a_problem_is_none() -> None:
    found = _matched("rulespec-test", "isl/isl.yaml:12:9: a_bridge: `red.coins == 3` does not hold: left is 2.")
    assert found is not None
    assert (found["file"], found["line"]) == ("isl/isl.yaml", "12")
    assert _matched("rulespec-test", "isl/isl.yaml:9:3: error RS251: This game cannot have 'playerz'.") is None
    assert _matched("rulespec", "isl/isl.yaml:12:9: a_bridge: no.") is None


SNIPPETS = json.loads((SOURCE / "snippets" / "rulespec.code-snippets").read_text(encoding="utf-8"))


def _plain(body: list[str]) -> str:
    """A snippet as it is written when nothing is typed into it."""
    text = "\n".join(body).replace("$0", "")
    text = re.sub(r"\$\{\d+:((?:\\\}|[^}])*)\}", r"\1", text)
    return text.replace("\\}", "}")


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_is_of_a_right_form(name: str) -> None:
    text, problems = _plain(SNIPPETS[name]["body"]), Problems()
    assert "$" not in text
    tree = read_yaml(SourceFile.of("x.yaml", text), problems)
    assert tree is not None
    validate_file(tree, problems, variant=False)
    assert [problem.message for problem in problems.items] == []
    assert list(yaml.safe_load(text)) == list(tree.keys())


# ---- what it does ----------------------------------------------------------------------------------------------------


def _in_the_editor(**plan: Any) -> dict[str, Any]:
    done = subprocess.run(
        ["node", str(HARNESS), str(PACKED / "dist" / "extension.js"), json.dumps({"answers": [], **plan})],
        capture_output=True,
        timeout=PATIENCE,
        check=True,
        env={**os.environ, "PATH": plan.get("path", os.environ["PATH"])},
    )
    return dict(json.loads(done.stdout))


@packed
def test_content_gets_its_language_and_other_yaml_does_not(tmp_path: Path) -> None:
    (tmp_path / "islands" / "rules").mkdir(parents=True)
    (tmp_path / "islands" / "game.yaml").write_text("game:\n  title: {en: x}\n  id: islands\n", encoding="utf-8")
    (tmp_path / "game.yaml").write_text("game: {image: x}\nid: 3\n", encoding="utf-8")
    texts = {
        "islands/rules/a.yaml": ("values: {}\n", True),
        "islands/new.yaml": ("", True),
        "compose.yaml": ("services: {a: {image: x}}\n", False),
        "game.yaml": ("game: {image: x}\nid: 3\n", False),
        ".github/ci.yaml": ("on: [push]\n", False),
        "else/x.yaml": ("# yaml-language-server: $schema=../schemas/content.schema.json\n", True),
        "else/y.yaml": ("game: {id: small, language: 1}\n", True),
    }
    documents = [{"path": str(tmp_path / name), "language": "yaml", "text": text} for name, (text, _) in texts.items()]
    done = _in_the_editor(documents=documents, folders=[str(tmp_path)])
    assert sorted(done["languages"]) == sorted(
        [str(tmp_path / name), "rulespec"] for name, (_, is_content) in texts.items() if is_content
    )
    off = _in_the_editor(documents=documents, folders=[str(tmp_path)], settings={"association": False})
    assert off["languages"] == []


def _says_a_game(texts: list[str]) -> list[bool]:
    """What the extension says of texts, each in so many lines."""
    code = (
        "const {saysAGame} = require(process.argv[1]);"
        'const texts = JSON.parse(require("node:fs").readFileSync(0, "utf8"));'
        "process.stdout.write(JSON.stringify(texts.map(saysAGame)));"
    )
    content = str(PACKED / "parts" / "content.js")
    sent = json.dumps(texts).encode("utf-8")
    done = subprocess.run(["node", "-e", code, content], input=sent, capture_output=True, timeout=PATIENCE, check=True)
    return list(json.loads(done.stdout))


@packed
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("line", ["", "# a comment", "  # a comment", "  title: x", "  "])
def test_a_long_section_is_read_to_its_end(line: str, end: str) -> None:
    """Looked through in one go: ways to go back over the lines would take longer than anybody waits."""
    begun = ["game:", *[line] * 10_000]
    files = [[*begun, "  id: x", ""], [*begun, ""], [*begun, "values:", "  id: 3", ""], [*begun, "game:", "  id: x"]]
    assert _says_a_game([end.join(lines) for lines in files]) == [True, False, False, True]


@packed
def test_a_new_game_is_made_by_the_command_of_the_environment(tmp_path: Path) -> None:
    command = tmp_path / ".venv" / "bin" / "rulespec"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m interpreter.cli.main "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    answers = ["harbour", "A small game that works, with comments", str(tmp_path)]
    done = _in_the_editor(folders=[str(tmp_path)], run=["rulespec.newGame"], answers=answers)
    assert done["told"] == [f"{command} (by environment)"]
    assert [Path(each).parent.name for each in done["shown"]] == ["harbour"]
    assert main(["check", str(tmp_path / "harbour"), "--no-cache"]) == 0
    again = _in_the_editor(folders=[str(tmp_path)], run=["rulespec.newGame"], answers=answers)
    assert any("rulespec new" in each for each in again["told"])  # what is there is never written over
    bad = _in_the_editor(folders=[str(tmp_path)], run=["rulespec.newGame"], answers=["No Name"])
    assert bad["shown"] == []


@packed
def test_without_the_command_it_is_told_where_was_looked_and_what_to_do(tmp_path: Path) -> None:
    document = {"path": str(tmp_path / "x.yaml"), "language": "rulespec", "text": "game: {id: x}\n"}
    node = str(Path(str(shutil.which("node"))).parent)
    nowhere = tmp_path / "empty"
    nowhere.mkdir()
    (nowhere / "node").symlink_to(Path(node) / "node")
    done = _in_the_editor(folders=[str(tmp_path)], documents=[document], path=str(nowhere))
    assert 'pip install "rulespec[lsp]"' in done["told"][0]
    assert str(tmp_path / ".venv" / "bin" / "rulespec") in done["told"][0]
    named = _in_the_editor(folders=[str(tmp_path)], documents=[document], settings={"server.command": "tools/rulespec"})
    assert "names no command that is there" in named["told"][0]


@packed
def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    command = tmp_path / "rulespec"
    command.write_text("#!/bin/sh\necho 'rulespec lsp: install two more packages' >&2\nexit 2\n", encoding="utf-8")
    command.chmod(0o755)
    document = {"path": str(tmp_path / "x.yaml"), "language": "rulespec", "text": "game: {id: x}\n"}
    done = _in_the_editor(documents=[document], settings={"server.command": str(command)})
    assert "rulespec: rulespec lsp: install two more packages" in done["told"]


# ---- colours without the server --------------------------------------------------------------------------------------


def test_keys_of_expressions_are_known_to_the_grammar_and_keys_of_prose_are_not() -> None:
    known = set(expression_keys())
    assert {"where", "is", "to", "be", "if", "require"} <= known
    assert not {"about", "text", "title", "id", "en"} & known


_COLOURED = [
    (
        "    where: may_settle(cell, me) and not p.coins >= 10  # and so",
        "where key; may_settle entity.name.function; cell variable.other; me variable.other; "
        "and keyword.operator.word; not keyword.operator.word; p variable.other; "
        "coins variable.other.property; >= keyword.operator; 10 constant.numeric; # and so comment",
    ),
    (
        '  rim: {type: boolean, is: "cell.col in [0, 4]", about: it is not in}',
        "rim key; type key; boolean string; is key; cell variable.other; col variable.other.property; "
        "in keyword.operator.word; 0 constant.numeric; 4 constant.numeric; about key; it is not in string",
    ),
    ("    about: who is in it", "about key; who is in it string"),
    (
        "  - if: any(c in cell where true)",
        "if key; any keyword.control; c variable.other; in keyword.operator.word; cell variable.other; "
        "where keyword.operator.word; true constant.language",
    ),
]


@packed
@pytest.mark.parametrize(("line", "wanted"), _COLOURED)
def test_expressions_are_coloured_by_the_grammar_alone(line: str, wanted: str) -> None:
    harness = Path(__file__).with_name("grammar.cjs")
    # the line before and behind are those of YAML still
    given = f"before: it is\n{line}\nafter: it is not"
    asked = subprocess.run(
        ["node", str(harness), str(PACKED)], input=given, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    tokens = [each for each in asked.stdout.splitlines() if re.match(r"[\w#]|>=", each)]
    assert tokens == ["before key", "it is string", *wanted.split("; "), "after key", "it is not string"]
