"""How words of the command line are read: nothing that was typed is left out of account without a word."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn

#: Characters of what is wrong with the words that were typed.
MOST_SHOWN: Final = 2_000

#: Numbers of players in one range.
MOST_COUNTS: Final = 100

#: Seconds that a game may be given.
MOST_CLOCK: Final = 1_000_000


class Parser(argparse.ArgumentParser):
    """A parser that refuses an option that stands twice, where only the last one would count.

    Options that may stand several times say so with `action="append"`.
    """

    def __init__(self, *words: Any, **how: Any):
        super().__init__(*words, **how)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)

    def error(self, message: str) -> NoReturn:
        """Ends with the usage; what was typed is shown without what a terminal would obey."""
        from rulespec.diagnostics.model import quotable

        super().error(quotable(message, MOST_SHOWN))


class CommandsHelp(argparse.RawDescriptionHelpFormatter):
    """Help in which names of commands have room: argparse makes their column as if they stood further to the left."""

    def add_argument(self, action: argparse.Action) -> None:
        """As the class above it, with the indent of what stands below an argument."""
        super().add_argument(action)
        for command in self._iter_indented_subactions(action):
            length = len(self._format_action_invocation(command)) + self._current_indent + self._indent_increment
            self._action_max_length = max(self._action_max_length, length)


class _Once(argparse._StoreAction):
    """Keeps a value, and refuses a second one."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        given = namespace.__dict__.setdefault("_given", set())
        if option_string is not None and self.dest in given:
            raise argparse.ArgumentError(self, f"stands twice: {getattr(namespace, self.dest)} and {values}")
        given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


def whole_number(text: str) -> int:
    """A whole number, as the `type` of an argument."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"takes a whole number, such as 3, and this is {text!r}") from None


def add_bounds(parser: argparse.ArgumentParser) -> None:
    """The options `--most-decisions` and `--most-seconds`."""
    from interpreter.bounds import MOST_DECISIONS, MOST_SECONDS, MOST_SECONDS_THINKING

    parser.add_argument(
        "--most-decisions",
        metavar="N",
        type=_bound,
        default=MOST_DECISIONS,
        help=f"a game of automatic seats that is not over by then is left; {MOST_DECISIONS:,} by default",
    )
    parser.add_argument(
        "--most-seconds",
        metavar="S",
        type=_seconds,
        help=f"the same by the clock; {MOST_SECONDS:,g} by default, {MOST_SECONDS_THINKING:,g} where seats think",
    )


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < (seconds := float(text)) <= MOST_CLOCK:
            return seconds
    raise argparse.ArgumentTypeError(f"takes a number of seconds up to {MOST_CLOCK:,}, and this is {text!r}")


def _bound(text: str) -> int:
    number = whole_number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"takes a number from 1, and this is {text!r}")
    return number


def player_counts(text: str) -> tuple[int, ...]:
    """One or several numbers of players, as the `type` of an argument: `3`, `3..5` or `2,4`, each once."""
    found: dict[int, None] = {}
    for word in text.split(","):
        first, dots, last = word.strip().partition("..")
        try:
            low, high = int(first), int(last if dots else first)
        except ValueError:
            low, high = 1, 0
        if not low <= high <= low + MOST_COUNTS:
            raise argparse.ArgumentTypeError(f"takes numbers of players, such as 3, 3..5 or 2,4, and this is {text!r}")
        found.update(dict.fromkeys(range(low, high + 1)))
    return tuple(found)


def player_count(text: str) -> int:
    """How many play, as the `type` of an argument."""
    try:
        return int(text)
    except ValueError:
        reason = f"takes one number of players, such as 3, and this is {text!r}; several numbers are several runs"
        raise argparse.ArgumentTypeError(reason) from None
