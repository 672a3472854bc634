"""The page of all diagnostic codes, made from the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.diagnostics.catalogue import Entry, all_entries

#: What the codes of each hundred are about.
HUNDREDS = {
    "1": "Reading files",
    "2": "Expressions and the form of declarations",
    "3": "Names and types",
    "4": "Files put together, variants, options",
    "5": "Texts",
    "6": "Steps, and the game as a whole",
    "7": "Figures, tables and what is computed when content is loaded",
    "8": "Playing, logs and scenarios",
}

_HEAD = """\
# Diagnostics

Every problem that `rulespec` reports has a code. `rulespec code RS301` prints the entry of one. This page is made from
the catalogue in `rulespec/diagnostics/codes/` by `python -m rulespec.model.generate`.

Errors and warnings make `rulespec check` end with status 1; notes do not. An example shows what is needed for the
fault and no more: a section `game` and a `flow` are added where it has none. Where an example needs several files,
`# file: NAME` begins each of them.

*Fix* says which edit a problem of this code carries: *certain* ones are made by `rulespec check --fix` and by an editor
that is asked to fix all, *offered* ones by an editor where a person chooses them. A name that stands in more places
than the one it is like is not changed unasked: the declaration was misspelt, once. Nor is one that may be another name:
the *nearest* one is certain for a single slip in a name of at least five letters, and not for a digit (`row_1`) or a
short word of a name (`min_row`).
"""


def diagnostics_page() -> str:
    """The whole page as Markdown: a list of the codes, then each with its meaning, an example and the mend."""
    entries = all_entries()
    return "\n".join([_HEAD, *_contents(entries), *_sections(entries)])


def _contents(entries: Iterable[Entry]) -> Iterator[str]:
    yield "| code | | what |"
    yield "| --- | --- | --- |"
    for entry in entries:
        yield f"| [{entry.code}](#{entry.code.lower()}) | {entry.severity} | {_cell(entry.title)} |"
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _sections(entries: Iterable[Entry]) -> Iterator[str]:
    before = ""
    for entry in entries:
        digit = entry.code[2]
        if digit != before:
            yield f"## {HUNDREDS.get(digit, 'Others')}\n"
            before = digit
        yield _section(entry)


def _section(entry: Entry) -> str:
    gaps = entry.message.replace("{", "<").replace("}", ">")
    parts = [
        f"### {entry.code}",
        f"**{entry.title}** ({entry.severity})",
        f"`{gaps}`" if "`" not in gaps else f"`` {gaps} ``",
        entry.about,
        f"Fix: {entry.fix}.",
        f"Fault:\n\n{_block(entry.bad)}",
        f"Mended:\n\n{_block(entry.good)}",
    ]
    return "\n\n".join(parts) + "\n"


def _block(text: str) -> str:
    """An example as a block of code, fenced by more marks than stand in it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}yaml\n{text.rstrip()}\n{fence}"
