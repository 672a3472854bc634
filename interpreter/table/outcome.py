"""The end of a game in words: places and points, and who has won."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.state import Result
    from interpreter.texts import Texts


def result_lines(texts: Texts, result: Result) -> list[str]:
    """One line for each player, by place, and one that names the winner."""
    lines = [texts.word("engine.over"), texts.word("engine.ranking")]
    if not result.winners:
        own = enumerate(result.scores)
        points = [f"{texts.player(seat)}: {texts.word('engine.points', points=score)}" for seat, score in own]
        return [lines[0], *points, texts.word("engine.lost")]
    place = 1
    for seats in result.ranking:
        key = "engine.place.shared" if len(seats) > 1 else "engine.place"
        lines += [texts.word(key, place=place, player=texts.player(seat), points=result.scores[seat]) for seat in seats]
        place += len(seats)
    return [*lines, *_winner(texts, result)]


def _winner(texts: Texts, result: Result) -> list[str]:
    """Who has won. Who plays alone has nobody to beat."""
    winners = result.winners
    if len(result.scores) == 1:
        return []
    if len({*result.teams}) < len(result.teams) and sum(result.shares) == len(winners):  # one team, which is not level
        return [texts.word("engine.won_together", players=texts.words.together([texts.player(s) for s in winners]))]
    if len(winners) == len(result.scores):
        if texts.has_conditions:  # each has done what winning takes
            return [texts.word("engine.won_together", players=texts.words.together(list(map(texts.player, winners))))]
        return [texts.word("engine.all_level")]
    if len(winners) == 1:
        return [texts.word("engine.winner", player=texts.player(winners[0]))]
    return [texts.word("engine.shared", players=texts.words.together([texts.player(seat) for seat in winners]))]
