"""The fenced blocks of a page of the documentation, and how each kind of them is carried out.

| block | what is done with it |
| --- | --- |
| `yaml`, first line `# garden/board.yaml` | is written to that file |
| `yaml`, first line `# content/…` | must stand in that shipped file, word for word, at any depth |
| `diff`, first line `# garden/board.yaml` | lines with `-` stand in that file once, those with `+` replace them |
| `console` | each line after `$ ` is run; what stands below it must be what it prints; `...` stands for any lines |
| `python` | is run; a `text` block right after it must be what it prints |
| `sh`, other `text` | only shown: it waits for a person, or does not end |

A page is carried out from top to bottom, in an empty folder of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.project.modules import ROOT

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ([\w./-]+\.yaml)\n")
# Copies of shipped games are called my_…: their lines and scenarios grow in number, which makes no page wrong.
COUNTS_OF_COPIES = (
    re.compile(r"(?<=\.yaml):\d+(:\d+)?"),
    re.compile(r"\d+(?= of \d+ (?:scenarios|rules))|\d+(?= (?:scenarios|rules))"),
)


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text and the line of the page on which it begins."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str:
        """The file that the first line names."""
        match = FILE.match(self.text)
        assert match is not None, f"{self} does not begin with the name of its file"
        return match[1]

    @property
    def body(self) -> str:
        """What stands below the first line."""
        return self.text.partition("\n")[2]


def blocks(page: Path) -> list[Block]:
    """The blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    return [Block(name, text.count("\n", 0, m.start()) + 1, m[1], m[2]) for m in FENCE.finditer(text)]


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a `console` block, each with what it is to print."""
    assert block.text.startswith("$ "), f"{block} does not begin with a command"
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
    return [(first, rest) for first, _, rest in (part.partition("\n") for part in parts)]


def lines_of(text: str) -> list[str]:
    """Lines without white space at their ends, and without empty ones around them."""
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def matches(printed: str, wanted: str) -> bool:
    """Whether a text is as a page shows it: line by line, where a line `...` stands for any number of lines."""
    return _matches(
        [_without_counts(line) for line in lines_of(printed)], [_without_counts(line) for line in lines_of(wanted)]
    )


def _without_counts(line: str) -> str:
    if "my_" not in line:
        return line
    for count in COUNTS_OF_COPIES:
        line = count.sub("", line)
    return line


def _matches(printed: list[str], wanted: list[str]) -> bool:
    if not wanted:
        return not printed
    if wanted[0].strip() == "...":
        return any(_matches(printed[at:], wanted[1:]) for at in range(len(printed) + 1))
    return bool(printed) and printed[0] == wanted[0] and _matches(printed[1:], wanted[1:])


def changed(text: str, change: Block) -> str:
    """A file's text after the change of a `diff` block."""
    lines = change.body.splitlines()
    assert all(line[:1] in ("", " ", "+", "-") for line in lines), f"{change} has a line that begins otherwise"
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
    assert text.count(old) == 1, f"{change}: its old lines stand {text.count(old)} times in {change.file}"
    return text.replace(old, new)


def is_quoted(part: str, whole: str) -> bool:
    """Whether lines stand in a text in this order and together, all of them indented by the same number of spaces."""
    wanted, given = lines_of(part), lines_of(whole)
    for at in range(len(given) - len(wanted) + 1):
        shift = len(given[at]) - len(given[at].lstrip()) - (len(wanted[0]) - len(wanted[0].lstrip()))
        moved = [f"{' ' * max(shift, 0)}{line}" if line else "" for line in wanted]
        if moved == given[at : at + len(wanted)]:
            return True
    return False
