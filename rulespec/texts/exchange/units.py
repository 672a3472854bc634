"""The texts of a game in one language beside those it was written in: a unit for each rule or message, or plural form.

    units = units_of(texts, "fr")
    taken = take(texts, "fr", [Given("rules.hand_limit", "Each …", "Chacun …")])    # edits, and what is not taken

A unit's id is the section and the name, with the variant before it and the plural form behind it where there are any:
`rules.hand_limit`, `hurry:messages.log.draw:one`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from rulespec.diagnostics.fixes import Edit, quoted
from rulespec.diagnostics.model import Problems
from rulespec.messages.mends import TO_WRITE
from rulespec.messages.pattern import languages
from rulespec.messages.plurals import CATEGORIES, categories, plural_category
from rulespec.source.characters import FOREIGN, TURNING
from rulespec.source.entries import added_entry, as_key
from rulespec.source.nodes import MAX_TEXT
from rulespec.source.text import Span
from rulespec.source.tree import Mapping, Node, Scalar
from rulespec.texts.check.entries import Entry, Texts
from rulespec.texts.check.lock import Lock, fingerprint_of, key_of, read_lock

MISSING: Final = "missing"
STALE: Final = "stale"
DONE: Final = "translated"
#: The form of a text that is written once for all numbers.
ONCE: Final = ""
_HIGHEST: Final = 1_000
_ODD: Final = re.compile(r"[^\w.\-]")  #: what an id of XLIFF may not hold
_PLACE: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_UNSEEN: Final = re.compile(f"[{FOREIGN}{TURNING}\r]")


@dataclass(frozen=True, slots=True)
class Unit:
    """One text: `source` in the language that rules are written in, `target` in the other one, empty where it lacks.

    `state` is `missing`, `stale` (the rule has changed since the translation was accepted) or `translated`.
    """

    id: str
    source: str
    target: str
    state: str
    note: str
    span: Span
    entry: Entry = field(compare=False)
    form: str


@dataclass(frozen=True, slots=True)
class Given:
    """What a translator gives back: for which unit, what was translated, how, and whether they are sure of it."""

    id: str
    source: str
    target: str
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Taken:
    """Edits of the game's files, how many texts they bring, and of what is not taken the id and the reason."""

    edits: tuple[Edit, ...]
    amount: int
    left: tuple[tuple[str, str], ...]


def units_of(texts: Texts, language: str) -> list[Unit]:
    """All rules and messages that have a text in the language they are written in, in the order of the files."""
    lock = read_lock(texts.source.folder, Problems())
    return [
        unit
        for section, entries in (("rules", texts.rules), ("messages", texts.messages))
        for entry in entries
        for unit in _units(texts, lock, section, entry, language)
    ]


def _units(texts: Texts, lock: Lock, section: str, entry: Entry, language: str) -> Iterator[Unit]:
    written = {form: text.node for form, text in entry.texts.get(texts.first, {}).items()}
    if not written:
        return
    own = {form: text.node for form, text in entry.texts.get(language, {}).items()}
    is_old = _is_stale(texts, lock, entry, language)
    for form in _forms(texts, entry, language):
        source = written.get(form) or written.get("other") or next(iter(written.values()))
        found = own.get(form or "other")
        target = "" if found is None or found.text.lstrip().startswith(TO_WRITE) else found.text
        state = MISSING if not target else STALE if is_old else DONE
        name = _ODD.sub("_", entry.name)
        before = f"{_ODD.sub('_', entry.variant.id)}:" if entry.variant is not None else ""
        after = f":{form}" if form else ""
        yield Unit(f"{before}{section}.{name}{after}", source.text, target, state, _note(entry, form), source.span,
                   entry, form)  # fmt: skip


def _forms(texts: Texts, entry: Entry, language: str) -> list[str]:
    """The plural forms and exact numbers that a text is to have in a language."""
    source, own = _value(entry, texts.first), _value(entry, language)
    if not isinstance(source, Mapping) and not isinstance(own, Mapping):
        return [ONCE]
    found = list(own.keys()) if isinstance(own, Mapping) else []
    found += [form for form in (source.keys() if isinstance(source, Mapping) else ()) if form not in CATEGORIES]
    return list(dict.fromkeys([*found, *(_plurals(language) if isinstance(source, Mapping) else ())]))


@cache
def _plurals(language: str) -> tuple[str, ...]:
    """The plural forms of a language, but those of numbers that no game has, such as of a million in French."""
    met = {plural_category(language, number) for number in range(_HIGHEST)}
    return tuple(form for form in categories(language) if form in met or form == "other")


def _value(entry: Entry, language: str) -> Node | None:
    """What stands in the file for a language."""
    return next((value for key, value in languages(_texts_node(entry)) if key.text == language), None)


def _texts_node(entry: Entry) -> Mapping:
    text = entry.rule.get("text") if entry.rule is not None else entry.node
    return text if isinstance(text, Mapping) else Mapping(entry.node.span, ())


def _is_stale(texts: Texts, lock: Lock, entry: Entry, language: str) -> bool:
    accepted = lock.accepted(entry, language) if entry.rule is not None else None
    return accepted is not None and accepted != fingerprint_of(entry, texts.first, texts.tree(entry))


def _note(entry: Entry, form: str) -> str:
    """What a translator is told: what the text is, and for which numbers."""
    about = "A rule" if entry.rule is not None else "A message"
    where = f"{about}: {key_of(entry)}."
    if not form:
        return where
    return f"{where} For {form} alone." if form not in CATEGORIES else f"{where} The plural form `{form}`."


# ---- back -----------------------------------------------------------------------------------------------------------


def take(texts: Texts, language: str, given: Iterable[Given], *, unsure: bool = False) -> Taken:
    """What is given as edits of the files: nothing twice, and nothing that was translated from another text."""
    units = {unit.id: unit for unit in units_of(texts, language)}
    new: dict[int, dict[str, Given]] = {}
    left: list[tuple[str, str]] = []
    for each in _once(given, left):
        unit = units.get(each.id)
        if not each.target.strip() or (unit is not None and each.target == unit.target):
            continue
        reason = _refused(unit, each, unsure)
        if unit is None or reason is not None:
            left.append((each.id or "a text without an id", reason or ""))
        else:
            new.setdefault(id(unit.entry), {})[unit.form] = each
    edits, amount = list[Edit](), 0
    for entry in (*texts.rules, *texts.messages):
        forms = new.get(id(entry), {})
        if forms and not _has_other(entry, language, forms):
            left += [(each.id, "the text for all other numbers (`other`) is missing") for each in forms.values()]
        elif forms:
            edits += _edits(entry, texts.first, language, {form: each.target for form, each in forms.items()})
            amount += len(forms)
    return Taken(tuple(edits), amount, tuple(left))


def _once(given: Iterable[Given], left: list[tuple[str, str]]) -> Iterator[Given]:
    """Each unit once; one that stands there with two texts is named in `left`."""
    by_id: dict[str, list[Given]] = {}
    for each in given:
        if each.target.strip():
            by_id.setdefault(each.id, []).append(each)
    for name, those in by_id.items():
        if len({(each.source, each.target) for each in those}) > 1 and name:
            left.append((name, "it stands there with two texts"))
        else:
            yield from those if not name else those[:1]


def _has_other(entry: Entry, language: str, new: dict[str, Given]) -> bool:
    """Whether a text has a form for all numbers once new forms are there."""
    return ONCE in new or "other" in new or bool(entry.texts.get(language, {}).get("other"))


def _refused(unit: Unit | None, given: Given, unsure: bool) -> str | None:
    """Why a text is not taken."""
    if unit is None:
        return "the game has no such text"
    if given.source.split() != unit.source.split():  # programs change blanks
        return f"the text was translated from another one; now it is: {unit.source}"
    if not given.is_sure and not unsure:
        return "it is marked as not sure"
    if len(given.target) > MAX_TEXT:
        return f"it has more than {MAX_TEXT:,} characters"
    unseen = _UNSEEN.search(given.target)
    if unseen is not None:
        return f"it holds the character U+{ord(unseen[0]):04X}, which nobody sees"
    own = {name for forms in unit.entry.texts.values() for text in forms.values() for name in _named(text.node.text)}
    other = [name for name in _named(given.target) if name not in own]
    if other:
        return f"it has {{{other[0]}}}, which the text has in no language"
    if "{}" in given.target:
        return "it has {} with nothing in it"
    rest = _PLACE.sub("", given.target)
    return "it has a brace without its other one" if "{" in rest or "}" in rest else None


def _named(text: str) -> list[str]:
    """What stands in the placeholders of a text."""
    return [name for name in _PLACE.findall(text) if name]


def _edits(entry: Entry, first: str, language: str, new: dict[str, str]) -> Iterator[Edit]:
    """What puts the forms of one text into its file."""
    around, value = _texts_node(entry), _value(entry, language)
    if value is None:
        there = [pair for pair in languages(around) if pair[1].span.file is around.span.file or pair[0].text == first]
        yield added_entry(there[-1], f"{as_key(language)}: {_written(new)}")
    elif isinstance(value, Scalar):
        kept = {} if ONCE in new or "other" in new else {"other": value.text}
        yield Edit(value.span, _written({**new, **kept}) + _remark(value))
    elif isinstance(value, Mapping):
        known = dict(zip(value.keys(), value.pairs, strict=True))
        for form, text in new.items():
            if form in known:
                yield Edit(known[form][1].span, _as_yaml(text) + _remark(known[form][1]))
            else:
                yield added_entry(value.pairs[-1], f"{as_key(form)}: {_as_yaml(text)}")


def _remark(value: Node) -> str:
    """The comment behind the sign of a block, which would go with the block."""
    head = value.span.text.partition("\n")[0].rstrip() if isinstance(value, Scalar) else ""
    at = head.find(" #") if head[:1] in ("|", ">") else -1
    return "" if at < 0 else f"  {head[at:].strip()}"


def _written(new: dict[str, str]) -> str:
    """A text, or its forms, as a value of YAML on one line."""
    if list(new) == [ONCE]:
        return _as_yaml(new[ONCE])
    return "{" + ", ".join(f"{form}: {_as_yaml(text)}" for form, text in new.items()) + "}"


def _as_yaml(text: str) -> str:
    """A text in quotes, of the kind that keeps it."""
    return quoted(text) if text == " ".join(text.split()) else json.dumps(text, ensure_ascii=False)
