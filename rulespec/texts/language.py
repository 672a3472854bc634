"""The words of languages: inflection, numbers, may and must, denials, and the words that all games use.

All of it is data, in `words/` beside this module: a file for each language. A language without a file of its own has
those of what it is a kind of (`fr-CA` is read as `fr`), or else no words, and is taken to part its words by spaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from rulespec.texts.glossary import Concept, Form
from rulespec.texts.own_files import read_data
from rulespec.texts.regions import bases

_FOLDER: Final = "words"


@dataclass(frozen=True)
class Language:
    """One language's words.

    `endings` take a word to its base: the first ending that fits is replaced. `numbers` are number words with
    their values beside those that CLDR spells (`rulespec.texts.spellout`), `ordinals` count places, `articles`
    stand for *one* in a hundred, `ordinal_endings` what makes digits such a one, `slight` those
    that can also mean something else. `moods` say which of must, may, cannot and need_not a phrase is, and which turns
    only look like a denial; `denials` what denies, `harmless` what looks like a denial or a mood and is none, `loose`
    what denies a thing and nothing that is done. `implied` are concepts
    that a sentence can leave out. `labels` say what sort of paragraph begins. In the file, `beside` says
    what does not stand beside a form of a concept.
    """

    code: str
    spaces: bool = True
    endings: tuple[tuple[str, str], ...] = ()
    whole: frozenset[str] = frozenset()
    numbers: dict[str, int] = field(default_factory=dict)
    ordinals: dict[str, int] = field(default_factory=dict)
    slight: frozenset[str] = frozenset()
    articles: tuple[str, ...] = ()
    ordinal_endings: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    moods: re.Pattern[str] | None = None
    denials: re.Pattern[str] | None = None
    loose: re.Pattern[str] | None = None
    bounds: tuple[tuple[re.Pattern[str], str, int], ...] = ()
    concepts: dict[str, Concept] = field(default_factory=dict)
    abbreviations: frozenset[str] = frozenset()
    implied: frozenset[str] = frozenset()
    labels: tuple[tuple[re.Pattern[str], str], ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether there are words of it: without them only digits and the terms of a game are read."""
        return self.moods is not None

    def base(self, word: str) -> str:
        """A word, folded, without its inflection."""
        if word in self.whole:
            return word
        for ending, instead in self.endings:
            if word.endswith(ending) and len(word) - len(ending) >= 2:
                return word[: len(word) - len(ending)] + instead
        return word


@cache
def language_of(code: str) -> Language:
    """The words of a language, or of what it is a kind of."""
    for base in bases(code):
        path = files("rulespec.texts").joinpath(_FOLDER, f"{base}.yaml")
        if path.is_file():
            return _language(code, base, read_data(path))
    return Language(code)


def _language(code: str, base: str, data: dict[str, Any]) -> Language:
    return Language(
        code,
        spaces=data.get("spaces", True),
        endings=tuple((str(ending), str(instead)) for ending, instead in data.get("endings", ())),
        whole=frozenset(data.get("whole", ())),
        numbers=_values(data, "numbers"),
        ordinals=_values(data, "ordinals"),
        slight=frozenset(data.get("slight", ())),
        articles=tuple(data.get("articles", ())),
        ordinal_endings=tuple(data.get("ordinal_endings", ())),
        counters=tuple(data.get("counters", ())),
        moods=_moods(data),
        denials=_named({"harmless": data.get("harmless", ()), "denied": data.get("denials", ())}),
        loose=re.compile("|".join(data["loose"])) if "loose" in data else None,
        bounds=tuple((re.compile(one["form"]), one["is"], one.get("add", 0)) for one in data.get("bounds", ())),
        concepts=_concepts(base, data),
        abbreviations=frozenset(data.get("abbreviations", ())),
        implied=frozenset(data.get("implied", ())),
        labels=tuple((re.compile(form), kind) for form, kind in data.get("labels", {}).items()),
    )


def _values(data: dict[str, Any], key: str) -> dict[str, int]:
    return {word: int(value) for value, words in data.get(key, {}).items() for word in words}


def _moods(data: dict[str, Any]) -> re.Pattern[str] | None:
    moods = data.get("moods", {})
    return _named({"harmless": data.get("harmless", ()), **data.get("turns", {}), **moods})


def _named(kinds: dict[str, Any]) -> re.Pattern[str] | None:
    """One expression for all kinds: which group holds the find says its kind. What stands first is tried first."""
    parts = [f"(?P<{kind}>{'|'.join(forms)})" for kind, forms in kinds.items() if forms]
    return re.compile("|".join(parts)) if parts else None


def _concepts(code: str, data: dict[str, Any]) -> dict[str, Concept]:
    """The general words. A form has the same neighbours that it may not have, whatever concept it stands for."""
    beside = {
        form: Form(form, not_before=tuple(sides.get("not_before", ())), not_after=tuple(sides.get("not_after", ())))
        for form, sides in data.get("beside", {}).items()
    }
    return {name: _concept(code, name, entry, beside) for name, entry in data.get("concepts", {}).items()}


def _concept(code: str, name: str, entry: Any, beside: dict[str, Form]) -> Concept:
    forms = [beside.get(text, Form(text)) for text in map(str, entry.get("forms", ()))]
    weak = [replace(beside.get(text, Form(text)), weak=True) for text in map(str, entry.get("weak", ()))]
    return Concept(name, entry.get("kind_of"), {code: (*forms, *weak)}, group=entry["group"])
