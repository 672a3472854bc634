"""What stands out in the results of one arm, as sentences: what moves most of a victory first.

What is told is certain after correction for all that is looked at (Bonferroni, over kinds of findings and the things
of each kind), so that where there is nothing a page shows something in one of twenty. The intervals that are told are
those of a figure alone, as everywhere on the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from interpreter.game import Game
from interpreter.report.charts import number, told
from interpreter.report.choosing import named
from interpreter.report.names import Names
from interpreter.simulate.numbers import CONFIDENCE, Figure, share
from interpreter.simulate.summary import actions_of
from interpreter.simulate.tally import COMEBACK, HALF, LEADER_WINS, STARTER_WINS, Tally, Use, seat_wins
from interpreter.simulate.worth import Value, Worth, figures, stands_out

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
OFTEN_SHARED: Final = 0.05
#: What is worth less, of a victory and of the winner's points, is not worth a sentence.
LEAST_WON, LEAST_POINTS = 0.05, 0.05
#: So many further values of one name are named.
MOST_BESIDE: Final = 3
_THIRDS: Final = ("in the first third of the game", "in the second third", "in the last third")

#: What is said of seats is about this.
SEATS: Final = "seats"
#: How much of a victory is set against findings that do not tell it by themselves, for an order among all.
_DEAD, _PREFERRED, _CORRELATED, _SHARED, _LED = 0.1, 0.1, 0.2, 0.25, 0.2


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the part of a victory that it is about, by which findings are ordered.

    `about` is what it is about: findings about one thing are told as one. `shown` is a game that shows it, and after
    how many decisions, where that is a moment.
    """

    text: str
    size: float
    about: Hashable
    shown: tuple[int, int | None] | None = None


#: Kinds of findings that chance can make: seats, who begins, shared victories, leads, worth, use, values, fortunes.
_KINDS: Final = 8


@dataclass(frozen=True, slots=True)
class _Sure:
    """How sure each finding is of a page about so many arms, for the page to be as sure as one figure would be."""

    arms: int = 1

    def of(self, things: int = 1) -> float:
        """Each of so many things of one kind."""
        return 1 - (1 - CONFIDENCE) / (_KINDS * self.arms * max(things, 1))


def findings(
    game: Game, tally: Tally, language: str = "en", kinds: Collection[str] = (), arms: int = 1
) -> list[Sentence]:
    """The findings, greatest first, with the content's names in a language.

    `kinds` are those of all who play, `arms` how many the page is about.
    """
    names, sure = Names(game, language), _Sure(arms)
    found = [
        *_seats(names, tally, sure),
        *_starter(tally, sure),
        *_lost(tally),
        *_ties(tally, sure),
        *_leads(tally, set(kinds), sure),
        *_worths(names, tally, sure),
        *_without_meaning(names, tally),
        *_actions(game, names, tally, sure),
        *_values(names, tally, sure),
        *_fortunes(names, tally, sure),
    ]
    return sorted(_together(found), key=lambda each: -each.size)


def _together(found: Iterable[Sentence]) -> list[Sentence]:
    """Findings about one thing as one, which says first what was found first."""
    by_subject: dict[Hashable, Sentence] = {}
    for each in found:
        before = by_subject.get(each.about)
        if before is None:
            by_subject[each.about] = each
        else:
            joined = replace(before, text=f"{before.text} {each.text}", size=max(before.size, each.size))
            by_subject[each.about] = replace(joined, shown=before.shown or each.shown)
    return list(by_subject.values())


# ---- seats -----------------------------------------------------------------------------------------------------------


def _seats(names: Names, tally: Tally, sure: _Sure) -> Iterator[Sentence]:
    """Seats that win more or less often than their part, as one finding: what one wins the others lose."""
    even, found = tally.part, list[Sentence]()
    if even is None:
        return
    for seat, side in sorted(tally.by_seat.items()):
        certain, rate = side.win_rate(sure.of(tally.seats)), side.win_rate()
        if certain.low > even or certain.high < even:
            word = "more" if rate.value > even else "less"
            begins = " It always begins." if list(tally.starters) == [seat] else ""
            name = f"Seat {seat + 1} ({names.texts.player(seat)})"
            text = (
                f"{name} wins {word} often than its part: {told(rate, is_part=True)} of {rate.trials:,} games.{begins}"
            )
            found.append(Sentence(text, abs(rate.value - even), SEATS, _game(tally, seat_wins(seat))))
    yield from sorted(found, key=lambda each: -round(each.size, 9))


def _starter(tally: Tally, sure: _Sure) -> Iterator[Sentence]:
    """Whether beginning helps, where that is not always one seat: then the seat says it."""
    even = tally.part
    if len(tally.starters) < 2 or tally.starting.count < LEAST_OFFERS or even is None:
        return
    hits, games = tally.starting.mean * tally.starting.count, tally.starting.count
    rate, certain = share(hits, games), share(hits, games, sure.of())
    if certain.low > even or certain.high < even:
        word = "more" if rate.value > even else "less"
        yield Sentence(
            f"Who begins wins {word} often than its part, whichever seat it is: {told(rate, is_part=True)} of "
            f"{rate.trials:,} games.",
            abs(rate.value - even),
            "starter",
            _game(tally, STARTER_WINS),
        )


def _lost(tally: Tally) -> Iterator[Sentence]:
    """How often all win or lose together, which is then what there is to say of seats; or how often nobody wins."""
    rate, games = share(tally.games - tally.lost, tally.games), tally.games
    if games and tally.sides == 1 and (tally.seats > 1 or tally.lost):
        who = "All are one team" if tally.seats > 1 else "One plays alone"
        text = f"{who}: {told(rate, is_part=True)} of {games:,} games are won, and nobody wins {tally.lost:,}."
        yield Sentence(text, 1.0, SEATS)
    elif tally.lost:
        text = f"Nobody wins {told(share(tally.lost, games), is_part=True)} of {games:,} games."
        yield Sentence(text, tally.lost / games, "lost")


def _ties(tally: Tally, sure: _Sure) -> Iterator[Sentence]:
    rate = share(tally.shared, tally.games)
    if tally.games >= LEAST_OFFERS and share(tally.shared, tally.games, sure.of()).low > OFTEN_SHARED:
        text = f"The victory is often shared: {told(rate, is_part=True)} of {rate.trials:,} games."
        yield Sentence(text, _SHARED * rate.value, "ties")


def _leads(tally: Tally, kinds: Collection[str], sure: _Sure) -> Iterator[Sentence]:
    """A game that is decided early, or in which the first half is worth nothing; and whether a lead grows by itself.

    Who leads since they begin with more, or had luck, gets no more than the others afterwards. Where players of several
    kinds play, the better ones do.
    """
    kept, even = tally.leads[HALF], tally.part
    if kept.count < LEAST_OFFERS or even is None:
        return
    rate, certain = (share(kept.mean * kept.count, kept.count, how) for how in (CONFIDENCE, sure.of()))
    said = f"who leads in points after half of the game wins {told(rate, is_part=True)} of {kept.count:,} games"
    if certain.low > DECIDED:
        grows = len(kinds) < 2 and tally.growing.figure(sure.of()).low > 0
        back = f"; in {number(tally.comebacks / kept.count, is_part=True)} who is last then wins"
        more = f" The lead grows: they get {told(tally.growing.figure())} points more than the others after that."
        size = (rate.value - even) * (1 if grows else _LED)
        text = f"It is decided early: {said}{back}.{more if grows else ''}"
        yield Sentence(text, size, "leads", _game(tally, LEADER_WINS))
    elif certain.high < even:
        text = f"Leading does harm: {said}, less than a seat's part."
        yield Sentence(text, even - rate.value, "leads", _game(tally, COMEBACK))


def _game(tally: Tally, what: str) -> tuple[int, None] | None:
    return (tally.shown[what], None) if what in tally.shown else None


# ---- what is chosen --------------------------------------------------------------------------------------------------


def _subject(tally: Tally, value: Value) -> Hashable:
    """What a value of a decision is, for findings about one thing: an action that is chosen is that action."""
    return value[2] if value[2] in tally.actions else value


@dataclass(frozen=True, slots=True)
class _Tried:
    """A value that is certain to be worth something: in which third of the game, or at any time."""

    value: Value
    third: int | None
    worth: Worth
    chance: float
    size: float


def _worths(names: Names, tally: Tally, sure: _Sure) -> Iterator[Sentence]:
    """What choosing something is worth, by trials: of each name that is chosen the value that counts most, then others.

    Where one value is good, those beside it are bad: they are one finding.
    """
    by_name: dict[tuple[str, str], list[_Tried]] = defaultdict(list)
    for each in _tried(tally, sure):
        decision, name, _ = each.value
        by_name[decision, name.partition(".")[0]].append(each)
    for tried in by_name.values():
        tried.sort(key=lambda each: ("." not in each.value[1], -each.size))  # what many have says more than one alone
        yield _worth(names, tally, tried)


def _tried(tally: Tally, sure: _Sure) -> list[_Tried]:
    """Each value whose worth stands out, at any time or in the third of the game where that is surest."""
    windows = list(tally.worths.windows(LEAST_OFFERS))
    each_sure, best = sure.of(2 * len(windows)), dict[Value, _Tried]()
    for value, third, worth in windows:
        points, won = figures(worth, CONFIDENCE)
        size = abs(tally.worths.won_by_point * points.value) or abs(won.value)
        matters = size >= LEAST_WON or abs(points.value) >= LEAST_POINTS * max(tally.winning.mean, 1)
        stands = stands_out(worth.points, each_sure, worth.unseen(tally.worths.widest))
        stands = stands or (tally.seats > 1 and stands_out(worth.won, each_sure))
        found = _Tried(value, third, worth, min(worth.points.chance(), worth.won.chance()), size)
        if matters and stands and (value not in best or found.chance < best[value].chance):
            best[value] = found
    return list(best.values())


def _worth(names: Names, tally: Tally, tried: list[_Tried]) -> Sentence:
    first, *others = tried
    points, won = figures(first.worth, CONFIDENCE)
    when = "" if first.third is None else f" {_THIRDS[first.third]}"
    taken = tally.choices[first.value] if first.value in tally.choices else Use()
    often = (
        f" It is taken in {number(taken.times / taken.offered, is_part=True)} of its offers." if taken.offered else ""
    )
    means = [(each.value, tally.worths.whole(each.value).points.mean) for each in others[:MOST_BESIDE]]
    beside = "; ".join(f"{named(names, value)} {_signed(mean)}" for value, mean in means)
    of_victory = f" and {told(won, is_part=True)} of a victory" if tally.seats > 1 else ""
    return Sentence(
        f"At {names.action(first.value[0])}, {named(names, first.value)}{when} is worth {_points(points)}"
        f"{of_victory} to the seat, beside choosing anything else there: from "
        f"{first.worth.points.count:,} decisions the same game was played on with it and without it.{often}"
        f"{f' Beside it, in points: {beside}.' if beside else ''}",
        first.size,
        _subject(tally, first.value),
        first.worth.shown,
    )


def _points(points: Figure) -> str:
    """Points with their interval; where all trials were alike there is none, and it is no certainty."""
    alike = points.low == points.high
    return f"{number(points.value)} points in each of them" if alike else f"{told(points)} points"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{number(value)}"


def _without_meaning(names: Names, tally: Tally) -> Iterator[Sentence]:
    """Decisions that never made any difference."""
    for decision, alike in sorted(tally.worths.by_decision.items()):
        if alike.trials >= LEAST_OFFERS and alike.alike == alike.trials:
            most = share(0, alike.trials).high
            yield Sentence(
                f"What is chosen at {names.action(decision)} makes no difference: from {alike.trials:,} such decisions "
                "the same game was played on with two choices, and all points were alike (they differ in at most "
                f"{number(most, is_part=True)}).",
                _DEAD,
                ("no difference", decision),
            )


def _actions(game: Game, names: Names, tally: Tally, sure: _Sure) -> Iterator[Sentence]:
    said = names.actions(actions_of(game, tally))
    whole = sum(use.times for use in tally.actions.values())
    for key, name in said.items():
        times = tally.actions[key].times
        part, certain = share(times, whole), share(times, whole, sure.of(len(said)))
        if not part.trials:
            return
        if part.value == 0:
            most = number(part.high, is_part=True)
            text = f"The action {name} is never used (at most {most} of {whole:,} actions)."
        elif certain.high < DEAD_ACTION:
            text = f"The action {name} is hardly used: {told(part, is_part=True)} of {whole:,} actions."
        else:
            continue
        yield Sentence(text, _DEAD, key)


def _values(names: Names, tally: Tally, sure: _Sure) -> Iterator[Sentence]:
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
            part = share(use.times, use.offered)
            certain = share(use.times, use.offered, sure.of(len(tally.choices)))
            at = f"At {names.action(decision)}, {names.asked(name)}"
            where = f"{at} {said[value]} is chosen in {told(part, is_part=True)} of {use.offered:,} offers"
            others, subject = number(average, is_part=True), _subject(tally, (decision, name, value))
            if certain.high < LESS * average:
                yield Sentence(f"{where}: much less often than the others ({others}).", _PREFERRED, subject)
            elif certain.low > MORE * average:
                yield Sentence(f"{where}: much more often than the others ({others}).", _PREFERRED, subject)


def _fortunes(names: Names, tally: Tally, sure: _Sure) -> Iterator[Sentence]:
    """What goes with winning or losing; not of what trials have measured, which say more."""
    actions = names.actions(list(tally.actions))
    uses: list[tuple[str, Hashable, Use]] = [
        (f"Using {actions[name]}", name, use) for name, use in tally.actions.items()
    ]
    held = names.told((piece, names.piece(zone, piece)) for zone, piece in tally.holdings)
    for key, piece, use in zip(tally.holdings, held, tally.holdings.values(), strict=True):
        uses.append((f"Holding {piece} ({names.texts.zone(key[0])}) at the end", key, use))
    for name, about, use in uses:
        certain = use.correlation(tally.wins, tally.games, sure.of(len(uses)))
        found = use.correlation(tally.wins, tally.games)
        if certain is not None and found is not None and _tells(certain):
            word = "winning" if found.value > 0 else "losing"
            text = f"{name} goes with {word}: correlation {told(found)} over {found.trials:,} seats."
            yield Sentence(text, _CORRELATED * found.value**2, about)


def _tells(found: Figure) -> bool:
    return WEAK < abs(found.value) < NECESSARY and found.low * found.high > 0
