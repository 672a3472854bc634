"""Join sentences of rulebooks that say the same, where `texts compare` put others together.

The entry is added at the end of FILE, and `texts compare --by-hand FILE` obeys it: these sentences are one pair, with
no others, and what they say is compared. Sentences are written there by their words: an entry holds in a new edition as
long as they stand in it, and where they do not, that is told.
"""

from __future__ import annotations

import argparse

from interpreter.cli import pairs_by_hand


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sentences, the file, who and why."""
    pairs_by_hand.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the entry."""
    return pairs_by_hand.run("join", arguments)
