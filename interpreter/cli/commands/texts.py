"""Texts in several languages: the content's own, and published rulebooks.

rulespec texts check GAME                     the content's own texts against each other and the declarations
rulespec texts accept GAME RULE… --lang L     a translation as checked against the present rule and source text
rulespec texts mark ID STATE --in FILE --by NAME  what became of a difference, for --baseline of texts compare
rulespec texts states FILE [--state S]…       what became of differences, as a list
rulespec texts join LANG=FILE:LINE… --in FILE --by NAME   sentences are a pair, for --by-hand of texts compare
rulespec texts split LANG=FILE:LINE… --in FILE --by NAME  sentences are none
rulespec texts compare --game GAME LANG=FILE…  published rulebooks against each other and the declarations
rulespec texts changed LANG=OLD LANG=NEW LANG=FILE…  what changed in an edition, which translations are stale
rulespec texts glossary LANG=FILE…            a first file of terms, drawn from rulebooks
"""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.util import find_spec
from typing import Final

#: What can be asked for, each with its module beside this one (`texts_check` and so on), and what it does.
SUMMARIES: Final[dict[str, str]] = {
    "check": "the content's own texts: all languages against each other and the declarations",
    "accept": "mark a translation as checked against the present rule and source text",
    "mark": "say what became of a difference between rulebooks: open, to_fix, accepted, rejected",
    "join": "say that sentences are a pair, for --by-hand of `compare`",
    "split": "say that sentences are no pair, for --by-hand of `compare`",
    "states": "list what became of differences, by the file that `mark` writes",
    "glossary": "a first file of terms, drawn from rulebooks in several languages",
    "export": "the content's own texts for translators: PO, XLIFF or TMX",
    "import": "what translators have written, into the content's files",
    "changed": "what changed between two editions of a rulebook, and which translations are stale",
    "compare": "published rulebooks against each other and the declarations",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The part that is asked for, and its own arguments."""
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True)
    for name, summary in SUMMARIES.items():
        if find_spec(_module(name)) is None:
            continue
        part = parts.add_parser(name, help=summary)
        module = import_module(_module(name))
        part.description = (module.__doc__ or "").strip()
        part.formatter_class = argparse.RawDescriptionHelpFormatter
        module.add_arguments(part)
        part.set_defaults(part=name)
    parser.set_defaults(parts=dict(parts.choices))


def run(arguments: argparse.Namespace) -> int:
    """Run the part; what it gives is the exit status."""
    status: int = import_module(_module(arguments.part)).run(arguments)
    return status


def _module(name: str) -> str:
    return f"interpreter.cli.commands.texts_{name}"
