"""What people read while a game runs: prompts, options, log lines and names, in their language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interpreter.middle.facts import Facts
from interpreter.reference.decisions import STOP
from interpreter.sight import holds_pieces
from interpreter.texts.catalogue import Catalogue
from interpreter.texts.log import LogLines
from interpreter.texts.names import Typed, Words
from interpreter.texts.phrases import Cells
from interpreter.texts.stand_ins import reconstructed
from rulespec.lower.context import Context
from rulespec.lower.ir import Ask
from rulespec.lower.scope import WAIVED
from rulespec.messages.decisions import Decision, decisions, log_keys, text_keys
from rulespec.model.types import BOOLEAN, PLAYER, Member, strip
from rulespec.source import nodes

__all__ = ["Texts", "Typed"]


class Texts:
    """The texts of one game in one language. A text that the language lacks is shown in English.

    `tree` holds the game's declarations, `engine` the files of the engine's own words.
    """

    def __init__(
        self, facts: Facts, tree: nodes.Mapping, engine: Sequence[nodes.Mapping], language: str, context: Context
    ):
        self.language = language
        self.words = Words(facts, Catalogue([tree, *engine], language), language)
        self._facts = facts
        self._tree = tree
        self._context = context
        self._me = facts.layout.regions["me"]
        self._log = LogLines(self.words, facts, self._choice_line)
        self._decisions = {d.at: d for d in decisions(facts.program)}
        #: whether winning takes more than being first
        self.has_conditions = any(word == "won" for word, _ in facts.program.ranking)

    # ---- texts by key ----

    def text(
        self, key: str, env: Mapping[str, Typed] | None = None, cells: Cells | None = None, viewer: int | None = None
    ) -> str:
        """The message under a key, with typed values for its names; the key itself where there is no such message.

        Placeholders are computed in the state `cells`. Pieces are shown as the player `viewer` sees them; None
        sees all.
        """
        found = self.words.message(key, env or {}, cells, viewer)
        return key if found is None else found

    def word(self, key: str, **given: str | int) -> str:
        """One of the engine's own texts, such as `word("engine.points", points=3)`."""
        return self.words.word(key, **given)

    def player(self, seat: int) -> str:
        """The name of the player on a seat (from 0)."""
        return self.words.member("player", seat)

    def name(self, value: Any, of: Any, cells: Cells | None = None, viewer: int | None = None) -> str:
        """A value of a type of the language in words."""
        return self.words.name(value, of, cells, viewer)

    def zone(self, key: str) -> str:
        """A zone, by its key."""
        return self.words.zone(key)

    def state(self, key: str) -> str:
        """A counter, a track or another cell of the state, by its key."""
        return self.words.message(f"state.{key}", {}) or key

    def kind(self, name: str) -> str:
        """A kind of sites or pieces as a bare word."""
        return self.words.message(name, {}) or name

    def rule(self, label: str) -> str:
        """What a condition that refuses an option says; its label where it has no words."""
        return self.words.message(f"rule.{label}", {}) or label

    def reason(self, reason: str) -> str:
        """What points are given for."""
        return self.words.message(f"score.{reason}", {}) or reason

    def title(self) -> str:
        """The game's title in the language."""
        game = self._tree.get("game")
        title = game.get("title") if isinstance(game, nodes.Mapping) else None
        if isinstance(title, nodes.Scalar):
            return title.text
        return self._of_languages(title) or "?"

    def reconstructed(self) -> str:
        """Which figures no source gives, as one sentence; empty where all are known."""
        return reconstructed(self._tree, self.words)

    def option_title(self, option: str) -> str:
        """The title of one of the game's options."""
        game = self._tree.get("game")
        options = game.get("options") if isinstance(game, nodes.Mapping) else None
        entry = options.get(option) if isinstance(options, nodes.Mapping) else None
        title = entry.get("title") if isinstance(entry, nodes.Mapping) else None
        return self.words.message(f"option.{option}", {}) or self._of_languages(title) or option

    def option_value(self, option: str, value: object) -> str:
        """A value of one of the game's options."""
        word = str(value).lower() if isinstance(value, bool) else str(value)
        own = self.words.message(f"option.{option}.{word}", {})
        if own is not None:
            return own
        if isinstance(value, bool):
            return self.word("engine.true" if value else "engine.false")
        of = strip(self._context.world.options[option].type)
        if isinstance(of, Member) and word in (members := self._context.world.domains[of.domain].members):
            return self.words.member(of.domain, members.index(word))
        return self.word("engine.none") if word in ("none", "None") else word

    def _of_languages(self, node: nodes.Node | None) -> str | None:
        """A text written by language elsewhere than in `messages`."""
        from rulespec.messages.plurals import fallbacks

        if not isinstance(node, nodes.Mapping):
            return None
        found = [node.get(code) for code in (*fallbacks(self.language), *node.keys())]
        return next((n.text for n in found if isinstance(n, nodes.Scalar)), None)

    # ---- decisions ----

    def prompt(self, cells: Cells, pc: int) -> str:
        """What the decision at instruction `pc` asks of whoever decides."""
        decision = self._decisions[pc]
        env = self._known(cells, decision)
        me = cells[self._me]
        for key in text_keys(decision.ask, "prompt"):
            found = self.words.message(key, env, cells, me)
            if found is not None:
                return found
        return self.word("engine.prompt")

    def option_text(self, cells: Cells, pc: int, candidate: Any) -> str:
        """One option of the decision at instruction `pc`, as whoever decides sees it.

        `candidate` is what `Machine.options` gives: for `may` 1 or 0, `STOP` where it can be stopped, for a set
        a number with the candidate, else the value or the tuple of values.
        """
        ask = self._decisions[pc].ask
        if ask.kind == "may":
            return self._may(cells, self._decisions[pc], bool(candidate))
        if ask.optional and candidate == STOP:
            return self._named(cells, self._decisions[pc], "stop") or self.word("engine.stop")
        return self._option(cells, self._decisions[pc], self._chosen(ask, candidate))

    def _option(self, cells: Cells, decision: Decision, given: dict[str, Typed]) -> str:
        env = {**self._known(cells, decision), **given}
        me = cells[self._me]
        for key in text_keys(decision.ask, "option"):
            found = self.words.message(key, env, cells, me)
            if found is not None:
                return found
        plain = self.words.values(list(given.values()), cells, me)
        return self.word("engine.next", choice=plain) if decision.ask.kind == "next" else plain

    def _may(self, cells: Cells, decision: Decision, accepts: bool) -> str:
        word = "accept" if accepts else "decline"
        return self._named(cells, decision, word) or self.word(f"engine.{word}")

    def _named(self, cells: Cells, decision: Decision, what: str) -> str | None:
        env = self._known(cells, decision)
        me = cells[self._me]
        keys = text_keys(decision.ask, what)
        return next((t for key in keys if (t := self.words.message(key, env, cells, me)) is not None), None)

    def _known(self, cells: Cells, decision: Decision) -> dict[str, Typed]:
        """The names known before a decision, with their values in the state."""
        slots = self._facts.layout.slots
        env: dict[str, Typed] = {"me": (cells[self._me], PLAYER)}
        for known in decision.known:
            if known.value is not None:
                env[known.name] = (known.value, known.type)
            elif known.slot in slots:
                env[known.name] = (cells[slots[known.slot]], known.type)
        env.update({WAIVED + label: (int(is_lifted), BOOLEAN) for label, is_lifted in decision.waived})
        return env

    # ---- what happened ----

    def log_lines(self, events: Iterable[Sequence[Any]], viewer: int | None = None) -> list[str]:
        """The lines of what happened between two states (entries of the executor's sink), in order.

        Pieces are shown as `viewer` saw them when it happened; None sees all.
        """
        return self._log.lines(events, viewer)

    def log_lines_of(
        self, events: Iterable[Sequence[Any]], viewer: int | None = None
    ) -> list[tuple[str, Sequence[Any]]]:
        """The same lines, each with the event that it tells of."""
        return self._log.told(events, viewer)

    def log_line(self, event: Sequence[Any], viewer: int | None = None) -> str | None:
        """A line for one thing that happened; None for what needs no words."""
        return self._log.line(event, viewer)

    def _choice_line(self, at: int, me: int, candidate: Any, cells: Cells, viewer: int | None) -> str | None:
        """The line that the content gives to a choice by itself, under a key such as `CHOICE.log`."""
        decision = self._decisions[at]
        ask = decision.ask
        declined = (ask.kind == "may" and not candidate) or (ask.optional and candidate == STOP)
        if ask.secret or declined:
            return None
        keys = [key for key in log_keys(ask) if self.words.catalogue.find(key) is not None]
        env = {**self._known(cells, decision), **self._chosen(ask, candidate)} if keys else {}
        if not keys or self._log.hides(keys[0], env, cells, viewer):
            return None
        secret = {n.name for n in ask.names if n.slot in self._log.secrets.slots and not holds_pieces(n.type)}
        if viewer not in (None, me) and self._log.mentions(keys[0], secret):
            return None
        return self.words.message(keys[0], env, cells, viewer)

    @staticmethod
    def _chosen(ask: Ask, candidate: Any) -> dict[str, Typed]:
        """What an answer gives to the names of a decision."""
        if ask.kind == "may":
            return {}
        value = candidate[1] if ask.kind == "set" else candidate
        values = value if ask.record or len(ask.names) > 1 else (value,)
        return {n.name: (v, n.type) for n, v in zip(ask.names, values, strict=True)}
