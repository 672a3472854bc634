"""Everything that can be wrong with what people read.

check_messages(built.context, tree, problems, built.program, source.engine)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.expr import ast
from rulespec.expr.parse import parse_expression
from rulespec.lower.context import Context
from rulespec.lower.ir import Program
from rulespec.messages.book import check_book
from rulespec.messages.cycles import Lowered, Mentions
from rulespec.messages.engine import PREFIX, engine_messages, placeholders
from rulespec.messages.forms import Chooser, check_numbers
from rulespec.messages.game import Game, is_whole
from rulespec.messages.hidden import check_hidden, check_told
from rulespec.messages.keys import Use, uses
from rulespec.messages.needs import (
    check_extra,
    check_languages,
    check_missing,
    missing_keys,
    report_unused,
    required_languages,
)
from rulespec.messages.pattern import Place, languages
from rulespec.messages.places import check_places
from rulespec.messages.rules import check_rules
from rulespec.messages.telling import check_silent, check_zone_names
from rulespec.messages.terms import check_terms
from rulespec.messages.wording import Texts, check_language, check_words, read_message
from rulespec.model.types import Integer
from rulespec.source.nodes import Mapping, Scalar
from rulespec.source.nodes import Sequence as SequenceNode


def check_messages(
    cx: Context,
    tree: Mapping,
    problems: Problems,
    program: Program | None = None,
    engine: Sequence[Mapping] | None = None,
) -> None:
    """Reports faults of the messages, terms and rules of a game.

    `program` is the game's program and `engine` the files of the engine's own words; each is made here where it is
    not given. Where the game has other errors, nothing is said of what is missing or not used.
    """
    is_sound = not cx.problems.has_errors  # before this adds any, where it is the same collector
    whole = is_whole(tree) and is_sound
    check_shown(cx, tree, problems, program, engine)
    check_told_rules(cx, tree, problems, is_sound=is_sound)
    check_terms(tree, problems, whole=whole)


def check_shown(
    cx: Context,
    tree: Mapping,
    problems: Problems,
    program: Program | None = None,
    engine: Sequence[Mapping] | None = None,
) -> None:
    """As `check_messages`, but for rules, the book and terms.

    Of the words of a text between its placeholders it reads only whether there are any: what it says is kept by the
    rest (`rulespec.kept.wordings`), which whatever else is read here has to come into.
    """
    is_sound = not cx.problems.has_errors
    whole = not cx.parsed.broken_in(tree) and is_sound
    with _reports_to(cx, Problems()):
        program = program or _program(cx)
        game = Game.of(cx, tree, program)
    with _reports_to(cx, problems):
        _check_game(game, problems, engine, whole=whole)
        if whole and game.messages is not None:
            check_silent(game, program, problems)
            check_zone_names(game, program, problems)
        check_hidden(game, problems, backs=is_sound)
        _check_titles(tree, problems)


def check_told_rules(cx: Context, tree: Mapping, problems: Problems, *, is_sound: bool) -> None:
    """Reports faults of the texts of rules and of the book, which go by what is declared alone, without a program.

    Of the words of a text it reads as little as `check_shown`. `is_sound`: nothing that is declared has an error.
    """
    whole = not cx.parsed.broken_in(tree) and is_sound
    with _reports_to(cx, problems):
        check_rules(cx, tree, problems, whole=whole)
        check_book(cx, tree, problems, whole=whole)


def keys_of(cx: Context, tree: Mapping, program: Program) -> set[str]:
    """The messages that a game shows, as far as it has them, and those that it needs."""
    with _reports_to(cx, Problems()):
        game = Game.for_keys(cx, tree, program)
        return {use.key for use in uses(game) if use.needed or game.has(use.key)}


@contextmanager
def _reports_to(cx: Context, problems: Problems) -> Iterator[None]:
    """The context with another collector."""
    kept = cx.problems, cx.world.problems
    cx.problems = cx.world.problems = problems
    try:
        yield
    finally:
        cx.problems, cx.world.problems = kept


def _program(cx: Context) -> Program:
    from rulespec.lower.program import lower_program

    return lower_program(cx)


def check_engine(trees: Sequence[Mapping], problems: Problems) -> None:
    """Reports faults of the engine's own words by themselves."""
    for message in engine_messages(trees, problems).values():
        _check_engine_text(message, message, problems)


# ---- messages ---------------------------------------------------------------------------------------


def _check_game(game: Game, problems: Problems, engine: Sequence[Mapping] | None, *, whole: bool) -> None:
    known: dict[str, list[Use]] = {}
    for use in uses(game):
        known.setdefault(use.key, []).append(use)
    wanted = required_languages(game.tree)
    own = _Engine(engine)
    mentions = Mentions(game.cx.world)
    every = [use for found in known.values() for use in found]
    missing, strays = missing_keys(game, every) if wanted else frozenset(), dict[str, Scalar]()
    for key, node in game.messages.pairs if game.messages is not None else ():
        if not isinstance(node, Mapping):
            continue
        if key.text.startswith(PREFIX):
            if own.check(key, node, problems):
                continue
        elif key.text in known:
            mentions.add(key.text, _check_message(game, key, node, known[key.text], problems))
        elif whole:
            meant = report_unused(key, known, game.messages, problems, missing)
            strays.update({} if meant is None else {meant: key})
            read_message(node, problems)
        check_languages(key, node, wanted, problems)
    mentions.check(problems)
    if game.messages is None:
        _note_silence(game, problems)
    elif whole:
        check_missing(game, wanted, every, strays, problems)
        check_extra(game, wanted, problems)


def _check_message(game: Game, key: Scalar, node: Mapping, found: list[Use], problems: Problems) -> Lowered:
    """Reports faults of one message; gives its placeholders, lowered."""
    texts = read_message(node, problems)
    places = [use.names for use in found if use.names is not None]
    if len(places) < len(found):
        return []
    hint = _split_hint(game, key.text)
    lowered = list(check_places(game.cx, texts, node.get("select"), places, problems, hint))
    check_told(game, key.text, lowered, problems)
    return lowered


def _split_hint(game: Game, key: str) -> str | None:
    """How the decisions of an action get texts of their own."""
    action, _, what = key.rpartition(".")
    own = dict.fromkeys(d.ask.id for d in game.decisions if d.ask.action == action and d.ask.id != action)
    listed = ", ".join(f"`{action}.{name}.{what}`" for name in own)
    return f"Give each decision a text of its own: {listed}." if listed else None


def _note_silence(game: Game, problems: Problems) -> None:
    """A game without any messages is noted once."""
    section = game.tree.get("game")
    name = section.key_node("title") if isinstance(section, Mapping) else None
    if name is not None and "messages" not in game.tree.broken:
        problems.add("RS524", name.span)


# ---- the engine's words -----------------------------------------------------------------------------


class _Engine:
    """The engine's messages, for games that say some of them otherwise."""

    def __init__(self, trees: Sequence[Mapping] | None):
        self._trees = trees
        self._messages: dict[str, Mapping] | None = None

    def check(self, key: Scalar, node: Mapping, problems: Problems) -> bool:
        """Reports faults; gives whether the text only adds languages, and says nothing that the engine says itself."""
        if self._messages is None:
            self._messages = engine_messages(self._trees or _shipped())
        original = self._messages.get(key.text)
        if original is None:
            report_unused(key, self._messages, None, problems)
            return False
        _check_engine_text(node, original, problems)
        return not {code.text for code, _ in languages(node)} & {code.text for code, _ in languages(original)}


def _shipped() -> Sequence[Mapping]:
    from rulespec.game_source import engine_trees

    return engine_trees(Problems())


def _check_engine_text(message: Mapping, original: Mapping, problems: Problems) -> None:
    """Reports faults of a text of the engine's; `original` is its own text of that key."""
    texts, names = read_message(message, problems), placeholders(original)
    for place in _all_places(texts):
        written = place.expression
        if not (isinstance(written, ast.Name) and written.name in names):
            known = ", ".join(f"`{name}`" for name in sorted(names))
            near, hint = near_to(place.span.text.strip(), names), f"Known here: {known}." if known else None
            problems.add("RS301", place.span, name=place.span.text.strip(), hint=hint, near=near)
    select = message.get("select") or original.get("select")
    chosen_by = None if select is None else parse_expression(select, Problems())
    if chosen_by is not None:
        for language, variants in texts.items():
            check_numbers(language, variants, Chooser(chosen_by, Integer()), problems)


def _all_places(texts: Texts) -> Iterator[Place]:
    for variants in texts.values():
        for text in variants.texts.values():
            yield from text.places


# ---- titles -----------------------------------------------------------------------------------------


def _check_titles(tree: Mapping, problems: Problems) -> None:
    """Languages of the titles of the game and its options, and those that every text must stand in."""
    game = tree.get("game")
    if not isinstance(game, Mapping):
        return
    options = game.get("options")
    entries = options.pairs if isinstance(options, Mapping) else ()
    for entry in (game, *(option for _, option in entries if isinstance(option, Mapping))):
        title, name = entry.get("title"), entry.key_node("title")
        if isinstance(title, Mapping) and name is not None:
            for key, text in title.pairs:
                check_language(key, problems)
                check_words(text, problems)
            check_languages(name, title, required_languages(tree), problems)
    declared = game.get("languages")
    for item in declared.items if isinstance(declared, SequenceNode) else ():
        if isinstance(item, Scalar):
            check_language(item, problems)
