"""Draw a first glossary from published rulebooks: which words of their languages go together.

Each document is named with its language: `en=rules.pdf fr=regles.docx`. What is written is a file of `terms` that a
person goes through; `texts compare --game` reads rulebooks by it.
"""

from __future__ import annotations

import argparse
import sys

from interpreter.cli.common import UsageError, add_cache
from interpreter.cli.out import add_out, print_out, write_out
from interpreter.cli.rulebook_files import documents_of, encoder_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The documents, and where to write."""
    parser.add_argument("documents", metavar="LANG=FILE", nargs="*", help="a rulebook: txt, md, docx or pdf")
    add_out(parser, "where it is written, over no file that is there")
    add_cache(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw the glossary, and write it."""
    from rulespec.diagnostics.render import visible
    from rulespec.texts.compare import compare
    from rulespec.texts.encoder import keep_vectors
    from rulespec.texts.glossary import Glossary
    from rulespec.texts.starter import as_terms, drawn

    documents = documents_of(arguments.documents)
    if len(documents) < 2:
        raise UsageError("A glossary is drawn from rulebooks in two languages or more: en=rules.pdf fr=regles.pdf.")
    if arguments.out is not None and arguments.out.exists():
        raise UsageError(f"{arguments.out} is there already. Name another file.")
    encoder = encoder_of(documents)
    comparison = compare(documents, Glossary({}), encoder=encoder)
    keep_vectors(encoder)
    for note in comparison.notes:
        print(visible(note), file=sys.stderr)
    text = as_terms(drawn(comparison))
    if arguments.out is None:
        print_out(text)
    else:
        write_out(arguments.out, text)
    return 0
