"""Values on one line, cut where they are long."""

from __future__ import annotations

from interpreter.cli.yaml_text import LONGEST, short_pair
from rulespec.diagnostics.model import Problems
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile
from rulespec.source.tree import Node


def value(text: str) -> Node:
    tree = read_yaml(SourceFile.of("value.yaml", f"a: {text}\n"), Problems())
    assert tree is not None
    found = tree.get("a")
    assert found is not None
    return found


def test_two_long_values_are_cut_around_their_first_difference() -> None:
    """What stands before is alike: 16 characters of it are shown."""
    alike = "The game ends when one of the classes has filled its whole "
    one, other = short_pair(value(f"{alike}third section of the track."), value(f"{alike}second section of the track."))
    assert one == "…illed its whole third section of the track."
    assert other == "…illed its whole second section of the track."
    assert max(len(one), len(other)) <= LONGEST


def test_short_values_and_early_differences_are_shown_from_their_beginning() -> None:
    assert short_pair(value("3"), value("4")) == ("3", "4")
    one, other = short_pair(value("A" + "x" * 100), value("B" + "x" * 100))
    assert (one[0], other[0]) == ("A", "B")
