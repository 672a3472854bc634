"""A start for a translation: every text that a language lacks, in the language that it is copied from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from rulespec.messages.wording import NOT_FORMS
from rulespec.source.tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from rulespec.game_source import GameSource

#: The language that texts are copied from, where they have it.
_PREFERRED: Final = "en"

#: What stands among the languages of a text and is none.
_NOT_LANGUAGES: Final = frozenset({"select", "note", "suppress", "about", "source", "parent"})

_HEAD: Final = """\
# Texts in {code}, to be translated: each still stands in the language that it was copied from. What is in {{ }} is
# filled in when the text is shown and stays as it is; its place in the sentence is free.
"""

#: A key that needs no quotes.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]+")

#: A text's path from the top of a file, and the text or its plural forms.
_Entry = tuple[tuple[str, ...], "str | dict[str, str]"]


def engine_texts(code: str) -> dict[str, str]:
    """The file of the engine's own words in a language, by name; none when the language has all of them."""
    from rulespec.diagnostics.model import Problems
    from rulespec.game_source import engine_trees
    from rulespec.overlay.merge import merge

    trees = engine_trees(Problems())
    found = list(_missing(merge(trees, Problems()), code)) if trees else []
    return {f"engine.{code}.yaml": _file(code, found, "")} if found else {}


def game_texts(source: GameSource, code: str, *, is_pack: bool) -> dict[str, str]:
    """Files with the texts that a game, and each of its variants, lacks in a language; by name."""
    pack = f"pack: {{game: {source.id}}}\n" if is_pack else ""
    start = f"{source.id}." if is_pack else "texts."
    files = {}
    found = list(_missing(source.base, code))
    if found:
        files[f"{start}{code}.yaml"] = _file(code, found, pack)
    for variant in source.variants.values():
        found = list(_missing(variant.tree, code))
        if found:
            own = [((("variant", "id")), variant.id), *found]
            files[f"{start}{code}.{variant.id}.yaml"] = _file(code, own, pack)
    return files


# ---- finding ---------------------------------------------------------------------------------------------------------


def _missing(tree: Mapping, code: str) -> Iterator[_Entry]:
    """Every text without this language."""
    found: dict[tuple[str, ...], Mapping] = {}
    for path, texts in _texts(tree):
        found.setdefault(path, texts)
    for path, texts in found.items():
        languages = [key.text for key, _ in texts.pairs if key.text not in _NOT_LANGUAGES]
        if code in languages or not languages:
            continue
        node = texts.get(_PREFERRED if _PREFERRED in languages else languages[0])
        forms = _forms(node, code)
        if forms:
            yield (*path, code), forms


def _texts(tree: Mapping) -> Iterator[tuple[tuple[str, ...], Mapping]]:
    """Every map from languages to texts, with its path."""
    yield from _titles(tree)
    yield from _headings(tree)
    yield from _replaced(tree)
    for section in ("messages", "terms"):
        yield from (((section, name), entry) for name, entry in _maps(tree.get(section)))
    for name, rule in _maps(tree.get("rules")):
        yield from ((("rules", name, key), value) for key, value in _maps(rule) if key in ("title", "text"))


def _titles(tree: Mapping) -> Iterator[tuple[tuple[str, ...], Mapping]]:
    for section in ("game", "variant"):
        for key, value in _maps(tree.get(section)):
            if key == "title":
                yield (section, key), value
            elif key == "options":
                for name, option in _maps(value):
                    yield from (
                        ((section, key, name, inner), each) for inner, each in _maps(option) if inner == "title"
                    )


def _replaced(tree: Mapping) -> Iterator[tuple[tuple[str, ...], Mapping]]:
    """The texts that a variant puts in the place of the game's: a language is added where they stand in the game."""
    variant = tree.get("variant")
    changes = variant.get("changes") if isinstance(variant, Mapping) else None
    for change in changes.items if isinstance(changes, Sequence) else ():
        path, texts = (change.get("replace"), change.get("is")) if isinstance(change, Mapping) else (None, None)
        place = _place_of_text(path.text) if isinstance(path, Scalar) else None
        if place is None or not isinstance(texts, Mapping):
            continue
        added: Node | None = tree
        for name in place:
            added = added.get(name) if isinstance(added, Mapping) else None
        yield place, Mapping(texts.span, (*texts.pairs, *(added.pairs if isinstance(added, Mapping) else ())))


def _place_of_text(path: str) -> tuple[str, ...] | None:
    """`messages.KEY`, in which KEY may have dots, or `rules.NAME.text`; None for what is no text."""
    section, _, rest = path.partition(".")
    if section == "messages":
        return section, rest
    name, _, field = rest.rpartition(".")
    return (section, name, field) if section == "rules" and field in ("text", "title") else None


def _headings(tree: Mapping) -> Iterator[tuple[tuple[str, ...], Mapping]]:
    """The titles of the book, each once: what adds a language to them stands under their first text."""
    from rulespec.messages.book import titles_of

    book = tree.get("book")
    words = book.get("words") if isinstance(book, Mapping) else None
    for title in {_first(each): each for each in titles_of(book)}.values() if isinstance(book, Mapping) else ():
        first = _first(title)
        known = words.get(first) if isinstance(words, Mapping) else None
        more = known.pairs if isinstance(known, Mapping) else ()
        yield ("book", "words", first), Mapping(title.span, (*title.pairs, *more))


def _first(title: Mapping) -> str:
    return next((text.text for _, text in title.pairs if isinstance(text, Scalar)), "")


def _maps(node: Node | None) -> Iterator[tuple[str, Mapping]]:
    for key, value in node.pairs if isinstance(node, Mapping) else ():
        if isinstance(value, Mapping):
            yield key.text, value


def _forms(node: Node | None, code: str) -> str | dict[str, str]:
    """A text, or the plural forms that the new language needs, each from the form that is nearest to it."""
    if isinstance(node, Scalar):
        return node.text
    pairs = node.pairs if isinstance(node, Mapping) else ()
    forms = {key.text: value.text for key, value in pairs if isinstance(value, Scalar) and key.text not in NOT_FORMS}
    other = forms.get("other", next(iter(forms.values()), ""))
    numbers = {form: text for form, text in forms.items() if form.isdigit()}
    return {**numbers, **{category: forms.get(category, other) for category in _categories(code)}}


def _categories(code: str) -> Iterable[str]:
    """The plural categories of a language, `other` last."""
    from rulespec.messages.plurals import categories

    return categories(code)


# ---- writing ---------------------------------------------------------------------------------------------------------


def _file(code: str, entries: Iterable[_Entry], pack: str) -> str:
    """A content file with these texts."""
    tree: dict[str, object] = {}
    for path, text in entries:
        here = tree
        for name in path[:-1]:
            here = here.setdefault(name, {})  # type: ignore[assignment]
        here[path[-1]] = text
    return _HEAD.format(code=code) + pack + "".join(f"{line}\n" for line in _lines(tree, ""))


def _lines(tree: dict[str, object], indent: str) -> Iterator[str]:
    for key, value in tree.items():
        name = key if _PLAIN.fullmatch(key) else json.dumps(key, ensure_ascii=False)
        if isinstance(value, dict):
            yield f"{indent}{name}:"
            yield from _lines(value, f"{indent}  ")
        elif name == "id":
            yield f"{indent}{name}: {value}"
        else:
            yield f"{indent}{name}: {json.dumps(value, ensure_ascii=False)}"
