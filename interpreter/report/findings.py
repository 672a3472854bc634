"""What stands out in the results of one arm, as sentences.

Every kind of finding is corrected for how many things it looks at (Bonferroni), so that a page without any real finding
shows one of a kind in one report of twenty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from interpreter.game import Game
from interpreter.report.charts import number, told
from interpreter.report.names import Names
from interpreter.simulate.numbers import CONFIDENCE, share
from interpreter.simulate.summary import actions_of
from interpreter.simulate.tally import HALF, Tally, Use
from interpreter.texts import Texts

#: An action that is less than this part of all is called dead; a value that is chosen so much less often than the
#: others that are offered beside it, too; so much more often: dominant.
DEAD_ACTION: Final = 0.01
LESS, MORE = 0.2, 3.0
#: A weaker correlation is not worth a sentence, however certain it is: it explains less than a twentieth.
WEAK: Final = 0.25
#: A stronger one is no finding: it says in other words what winning is, such as having fewer pieces left.
NECESSARY: Final = 0.9
LEAST_OFFERS: Final = 30
#: Where the leader at half-time wins more often, the second half decides little.
DECIDED: Final = 0.8


def _sure(things: int) -> float:
    return 1 - (1 - CONFIDENCE) / max(things, 1)


def findings(game: Game, tally: Tally, language: str = "en") -> list[str]:
    """The sentences, in the order of the page, with the content's names in a language."""
    names = Names(game, language)
    return [
        *_seats(names.texts, tally),
        *_ties(tally),
        *_leads(tally),
        *_actions(game, names, tally),
        *_values(names, tally),
        *_fortunes(names, tally),
    ]


def _seats(texts: Texts, tally: Tally) -> Iterator[str]:
    even = 1 / tally.seats
    for seat, side in sorted(tally.by_seat.items()):
        rate = side.win_rate(_sure(tally.seats))
        if rate.low > even or rate.high < even:
            word = "more" if rate.low > even else "less"
            name = f"Seat {seat + 1} ({texts.player(seat)})"
            yield f"{name} wins {word} often than its part: {told(rate, is_part=True)} of {rate.trials:,} games."


def _ties(tally: Tally) -> Iterator[str]:
    rate = share(tally.shared, tally.games)
    if rate.low > 0.05:
        yield f"The victory is often shared: {told(rate, is_part=True)} of {rate.trials:,} games."


def _leads(tally: Tally) -> Iterator[str]:
    """A game that is decided early, or in which the first half is worth nothing."""
    kept = tally.leads[HALF]
    if kept.count < LEAST_OFFERS or tally.seats < 2:
        return
    rate = kept.figure()
    said = f"who leads in points after half of the game wins {told(rate, is_part=True)} of {kept.count:,} games"
    if rate.low > DECIDED:
        yield f"It is decided early: {said}."
    elif rate.high < 1 / tally.seats:
        yield f"Leading does harm: {said}, less than a seat's part."


def _actions(game: Game, names: Names, tally: Tally) -> Iterator[str]:
    said = names.actions(actions_of(game, tally))
    whole = sum(use.times for use in tally.actions.values())
    for key, name in said.items():
        part = share(tally.actions[key].times, whole, _sure(len(said)))
        if not part.trials:
            return
        if part.value == 0:
            yield f"The action {name} is never used (at most {number(part.high, is_part=True)} of {whole:,} actions)."
        elif part.high < DEAD_ACTION:
            yield f"The action {name} is hardly used: {told(part, is_part=True)} of {whole:,} actions."


def _values(names: Names, tally: Tally) -> Iterator[str]:
    """Values that are chosen much less, or much more, often than what is offered beside them."""
    groups: dict[tuple[str, str], list[tuple[str, Use]]] = defaultdict(list)
    for (decision, name, value), use in tally.choices.items():
        groups[decision, name].append((value, use))
    for (decision, name), uses in sorted(groups.items()):
        offers = sum(use.offered for _, use in uses)
        average = sum(use.times for _, use in uses) / offers if offers else 0
        values = [value for value, _ in uses]
        told_as = names.told((value, names.value(decision, name, value)) for value in values)
        said = dict(zip(values, told_as, strict=True))
        for value, use in sorted(uses):
            if use.offered < LEAST_OFFERS or len(uses) < 2:
                continue
            part = share(use.times, use.offered, _sure(len(tally.choices)))
            at = f"At {names.action(decision)}, {names.asked(name)}"
            where = f"{at} {said[value]} is chosen in {told(part, is_part=True)} of {use.offered:,} offers"
            if part.high < LESS * average:
                yield f"{where}: much less often than the others ({number(average, is_part=True)})."
            elif part.low > MORE * average:
                yield f"{where}: much more often than the others ({number(average, is_part=True)})."


def _fortunes(names: Names, tally: Tally) -> Iterator[str]:
    """What goes with winning or losing."""
    actions = names.actions(list(tally.actions))
    uses = [(f"Using {actions[name]}", use) for name, use in tally.actions.items()]
    held = names.told((piece, names.piece(zone, piece)) for zone, piece in tally.holdings)
    for (zone, _), piece, use in zip(tally.holdings, held, tally.holdings.values(), strict=True):
        uses.append((f"Holding {piece} ({names.texts.zone(zone)}) at the end", use))
    for name, use in uses:
        found = use.correlation(tally.wins, _sure(len(uses)))
        if found is not None and WEAK < abs(found.value) < NECESSARY and found.low * found.high > 0:
            word = "winning" if found.value > 0 else "losing"
            yield f"{name} goes with {word}: correlation {told(found)} over {found.trials:,} seats."
