"""A note at each text that a fix has left to the writer."""

from __future__ import annotations

from rulespec.diagnostics.model import Problems
from rulespec.messages.unwritten import note_unwritten
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile

TEXT = """\
messages:
  a.prompt: {en: "TODO Choose a hill.", fr: "Choisissez"}
  b.prompt: {en: "A list of what TODO means", fr: {one: "TODO", other: "{n} todo"}}
values: {todo: 3}
scenarios:
  one: {about: "TODO by hand"}
"""


def test_each_text_that_begins_with_the_mark_has_a_note() -> None:
    tree = read_yaml(SourceFile.of("game.yaml", TEXT), Problems())
    problems = Problems()
    note_unwritten([tree], problems)
    assert [(each.code, each.span.text) for each in problems.items] == [
        ("RS533", '"TODO Choose a hill."'),
        ("RS533", '"TODO"'),
    ]
