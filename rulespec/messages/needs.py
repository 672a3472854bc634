"""Messages that are missing, in all languages or in some, and messages that nothing shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rulespec.diagnostics.fixes import Fix, changed
from rulespec.diagnostics.model import Problems, Related
from rulespec.diagnostics.nearest import Near, near_to
from rulespec.messages.game import Game
from rulespec.messages.keys import Use
from rulespec.messages.mends import missing_languages, missing_message, unused_message
from rulespec.messages.pattern import languages
from rulespec.messages.plurals import is_language
from rulespec.messages.wording import listed
from rulespec.overlay.paths import written_at
from rulespec.source.nodes import Mapping, Node, Scalar, Sequence


def required_languages(tree: Mapping) -> tuple[str, ...]:
    """The languages in which every text must stand: those of `languages`, else those of the game's title."""
    game = tree.get("game")
    declared = game.get("languages") if isinstance(game, Mapping) else None
    if isinstance(declared, Sequence):
        return tuple(item.text for item in declared.items if isinstance(item, Scalar))
    title = game.get("title") if isinstance(game, Mapping) else None
    return tuple(key.text for key, _ in languages(title)) if isinstance(title, Mapping) else ()


def languages_of_game(tree: Mapping) -> tuple[str, ...]:
    """The languages in which a game has texts to read: those that are asked for, and those of its rules."""
    found = [*required_languages(tree)]
    for _, rule in _pairs(tree.get("rules")):
        text = rule.get("text") if isinstance(rule, Mapping) else None
        found += [key.text for key, _ in languages(text)] if isinstance(text, Mapping) else []
    return tuple(language for language in dict.fromkeys(found) if is_language(language))


def missing_keys(game: Game, uses: Iterable[Use]) -> frozenset[str]:
    """The messages that the game needs and has not."""
    return frozenset(use.key for use in uses if use.needed and use.span is not None and not game.has(use.key))


def check_missing(
    game: Game, wanted: tuple[str, ...], uses: Iterable[Use], strays: dict[str, Scalar], problems: Problems
) -> None:
    """Reports every message that the game needs and has not, at what it would name.

    `strays` are messages that nothing shows, by the missing key that each is like: the two are one slip.
    """
    if not wanted:
        return
    told: set[str] = set()
    for use in uses:
        if use.needed and use.span is not None and not game.has(use.key) and use.key not in told:
            told.add(use.key)
            stray, hint = strays.get(use.key), f"It says {use.what}."
            if stray is not None:
                hint = f"{hint} Did you mean `{stray.text}`, which nothing shows?"
            related = () if stray is None else (Related(f"`{stray.text}` stands here", stray.span),)
            fixes = tuple[Fix, ...]()
            if stray is not None:
                fixes = (changed(stray.span, use.key),)
            elif not problems.is_crowded:  # each looks for its like among all messages
                fixes = missing_message(game.messages, use.key, use.span, wanted)
            problems.add(
                "RS505", use.span, hint=hint, related=related, fixes=fixes, key=use.key, languages=listed(wanted)
            )


def check_languages(key: Scalar, message: Mapping, wanted: tuple[str, ...], problems: Problems) -> None:
    """Reports the languages that a message lacks: the game's first one is an error, the others are warnings."""
    have = {code.text for code, _ in languages(message)} | set(message.broken)
    lacking = [language for language in wanted if language not in have]
    strange = [code for code in have if not is_language(code)]  # reported, and perhaps what is lacking
    if len(lacking) > len(strange):
        code = "RS505" if lacking[0] == wanted[0] else "RS506"
        fixes = () if strange else missing_languages(message, lacking)
        problems.add(code, written_at(key, message), key=key.text, languages=listed(lacking), fixes=fixes)


def check_extra(game: Game, wanted: tuple[str, ...], problems: Problems) -> None:
    """Notes languages that the game does not ask for and that lack some of its texts; or the title alone."""
    entries = [node for _, node in _pairs(game.messages) if isinstance(node, Mapping)]
    extra: dict[str, Scalar] = {}
    for entry in entries:
        for code, _ in languages(entry):
            if code.text not in wanted and is_language(code.text):
                extra.setdefault(code.text, code)
    for name, code in extra.items():
        missing = sum(name not in entry for entry in entries)
        if missing:
            problems.add("RS525", code.span, language=name, missing=missing, all=len(entries))
        elif (title := _title_without(game.tree, name)) is not None:
            problems.add("RS506", title.span, hint=f"All messages stand in {name}.", key="title", languages=name)


def _title_without(tree: Mapping, language: str) -> Scalar | None:
    """The key of the game's title where that lacks a language, and nothing else says which ones are asked for."""
    game = tree.get("game")
    if not isinstance(game, Mapping) or "languages" in game or "languages" in game.broken:
        return None
    title = game.get("title")
    lacks = isinstance(title, Mapping) and language not in title and language not in title.broken
    return game.key_node("title") if lacks else None


def _pairs(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    yield from node.pairs if isinstance(node, Mapping) else ()


def report_unused(
    key: Scalar, known: Iterable[str], messages: Mapping | None, problems: Problems, missing: Collection[str] = ()
) -> str | None:
    """Reports a message that nothing shows; the hint is a key that the game has no message for.

    Where that key is `missing`, it is given and nothing is reported: see `check_missing`.
    """
    free = [name for name in known if messages is None or name not in messages]
    near = None if problems.is_crowded else near_to(key.text, free) or _tail(key.text, free)
    if near is not None and near.name in missing:
        return near.name
    fixes = () if near is not None or messages is None or problems.is_crowded else unused_message(messages, key)
    problems.add("RS507", key.span, key=key.text, near=near, fixes=fixes)
    return None


def _tail(key: str, known: Iterable[str]) -> Near | None:
    """A key of the same kind of thing whose last part is nearest: `score.lines` for `scores.line`."""
    head, _, last = key.rpartition(".")
    same = {name.rpartition(".")[2]: name for name in known if name.rpartition(".")[0] == head and head}
    found = near_to(last, same)
    return Near(same[found.name], key, found.is_certain) if found else None
