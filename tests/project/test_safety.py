"""The language's code has no way to run, reach or load anything foreign: docs/safety.md, kept by looking."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.project.modules import Module, imports, modules

# Networks, other processes, foreign code, and formats that can hold code.
REFUSED = {
    "asyncio", "code", "codeop", "ctypes", "dill", "ftplib", "http", "marshal", "multiprocessing", "pickle", "pty",
    "requests", "runpy", "shelve", "smtplib", "socket", "socketserver", "ssl", "subprocess", "telnetlib", "urllib",
    "webbrowser", "xmlrpc",
}  # fmt: skip

# Turning text into code, or into an import.
REFUSED_CALLS = {"eval", "exec", "compile", "__import__", "import_module", "system", "popen", "unsafe_load",
                 "full_load"}  # fmt: skip


def _language() -> Iterator[Module]:
    return (module for module in modules().values() if module.name.split(".")[0] == "rulespec")


def _calls(module: Module) -> Iterator[tuple[str, int]]:
    """Names and methods that are called, `re.compile` left out."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if not (isinstance(owner, ast.Name) and owner.id == "re"):
                yield node.func.attr, node.lineno


def test_the_language_imports_nothing_that_runs_or_reaches_anything() -> None:
    wrong = [
        f"{module.place}:{line} imports {target}"
        for module in _language()
        for target, line in imports(module)
        if target.split(".")[0] in REFUSED
    ]
    assert wrong == []


def test_the_language_turns_no_text_into_code() -> None:
    wrong = [
        f"{module.place}:{line} calls {name}"
        for module in _language()
        for name, line in _calls(module)
        if name in REFUSED_CALLS
    ]
    assert wrong == []


def test_files_are_read_only_where_the_table_says() -> None:
    """`source` reads content; the catalogue, the grammar and other files of our own are read beside their code."""
    own_files = {
        "rulespec.diagnostics.catalogue",
        "rulespec.expr.parse",
        "rulespec.published",  # our own schemas
        "rulespec.texts.kept_files",  # files that the command is told to read
        "rulespec.texts.check.writing",  # makes the file that takes the place of `texts.lock`
        "rulespec.texts.own_files",
        "rulespec.texts.readers",  # published rulebooks
        "rulespec.texts.readers.pdf",
        "rulespec.texts.reports.page",
        "rulespec.texts.spellout",  # CLDR's rules of number words, beside their code
    }
    readers = {
        module.name
        for module in _language()
        for name, _ in _calls(module)
        if name in {"open", "read_text", "read_bytes"}
    }
    outside = {name for name in readers if not name.startswith("rulespec.source.")}
    assert outside <= own_files
