"""Tell why something is offered or not at decision N of a log, or where a player's points came from.

explain LOG --at 12 "settle cell[0,0]"    an option: its conditions with their places and what they were made of
explain LOG --at 12 "cell[0,0]"           a site (or a piece): every choice with it, offered or not, and why
explain LOG score red                     the points of a player, by reason and place
explain LOG --at 12                       everything that is offered
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from interpreter.cli.arguments import whole_number
from interpreter.cli.common import UsageError, place, roots_of
from interpreter.cli.logs import add_log, replayed, seat_of

if TYPE_CHECKING:
    from interpreter.explaining import Condition, Earned, Explainer, Offered
    from interpreter.refusal import Refusal
    from interpreter.state import State
    from rulespec.source.text import Span

#: How many options are explained at once.
MOST_SHOWN = 40
#: How many options are named where none of them is meant.
MOST_NAMED = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """LOG, where, and what."""
    add_log(parser)
    parser.add_argument(
        "--at", type=whole_number, metavar="N", help="the decision, by its number; the last position if left out"
    )
    parser.add_argument("what", metavar="WHAT", nargs="*", help="an option, a site, or `score PLAYER`")


def run(arguments: argparse.Namespace) -> int:
    """Print an explanation."""
    if arguments.at is not None and arguments.at < 1:
        raise UsageError("--at takes the number of a decision, from 1.")
    words = " ".join(arguments.what).split()
    points = _Points(words[1]) if words[:1] == ["score"] and len(words) == 2 else None
    found = replayed(arguments, None if arguments.at is None else arguments.at - 1, seen=points)
    if found is None:
        return 1
    log, replay, last = found
    if arguments.at is not None and replay.decisions + 1 < arguments.at:
        raise UsageError(f"there is no decision {arguments.at}: the log can be followed for {replay.decisions}.")
    show = _Shown(last, arguments.lang)
    if points is not None and points.earned is not None:
        show.points(points.earned)
    else:
        show.decision(" ".join(words))
    return 0 if log.is_whole and replay.is_true else 1


def _unknown(state: State, text: str) -> str:
    """That nothing of that name can be chosen, and what can."""
    from rulespec.diagnostics.nearest import did_you_mean

    keys = list(state.options().keys())
    words = dict.fromkeys(word for key in keys for word in key.split())
    more = ", …" if len(keys) > MOST_NAMED else ""
    hint = did_you_mean(text, [*keys, *words]) or f"Offered: {', '.join(keys[:MOST_NAMED])}{more}."
    return f"'{text}' is not among what can be chosen there. {hint}"


class _Points:
    """Collects the points of a player, named as one was typed, while a game is played again."""

    def __init__(self, name: str):
        self.name = name
        self.earned: Earned | None = None

    def __call__(self, state: State) -> None:
        """Takes what happened on the way to a state. Raises UsageError where there is no such player."""
        from interpreter.explaining import Earned

        if self.earned is None:
            self.earned = Earned(state.game, seat_of(state.game, self.name))
        self.earned.take(state)


class _Shown:
    """Prints explanations of a game, as it stands in one state, in one language."""

    def __init__(self, state: State, language: str):
        self.state = state
        self.texts = state.game.texts(language)
        self.roots = roots_of(state.game.source)

    def _at(self, span: Span | None) -> str:
        return "" if span is None else f"  [{place(span, self.roots)}]"

    # ---- points ----

    def points(self, earned: Earned) -> None:
        """The points of a player, by reason and place."""
        texts = self.texts
        print(texts.word("engine.why.points", player=texts.player(earned.seat)))
        total = 0
        for entry in earned.points():
            times = f" ×{entry.times}" if entry.times > 1 else ""
            print(f"  {entry.amount:>4}  {texts.reason(entry.reason)}{times}{self._at(entry.span)}")
            total += entry.amount
        print(f"  {total:>4}  {texts.word('engine.score')}")

    # ---- decisions ----

    def decision(self, text: str) -> None:
        """What may be chosen in the last position, or one thing of it."""
        from interpreter.explaining import Explainer

        state = self.state
        if state.decision is None:
            raise UsageError("the game is over at the end of this log: say --at N, or `score PLAYER`.")
        lines = list(self._lines(Explainer(state.game), state, text))
        print(f"{self.texts.player(state.decision.player)}: {self.texts.prompt(state.cells, state.cells[0])}")
        for line in lines:
            print(line)

    def _lines(self, explainer: Explainer, state: State, text: str) -> Iterator[str]:
        from interpreter.refusal import Refusal

        if not text:
            for each in list(state.options())[:MOST_SHOWN]:
                yield from self._offered(state, explainer.offered(state, each))
            return
        option = state.options().find(text)
        if option is not None:
            yield from self._offered(state, explainer.offered(state, option))
            return
        about = explainer.about(state, text)
        for key, found in about[:MOST_SHOWN]:
            yield from self._refused(key, found) if isinstance(found, Refusal) else self._offered(state, found)
        if not about:
            refusal = explainer.refused(state, text)
            if refusal.reason == "unknown":
                raise UsageError(_unknown(state, text))
            yield from self._refused(text, refusal)

    def _offered(self, state: State, found: Offered) -> Iterator[str]:
        yield self.texts.word("engine.why.offered", choice=found.option.key)
        for condition in found.conditions:
            yield f"  {condition.name}{self._values(condition)}{self._at(condition.span)}"
        for key in found.then:
            yield f"  → {key}"

    def _values(self, condition: Condition) -> str:
        values = ", ".join(f"{text} = {value}" for text, value in condition.values if text != condition.name)
        return f": {values}" if values else ""

    def _refused(self, key: str, found: Refusal) -> Iterator[str]:
        if found.others:
            rules = " / ".join(map(self.texts.rule, found.rules))
            yield self.texts.word("engine.why.several", choice=key, rules=rules)
        else:
            yield self.texts.word("engine.why.refused", choice=key, rule=self.texts.rule(found.rule))
        if found.span is not None:
            yield f"  {self.texts.word('engine.why.declared', place=place(found.span, self.roots))}"
