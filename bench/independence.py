"""What a seat sees must not depend on what it does not see: states that look the same, compared in all that is shown.

`unlike` compares a state with another one that differs only in what a seat may not see: its view, and where it decides
the prompt, the options with their words, why they are offered and why other things are refused. Where the seat decides,
both are then played on by the same option; until chance or hidden information speaks, all of it must still agree, and
the lines of the seat's log too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from interpreter import Game, State
from interpreter.explaining import Explainer
from interpreter.imagine import imagined_cells
from interpreter.log_lines import LineWriter
from interpreter.middle.pieces import copy_cells
from interpreter.options import loose_forms
from interpreter.refusal import MOST_RAW, Raw

MOST_REFUSED = 12
MOST_EXPLAINED = 3


def play_on(state: State, candidate: Any) -> tuple[State, bool]:
    """The state after an answer with its events, and whether chance or hidden information has spoken on the way."""
    game = state.game
    cells, sink = copy_cells(state.cells), list[Any]()
    found = game.machine.run(cells, game.machine.answer(cells, cells[0], candidate), sink, conditions=True)
    spoken = any(event[0] == "horizon" or _shows(state, event) for event in sink)
    told = [event for event in sink if event[0] not in ("condition", "horizon")]
    return State(game, cells, found, told), spoken


def _shows(state: State, event: Any) -> bool:
    """Whether somebody else laid down or turned what the one who decided did not see: that goes by the rules.

    The turn has come to another seat, who handles what is her own without being asked. To her it is no horizon. What
    goes from behind a screen to behind another one shows nothing.
    """
    decides = state.decision.player if state.decision is not None else -1
    sight = state.game.knowledge.sight
    told = sight.told(event, decides) if event[0] in ("move", "flip") and event[2] != decides else None
    if told is None:
        return False
    return any(not sight.sees(sight.place_of(piece)[0], decides, "front", top=False) for piece in told[3])


def other_state(state: State, seat: int, seed: int) -> State:
    """A state that differs in nothing that a seat sees."""
    return state.game.state_from_cells(imagined_cells(state, seat, seed))


def shown(state: State, seat: int) -> dict[str, Any]:
    """All that a seat is shown of a state."""
    found: dict[str, Any] = {"view": state.view(seat).to_json()}
    if state.decision is None or state.decision.player != seat:
        return found
    texts, at = state.game.texts("en"), state.asks_at
    found["prompt"] = texts.prompt(state.cells, at)
    found["options"] = [(o.key, texts.option_text(state.cells, at, o.candidate)) for o in state.options()]
    found["refused"] = refusals(state)
    found["offered"] = reasons(state)
    return found


def reasons(state: State) -> dict[str, Any]:
    """Why the first options are offered, and what completes them."""
    explainer = _explainer(state.game)
    told = [explainer.offered(state, option) for option in list(state.options())[:MOST_EXPLAINED]]
    return {t.option.key: ([(c.name, c.values) for c in t.conditions], t.then) for t in told}


_EXPLAINERS: WeakKeyDictionary[Game, Explainer] = WeakKeyDictionary()


def _explainer(game: Game) -> Explainer:
    if game not in _EXPLAINERS:
        _EXPLAINERS[game] = Explainer(game)
    return _EXPLAINERS[game]


def refusals(state: State) -> dict[str, tuple[str, str]]:
    """Why things that could be meant are not offered."""
    offered, raw = set(state.options().keys()), Raw(state)
    meant: dict[str, Any] = {}
    for candidate in raw.candidates()[:MOST_RAW]:
        meant.setdefault(loose_forms(state, candidate)[0], candidate)
    wanted = [form for form in meant if form not in offered][:MOST_REFUSED]
    return {form: (why.reason, why.rule) for form in wanted for why in [raw.refusal(meant[form])]}


def unlike(state: State, other: State, seat: int) -> Iterator[str]:
    """What tells two states apart that should look the same to a seat."""
    yield from _differences("", shown(state, seat), shown(other, seat))
    if state.decision is None or state.decision.player != seat or other.decision is None:
        return
    for option in list(state.options())[:4]:
        twin = other.options().find(option.key)
        if twin is None:
            return  # told above
        (here, spoken), (there, also) = play_on(state, option.candidate), play_on(other, twin.candidate)
        if spoken != also:  # no wonder where somebody else is asked first in one of them, by what she sees
            if _same_question(here, there, seat):
                yield f"after {option.key}: chance or hidden information speaks in one of them alone"
        elif not spoken and not state.ask.secret and _same_question(here, there, seat):
            where = f"after {option.key}: "
            yield from _differences(where, shown(here, seat), shown(there, seat))
            yield from _differences(where, _log(state, option, here, seat), _log(other, twin, there, seat))


def _same_question(here: State, there: State, seat: int) -> bool:
    """Whether the same is asked next, or the seat is asked both times. What another is asked goes by what she sees."""
    if here.decision is None or there.decision is None:
        return here.decision == there.decision
    return here.asks_at == there.asks_at or here.decision.player == there.decision.player == seat


def _log(before: State, option: Any, after: State, seat: int) -> dict[str, Any]:
    writer = LineWriter(before.game, seat)
    return {"log": [writer.decision(1, before, option, after), *writer.events(after)]}


def _differences(where: str, one: dict[str, Any], two: dict[str, Any]) -> Iterator[str]:
    for key in sorted(one.keys() | two.keys()):
        a, b = json.dumps(one.get(key), default=str), json.dumps(two.get(key), default=str)
        if a != b:
            alike = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            at = max(0, alike - 80)
            yield f"{where}{key}: ...{a[at : at + 200]}... or ...{b[at : at + 200]}..."


def leaks(game: Game, seeds: range, *, decisions: int = 40, others: int = 2) -> Iterator[str]:
    """What tells a seat what it does not see, at the positions of random games."""
    for seed in seeds:
        dice, state = random.Random(seed), game.start(seed)
        for n in range(decisions):
            if state.decision is None:
                break
            for seat in range(game.players):
                for k in range(others):
                    other = other_state(state, seat, 1000 * seed + 10 * n + k)
                    if other == state:
                        continue
                    for told in unlike(state, other, seat):
                        yield f"seed {seed}, decision {n}, seat {seat}: {told}"
            state = state.apply(dice.choice(list(state.options())))
