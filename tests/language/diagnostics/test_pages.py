"""The page of all codes. That the file is up to date is tested with the other generated files."""

from __future__ import annotations

from rulespec.diagnostics.catalogue import all_entries, entry
from rulespec.diagnostics.pages import HUNDREDS, diagnostics_page
from rulespec.model.generate import generated


def test_every_code_has_an_entry_in_order() -> None:
    lines = diagnostics_page().splitlines()
    assert [line.removeprefix("### ") for line in lines if line.startswith("### ")] == [e.code for e in all_entries()]


def test_every_hundred_has_a_name() -> None:
    assert {e.code[2] for e in all_entries()} == set(HUNDREDS)


def test_an_entry_shows_fault_and_mend() -> None:
    page = diagnostics_page()
    begin = page.index("### RS607")
    section = page[begin : page.index("### RS608")]
    assert entry("RS607").bad in section
    assert entry("RS607").good in section
    assert "`<zone> is a <shape>; only a stack has an order to shuffle.`" in section


def test_the_page_is_among_the_generated_files() -> None:
    assert generated()["docs/diagnostics.md"] == diagnostics_page()
