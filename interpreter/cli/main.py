"""The entry point: finds the command, reads its arguments, and turns every ending into an exit status.

0: all is well. 1: problems were found. 2: wrong usage, or input that cannot be read. 130: stopped by Ctrl-C.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from rulespec.diagnostics.model import Problem

FINE, PROBLEMS, USAGE, STOPPED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (by default the program's own) and give its exit status."""
    try:
        from interpreter.cli.streams import open_streams, tell_lost

        open_streams()
        words = list(sys.argv[1:] if argv is None else argv)
        with _as_own_process(words) if argv is None else nullcontext():
            status = _run(words)
            sys.stdout.flush()
            tell_lost()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        _close_output()
        return FINE
    except OSError as fault:
        _close_output()
        return _refuse(_unusable(fault))
    except RuntimeError as fault:  # so `Path.resolve` tells a circle of links, before Python 3.13
        if not isinstance(fault.__context__, OSError):
            raise
        return _refuse(_unusable(fault.__context__))
    return status


@contextmanager
def _as_own_process(words: Sequence[str]) -> Iterator[None]:
    """The process ends with the command: then nothing need be looked through for circles, after a check not at all."""
    from rulespec.source.memory import never_freed, seldom_collected

    is_check = words[:1] == ["check"]
    with seldom_collected() if is_check else nullcontext(), never_freed() if is_check else nullcontext():
        yield
        gc.freeze()


def _run(words: list[str]) -> int:
    # imported here and not above, so that a Ctrl-C while Python reads them ends cleanly too
    from interpreter.cli.common import UsageError, placed_in, print_problems, roots_for
    from rulespec.diagnostics.model import ContentError, quotable

    try:
        arguments = _arguments(words)
    except SystemExit as end:  # argparse has printed its help or the fault
        return end.code if isinstance(end.code, int) else USAGE
    if arguments is None:
        return USAGE
    try:
        return _command(arguments)
    except UsageError as error:
        return _refuse(f"rulespec {arguments.command}: {quotable(error, 2_000)}")
    except ContentError as error:
        asked = _asked_for(error.problems)
        if asked is not None:
            return _refuse(f"rulespec {arguments.command}: {quotable(asked, 2_000)}")
        print_problems(placed_in(error.problems, roots_for(arguments)))
        return PROBLEMS


def _command(arguments: argparse.Namespace) -> int:
    from interpreter.cli.commands import load

    _note_folders(arguments)
    with _own_content(getattr(arguments, "content", None)), _cache(used=not getattr(arguments, "no_cache", False)):
        status: int = load(arguments.command).run(arguments)
    return status


@contextmanager
def _own_content(folder: str | None) -> Iterator[None]:
    """With `--content`, that folder is read as the user's own is, by what is run inside and by its processes."""
    from interpreter.cli.common import UsageError
    from rulespec.source.own import VARIABLE

    if folder is None:
        yield
        return
    if not os.path.isdir(folder):  # noqa: PTH112 - a name that is no path at all is no folder either
        raise UsageError(f"--content names a folder, and {folder!r} is none.")
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = os.pathsep.join(filter(None, (os.path.abspath(folder), before)))  # noqa: PTH100
    try:
        yield
    finally:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before


def _note_folders(arguments: argparse.Namespace) -> None:
    """Says which game is meant where a folder beside has the id of a shipped one."""
    from interpreter.cli.common import say, typed_games
    from rulespec.game_source import folder_beside

    for name in typed_games(arguments):
        if folder_beside(name):
            words = f"'{name}' is the shipped game; the folder of that name here is ./{name}"
            say(f"rulespec {arguments.command}: {words}", stream=sys.stderr)


@contextmanager
def _cache(*, used: bool) -> Iterator[None]:
    """With `--no-cache`, nothing that is run inside reads or writes the cache folder."""
    word = "RULESPEC_NO_CACHE"
    before = os.environ.get(word)
    if not used:
        os.environ[word] = "1"
    try:
        yield
    finally:
        if not used and before is None:
            os.environ.pop(word, None)


def _unusable(fault: OSError) -> str:
    from rulespec.diagnostics.model import quotable

    what = "the output" if fault.filename is None else quotable(os.fsdecode(fault.filename), 2_000)
    return f"rulespec: {what} cannot be used: {fault.strerror or fault}"


def _refuse(words: str) -> int:
    print(words, file=sys.stderr)
    return USAGE


def _asked_for(problems: Sequence[Problem]) -> str | None:
    """What is wrong with what was typed, where that is what is wrong."""
    for problem in problems:
        if problem.span.file.name == "command line":
            return f"{problem.message} {problem.hint or ''}".strip()
    return None


# ---- arguments -------------------------------------------------------------------------------------------------------


def _arguments(words: list[str]) -> argparse.Namespace | None:
    """What was typed, read; None after telling that there is no such command. Raises SystemExit as argparse does."""
    from interpreter.cli.commands import available

    wanted = next((word for word in words if not word.startswith("-")), None)
    parser, command = _parser(wanted, versioned="--version" in words)
    if command is not None and words[0] == wanted:
        command, rest = _innermost(command, words[1:])
        if command.get_default("parts") is not None:
            command.parse_args(rest)  # shows the help, or says that a part is missing
            return None
        arguments = command.parse_intermixed_args(rest)  # options may stand between what is free
        arguments.command = wanted
        return arguments
    if not words or (wanted is not None and wanted not in available()):
        _no_command(parser, wanted)
        return None
    return parser.parse_args(words)


def _innermost(command: argparse.ArgumentParser, words: list[str]) -> tuple[argparse.ArgumentParser, list[str]]:
    """The part of a command that the words begin with, where it has parts; and the words after that."""
    parts: dict[str, argparse.ArgumentParser] = command.get_default("parts") or {}
    if words and words[0] in parts:
        return parts[words[0]], words[1:]
    return command, words


def _no_command(parser: argparse.ArgumentParser, wanted: str | None) -> None:
    from interpreter.cli.commands import available
    from rulespec.diagnostics.model import quotable
    from rulespec.diagnostics.nearest import did_you_mean

    if wanted is None:
        parser.print_help(sys.stderr)
        return
    parser.print_usage(sys.stderr)
    hint = did_you_mean(wanted, available()) or f"The commands: {', '.join(available())}."
    print(f"rulespec: there is no command '{quotable(wanted)}'. {hint}", file=sys.stderr)


def _parser(wanted: str | None, *, versioned: bool) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser | None]:
    """The parser, and that of the command that is asked for: only that one is imported and has its arguments."""
    import argparse

    from interpreter.cli.arguments import CommandsHelp, Parser
    from interpreter.cli.commands import available, load

    parser = Parser(
        prog="rulespec",
        description="Board games written down as data: check, change and play them.",
        epilog=_folders_read() if not wanted else None,
        formatter_class=CommandsHelp,
    )
    parser.add_argument("--version", action="version", version=f"rulespec {_version()}" if versioned else "")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    found = None
    for name, summary in available().items():
        command = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name == wanted:
            found = command
            module = load(name)
            command.description = (module.__doc__ or "").strip()
            command.formatter_class = argparse.RawDescriptionHelpFormatter
            module.add_arguments(command)
            _add_content(command)
    return parser, found


def _add_content(command: argparse.ArgumentParser) -> None:
    """The option `--content`, which every command has that has none of its own; those of a command's parts too."""
    for part in (command.get_default("parts") or {"": command}).values():
        part.add_argument(
            "--content", metavar="DIR", help="a folder of your own with language packs, read like your content folder"
        )


def _folders_read() -> str:
    """The end of the help: which folders are read."""
    from rulespec.source.own import VARIABLE, user_content_folder
    from rulespec.source.shipped import content_root

    own = "none, since there is no home folder"
    with suppress(RuntimeError):
        own = str(user_content_folder())
    return (
        "`rulespec COMMAND --help` tells more of a command.\n\n"
        "folders that are read:\n"
        f"  the shipped games              {content_root()}\n"
        f"  language packs of your own     {own}\n"
        f"  more of them                   --content DIR, or the variable {VARIABLE}"
    )


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    with suppress(PackageNotFoundError):
        return version("rulespec")
    return "(not installed)"


# ---- output ----------------------------------------------------------------------------------------------------------


def _close_output() -> None:
    """Whoever read the output has gone: nothing more is written, not even when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
