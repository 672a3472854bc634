"""What commands share: arguments, opening a game, and showing problems."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from rulespec.diagnostics.model import ContentError, Problem, Problems
from rulespec.source.shipped import content_root
from rulespec.source.text import SourceFile, Span, readable

if TYPE_CHECKING:
    from rulespec.game_source import GameSource, Resolved
    from rulespec.overlay.paths import Found
    from rulespec.source.tree import Mapping


class UsageError(Exception):
    """The command cannot be carried out as it was typed, or what it names cannot be read. The exit status is 2.

    `problems` are those behind it, where there are some.
    """

    def __init__(self, words: str, problems: Iterable[Problem] = ()):
        super().__init__(words)
        self.problems = tuple(problems)


# ---- arguments -------------------------------------------------------------------------------------------------------


def add_game(parser: argparse.ArgumentParser) -> None:
    """The argument GAME."""
    parser.add_argument("game", metavar="GAME", help="a shipped game's id, or a game's folder")


VARIANTS = "a variant's id or file; may stand several times, and their order has no meaning"


def add_variants(parser: argparse.ArgumentParser, meaning: str = VARIANTS) -> None:
    """The option `--variant`, which may stand several times."""
    parser.add_argument(
        "--variant",
        metavar="V",
        action="append",
        default=[],
        dest="variants",
        help=meaning,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """The option `--option NAME=VALUE`, which may stand several times."""
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        dest="options",
        help="a value for one of the game's options; may stand several times",
    )


def add_cache(parser: argparse.ArgumentParser) -> None:
    """The option `--no-cache`."""
    parser.add_argument("--no-cache", action="store_true", help="neither read nor write the cache folder")


def parse_options(words: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` texts as a dictionary. Raises UsageError for another form, and for a name that stands twice."""
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise UsageError(f"--option takes NAME=VALUE, and this is {word!r}.")
        if name in options:
            raise UsageError(f"--option {name} stands twice.")
        options[name] = value
    return options


def named_languages(words: Iterable[str], known: Sequence[str]) -> list[str]:
    """The languages that `--lang` names: `fr,ja` is two, and `FR` and `fr-CA` are `fr` where only that is known.

    Raises UsageError for one that is not among the known ones.
    """
    from rulespec.messages.plurals import nearest_language

    found: list[str] = []
    for word in [part.strip() for listed in words for part in listed.split(",") if part.strip()]:
        language = nearest_language(word, known)
        if language is None:
            told = f"it has {', '.join(known)}" if known else "it names none"
            raise UsageError(f"The game has no texts in '{word}'; {told}. {where_packs_lie()}")
        found.append(language)
    return list(dict.fromkeys(found))


def where_packs_lie() -> str:
    """Where language packs of one's own are read from, as a sentence."""
    from rulespec.source.own import user_content_folder

    with suppress(RuntimeError):
        return f"Packs of your own are read from {user_content_folder()}, or with --content DIR."
    return "Packs of your own are read with --content DIR."


# ---- games -----------------------------------------------------------------------------------------------------------


def open_game(name: str) -> tuple[GameSource, Problems]:
    """Read a game, and what is wrong with its files. Raises what `refuse_game` does when there is none."""
    from rulespec.game_source import read_game

    problems = Problems()
    source = read_game(name, problems)
    if source is None:
        refuse_game(name, problems)
    return source, problems


def refuse_game(name: str, problems: Problems) -> NoReturn:
    """Raises UsageError where there is no such game, and ContentError where its files cannot be read."""
    asked = [problem for problem in problems.errors if problem.span.file.name == "command line"]
    if asked or not problems.has_errors:
        raise UsageError(first_words(Problems(asked)), asked)
    raise ContentError(placed_in(problems.items, (Path(name).resolve().parent, content_root())))


def open_resolved(name: str, variants: Sequence[str], options: Sequence[str] = ()) -> tuple[GameSource, Resolved]:
    """A game with variants, those among them that options switch on. Errors are printed to stderr.

    Warnings are for `check`. Raises UsageError when the game, a variant or an option is not there.
    """
    from rulespec.game_source import resolve_fully

    source, problems = open_game(name)
    source, ids = with_variants(source, variants)
    source, ids = with_variants(source, [*ids, *_switched(source, options, ids)])
    resolved = resolve_fully(source, ids, problems)
    if problems.has_errors:
        print_problems(placed(problems.errors, source), stream=sys.stderr)
    return source, resolved


def with_variants(source: GameSource, names: Iterable[str]) -> tuple[GameSource, list[str]]:
    """The source with variants that are given as files, and the ids of all. UsageError for one that is not there."""
    from rulespec.game_source import load_variant

    ids: list[str] = []
    for name in names:
        problems = Problems()
        loaded = load_variant(source, name, problems)
        if loaded is None:
            raise UsageError(first_words(problems), problems.items)
        source, identity = loaded
        if problems.has_errors:
            print_problems(problems.items, stream=sys.stderr)
        if identity not in ids:
            ids.append(identity)
    return source, ids


def _switched(source: GameSource, words: Iterable[str], variants: Sequence[str]) -> tuple[str, ...]:
    """The variants that options switch on. Raises UsageError for an option or a value that there is not."""
    from rulespec.overlay.options import switched_on
    from rulespec.settle import settle_options

    options = parse_options(words)
    problems = Problems()
    settle_options(source, None, options, variants, problems)
    asked = Problems(problem for problem in problems.items if problem.code in ("RS431", "RS432"))
    if asked.has_errors:
        raise UsageError(first_words(asked), asked.items)
    return switched_on(source.base, options)


def find_path(tree: Mapping, path: str) -> Found:
    """What a path leads to. Raises UsageError when it leads nowhere."""
    from rulespec.overlay.paths import Lost, find, report_lost, written

    found = find(tree, path)
    if isinstance(found, Lost):
        problems = Problems()
        report_lost(found, path, written(path, "command line"), problems)
        raise UsageError(first_words(problems))
    return found


def in_order(tree: Mapping) -> Mapping:
    """The sections in the order of the reference, whichever files they stand in."""
    from rulespec.model.registry import SECTIONS

    known = {name: number for number, name in enumerate(SECTIONS)}
    pairs = sorted(tree.pairs, key=lambda pair: known.get(pair[0].text, len(known)))
    return replace(tree, pairs=tuple(pairs))


def first_words(problems: Problems) -> str:
    """The first problem as a sentence: what is wrong with an argument has no place to point at."""
    problem = next(iter(problems.errors or problems.items), None)
    if problem is None:
        return "This cannot be read."
    file = problem.span.file.name
    words = problem.message if file == "command line" else f"{file}: {problem.message}"
    return f"{words} {problem.hint}" if problem.hint else words


def say(text: str = "", *, stream: TextIO | None = None) -> None:
    """Print text that may hold words of content, or names of files, with a mark for every character that the terminal
    would obey.
    """
    from rulespec.diagnostics.render import visible

    print("\n".join(visible(readable(line)) for line in text.split("\n")), file=stream)


# ---- problems --------------------------------------------------------------------------------------------------------


def print_problems(problems: Sequence[Problem], *, stream: object = None, told: Sequence[Problem] = ()) -> None:
    """Problems as text, in colour where the terminal has it; those that were `told` already are only counted."""
    from rulespec.diagnostics.render import render_text

    target = sys.stdout if stream is None else stream
    print(render_text(problems, colour=_has_colour(target), told=told), file=target)  # type: ignore[arg-type]


def print_problem(problem: Problem) -> None:
    """One problem as text, with an empty line behind it: more will follow."""
    from rulespec.diagnostics.render import render_problem

    print(render_problem(problem, colour=_has_colour(sys.stdout)), end="\n\n")


def _has_colour(stream: object) -> bool:
    is_terminal = bool(getattr(stream, "isatty", lambda: False)())
    return is_terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def placed(problems: Iterable[Problem], source: GameSource) -> list[Problem]:
    """The problems with files named as they are found from the current folder, so that editors can open them."""
    return placed_in(problems, roots_of(source))


def placed_in(problems: Iterable[Problem], roots: Sequence[Path]) -> list[Problem]:
    """The same, with files that are named relative to one of these folders."""
    return [_placed(problem, roots) for problem in problems]


def roots_for(arguments: argparse.Namespace) -> tuple[Path, ...]:
    """The folders that the names of files may be relative to, by the games that were typed."""
    with suppress(OSError, ValueError):
        return (*(Path(name).resolve().parent for name in typed_games(arguments)), content_root())
    return (content_root(),)


def typed_games(arguments: argparse.Namespace) -> list[str]:
    """The games that were typed, as they were."""
    several = getattr(arguments, "games", None)
    given = [
        getattr(arguments, "game", None),
        getattr(arguments, "start", None),
        *(several if isinstance(several, list) else ()),
    ]
    return list(dict.fromkeys(name for name in given if isinstance(name, str)))


def _placed(problem: Problem, roots: Sequence[Path]) -> Problem:
    return problem.placed(lambda span: _placed_span(span, roots))


def _placed_span(span: Span, roots: Sequence[Path]) -> Span:
    name = file_from_here(span.file.name, roots)
    return Span(SourceFile(name, span.file.text, span.file.line_starts), span.start, span.end)


def file_from_here(name: str, roots: Sequence[Path]) -> str:
    """The path of a content file: relative to the current folder where it is inside, else whole."""
    found = next((root / name for root in roots if (root / name).is_file()), None)
    if found is None:
        return name
    try:
        return found.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return found.as_posix()


def roots_of(source: GameSource) -> tuple[Path, ...]:
    """The folders that the names of a game's files are relative to."""
    return (source.folder.resolve().parent, content_root())


def with_places(text: str, source: GameSource) -> str:
    """A sentence that names places of a game's files, `(file:line)`, with the files as they are found from here."""
    trees = [*source.trees, *(tree for variant in source.variants.values() for tree in variant.files)]
    for name in {tree.span.file.name for tree in trees if f"({tree.span.file.name}:" in text}:
        text = text.replace(f"({name}:", f"({file_from_here(name, roots_of(source))}:")
    return text


def place(span: Span, roots: Sequence[Path]) -> str:
    """`file:line` of a span, for people: on one line, with a mark for what a terminal would obey."""
    from rulespec.diagnostics.render import visible

    return f"{visible(readable(file_from_here(span.file.name, roots)))}:{span.line}"
