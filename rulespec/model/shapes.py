"""The shapes that declarations can take: data only, so that everything else can be made from them.

The registry (`rulespec.model.registry`) is written in these shapes. The structural check, the JSON Schemas, the
reference page and the completion data all read it, so none of them can say something else than the others.

    Field("up_to", "How many pieces fit.", Expression(expects="integer", scope="zone"), example="3")
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

NAME = "[a-z][a-z0-9_]*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What a name must look like. `what` names it in messages; `reserved` lists names that are already taken."""

    id: str
    what: str
    pattern: str
    reserved: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What may stand at one place of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Shape):
    """Words for people. `sentence`: not a short form such as an option's key, behind which a comment may stand."""

    sentence: bool = True


#: An option's key, a seat, an id: read by the program too.
SHORT_TEXT = Text(sentence=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Integer(Shape):
    """A whole number written out, within bounds."""

    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Boolean(Shape):
    """`true` or `false`, written out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(Shape):
    """One of a closed set of words, each with its meaning."""

    words: tuple[tuple[str, str], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(word for word, _ in self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(Shape):
    """A name, or another text of a fixed form such as a path."""

    naming: Naming


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression(Shape):
    """An expression; a list at its very start is written as a YAML list.

    `expects` is the type it should have, for people; `scope` says which names it can read (see `SCOPES`).
    """

    expects: str
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Data(Shape):
    """An expression, or a table of them: lists by position, maps by key, nested as the type says."""

    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Type(Shape):
    """A type, such as `0..5`, `list of cell` or `effect`.

    `least` is where the range begins that a number alone means.
    """

    least: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Anything(Shape):
    """Whatever the place that a change names can hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOf(Shape):
    item: Shape
    least: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MapOf(Shape):
    key: Naming
    value: Shape
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ByNode(Shape):
    """One shape for each form of writing: a single value, a list or a map. None: that form is not allowed."""

    scalar: Shape | None = None
    sequence: Shape | None = None
    mapping: Shape | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Use(Shape):
    """A map with named fields: the record of that name."""

    record: str


#: A list of steps: what `do`, `then`, `setup` and the like hold.
STEPS = ListOf(item=Use(record="step"))


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a record. `example` is the YAML of a value; `default` says what holds when the key is left out."""

    name: str
    meaning: str
    shape: Shape
    example: str
    required: bool = False
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """One of the forms of a record, known by its first field's key (its tag)."""

    fields: tuple[Field, ...]
    example: str

    @property
    def tag(self) -> str:
        return self.fields[0].name

    @property
    def meaning(self) -> str:
        return self.fields[0].meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A map with named fields.

    `what` names one such thing in messages ("zone"); `tags` names the forms' tags together ("a verb").
    With `forms`, exactly one tag must be there. `others` is the shape of keys that are no fields.
    A `single` record holds exactly one key. A `partial` one may be spread over files, so that only the whole game
    shows what it lacks.
    """

    name: str
    what: str
    meaning: str
    fields: tuple[Field, ...] = ()
    forms: tuple[Form, ...] = ()
    tags: str = ""
    others: MapOf | None = None
    single: bool = False
    partial: bool = False

    def form(self, tag: str) -> Form | None:
        """The form with this tag."""
        return next((form for form in self.forms if form.tag == tag), None)

    def field(self, name: str) -> Field | None:
        """The field of this name, of the record or of the first form that has it."""
        return next((field for field in self.all_fields() if field.name == name), None)

    def all_fields(self) -> Iterator[Field]:
        """The common fields, then those of each form."""
        yield from self.fields
        for form in self.forms:
            yield from form.fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """One word or sign of the expression language, for the reference and for completion."""

    name: str
    form: str
    gives: str
    meaning: str
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """Everything that can be declared. `root` is a whole file, its fields are the sections."""

    root: Record
    records: tuple[Record, ...]
    operators: tuple[Operator, ...]
    builtins: tuple[Operator, ...]
    members: tuple[Operator, ...]
    types: tuple[Operator, ...]
    scopes: tuple[tuple[str, str], ...]

    def record(self, name: str) -> Record:
        """The record of that name; KeyError when there is none."""
        for record in self.records:
            if record.name == name:
                return record
        raise KeyError(name)
