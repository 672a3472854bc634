"""Answers to `why`: why an option is offered or not, and where a player's points come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.options import arguments, loose_forms, squeeze
from interpreter.refusal import Raw, Refusal
from interpreter.table.matching import folded, matching
from interpreter.table.questions import lit_of
from rulespec.lower.domains import site_text
from rulespec.source.text import Span

if TYPE_CHECKING:
    from interpreter.state import State
    from interpreter.texts import Texts

#: So many answers are given at once; then it is said how many more there are.
MOST_ANSWERS = 6
MOST_TRIED = 5000


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence, and the place in the content where it is declared."""

    text: str
    place: Span | None = None


def why(texts: Texts, state: State, typed: str) -> list[Answer]:
    """The answers about everything that could be chosen here and that `typed` fits; none where nothing fits."""
    return _answers(texts, state, lambda candidates: _meant(texts, state, typed, candidates))


def why_site(texts: Texts, state: State, site: str) -> list[Answer]:
    """The answers about everything that could be chosen here and that a site is part of."""

    def about(candidates: list[object]) -> list[object]:
        return [c for c in candidates if site in _sites(state, c)]

    return _answers(texts, state, about)


def _sites(state: State, candidate: object) -> set[str]:
    """The sites that a candidate names, or on which the pieces lie that it names."""
    lit = (lit_of(state, t, value) for _, t, value in arguments(state.ask, candidate))
    return {
        site_text(state.game.world, each.domain, each.site)
        for each in lit
        if each is not None and each.domain is not None and each.site is not None
    }


def _answers(texts: Texts, state: State, means: Callable[[list[object]], list[object]]) -> list[Answer]:
    raw = Raw(state)
    pc = state.cells[0]
    offered = list(state.options().candidates)
    known = {texts.option_text(state.cells, pc, c) for c in offered}
    refused = [c for c in raw.candidates()[:MOST_TRIED] if texts.option_text(state.cells, pc, c) not in known]
    found: list[Answer] = []
    meant = means([*offered, *refused])
    for candidate in meant[:MOST_ANSWERS]:
        choice = texts.option_text(state.cells, pc, candidate)
        if candidate in offered:
            found.append(Answer(texts.word("engine.why.offered", choice=choice), _declared(state)))
        else:
            found.append(_refused(texts, choice, raw.refusal(candidate)))
    if len(meant) > MOST_ANSWERS:
        found.append(Answer(texts.word("engine.more", n=len(meant) - MOST_ANSWERS)))
    return found


def _meant(texts: Texts, state: State, typed: str, candidates: list[object]) -> list[object]:
    """The candidates that a text means: by key or by what people read."""
    wanted = squeeze(typed)
    by_key = [c for c in candidates if wanted in loose_forms(state, c)]
    if by_key or not folded(typed):
        return by_key
    pc = state.cells[0]
    return [candidates[at] for at in matching(typed, [texts.option_text(state.cells, pc, c) for c in candidates])]


def _declared(state: State) -> Span | None:
    ask = state.ask
    own = state.game.built.program.instrs[state.cells[0]].span
    return own or next((name.span for name in ask.names if name.span is not None), None)


def _refused(texts: Texts, choice: str, refusal: Refusal) -> Answer:
    rules = [text for rule in refusal.rules if (text := texts.words.message(f"rule.{rule}", {})) is not None]
    if len(rules) > 1:
        return Answer(texts.word("engine.why.several", choice=choice, rules=" / ".join(rules)), refusal.span)
    if rules:
        return Answer(texts.word("engine.why.refused", choice=choice, rule=rules[0]), refusal.span)
    key = {"completion": "no_way", "condition": "condition", "picked": "picked", "later": "later"}.get(
        refusal.reason, "no_candidate"
    )
    return Answer(texts.word(f"engine.why.{key}", choice=choice), refusal.span)


def sources_of_points(texts: Texts, states: Iterable[State], seat: int) -> list[str]:
    """Where a player's points come from: one line for each reason, with the points that it has brought."""
    points: Counter[str] = Counter()
    for state in states:
        for event in state.events or ():
            if event[0] == "score" and event[2] == seat:
                points[event[4]] += event[3]
    lines = [texts.word("engine.why.points", player=texts.player(seat))]
    for reason, n in points.items():
        value = texts.word("engine.points", points=n)
        name = texts.words.message(f"score.{reason}", {}) if reason else None
        lines.append(value if name is None else texts.word("engine.option", name=name, value=value))
    return lines if points else [*lines, texts.word("engine.points", points=0)]
