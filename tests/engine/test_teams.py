"""Teams: who belongs together, how they are ranked, and games that all win or lose."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game, load
from interpreter.simulate.tally import shares_of, sides_of
from interpreter.state import Result
from interpreter.table.outcome import result_lines
from tests.engine.test_dice import problems_of

SEATS = "seats: [north, east, south, west]"


def made(folder: Path, teams: str, body: str, players: int = 4, executor: str | None = None) -> Game:
    head = "game:\n  id: g\n  language: 1\n  title: {en: G}\n  players: 2..4\n  seats: [north, east, south, west]\n"
    (folder / "g.yaml").write_text(f"{head}  teams: {teams}\n{body}", encoding="utf-8")
    return load(folder, players=players, executor=executor)


def scores(*points: int) -> str:
    seats = ("north", "east", "south", "west")
    steps = (f"  - {{score: {n}, for: {seat}, reason: a}}\n" for n, seat in zip(points, seats, strict=False))
    return "flow:\n" + "".join(steps)


MOST = "ranking: [{most: player.score}]\n"


@pytest.mark.parametrize("executor", ["native", "reference"])
@pytest.mark.parametrize(
    ("teams", "points", "ranking"),
    [
        ("player.index % 2", (5, 3, 0, 3), ((1, 3), (0, 2))),  # 5 of north and south, 6 of east and west
        ("player.index % 2", (4, 3, 2, 3), ((0, 1, 2, 3),)),  # level: 6 each
        ("if player in [north, west] then 1 else 2", (5, 3, 0, 3), ((0, 3), (1, 2))),  # 8 and 3
        ("0", (5, 3, 0, 3), ((0, 1, 2, 3),)),
        ("player.index", (5, 3, 0, 3), ((0,), (1, 3), (2,))),  # each a team alone
    ],
)
def test_a_team_is_ranked_by_its_sum(
    tmp_path: Path, executor: str, teams: str, points: tuple[int, ...], ranking: tuple[tuple[int, ...], ...]
) -> None:
    game = made(tmp_path, teams, scores(*points) + MOST, executor=executor)
    result = game.start(0).result
    assert result is not None
    assert (result.scores, result.ranking) == (points, ranking)
    assert list(game.playouts(None, 1).places[:4]) == [  # the same in whole games
        next(place for place, seats in enumerate(ranking) if seat in seats) for seat in range(4)
    ]


def test_teams_may_turn_on_the_number_of_players(tmp_path: Path) -> None:
    text = "if player_count == 4 then player.index % 2 else player.index"
    for players, teams in ((4, (0, 1, 0, 1)), (3, (0, 1, 2))):
        game = made(tmp_path, text, scores(1, 1, 1) + MOST, players)
        result = game.start(0).result
        assert result is not None
        assert result.teams == teams


def test_partners_come_in_turn_order(tmp_path: Path) -> None:
    """Of three together, south's partners are west and north; and the enum's own values are the teams."""
    body = """enums: {side: [three, alone]}
flow:
  - score: (south.partners.first otherwise south).index * 10 + (south.partners.last otherwise south).index
    for: south
    reason: a
  - score: east.partners.count
    for: east
    reason: a
  - score: if north.team == three and east.team == alone then 1 else 0
    for: north
    reason: a
"""
    game = made(tmp_path, "if player == east then alone else three", body + MOST)
    result = game.start(0).result
    assert result is not None
    assert result.scores == (1, 0, 30, 0)


@pytest.mark.parametrize("executor", ["native", "reference"])
@pytest.mark.parametrize(
    ("condition", "ranking"),
    [
        ("sum(p.score for p in player) >= 11", ((0, 1, 2, 3),)),
        ("sum(p.score for p in player) > 11", ((), (0, 1, 2, 3))),
        ("player.score > 0", ((), (0, 1, 2, 3))),  # south has none, and all of a team must
    ],
)
def test_all_win_or_lose(tmp_path: Path, executor: str, condition: str, ranking: tuple[tuple[int, ...], ...]) -> None:
    game = made(tmp_path, "0", scores(5, 3, 0, 3) + f"ranking: [{{won: '{condition}'}}]\n", executor=executor)
    result = game.start(0).result
    assert result is not None
    assert result.ranking == ranking
    assert result.winners == ranking[0]
    assert list(game.playouts(None, 1).places[:4]) == [len(ranking) - 1] * 4


@pytest.mark.parametrize("executor", ["native", "reference"])
@pytest.mark.parametrize(
    ("lines", "ranking"),
    [
        # north has 5 points and index 0, east 2 and 1, south 1 and 2, west 9 and 3
        ("{most: player.score}, {won: player.score <= 2}", ((1,), (2,), (3,), (0,))),  # the condition counts first
        ("{least: player.index}, {won: player.score >= 9}", ((3,), (0,), (1,), (2,))),
        ("{won: player.score >= 5}, {won: player.index >= 1}", ((3,), (0,), (1, 2))),  # west alone fulfils both
        ("{won: player.score >= 5}, {won: player.index in 1..2}", ((), (0, 3), (1, 2))),  # nobody fulfils both
        ("{most: player.score}, {won: player.score > 9}", ((), (3,), (0,), (1,), (2,))),
        ("{won: true}", ((0, 1, 2, 3),)),
    ],
)
def test_who_does_not_fulfil_a_condition_is_not_among_the_winners(
    tmp_path: Path, executor: str, lines: str, ranking: tuple[tuple[int, ...], ...]
) -> None:
    game = made(tmp_path, "player.index", scores(5, 2, 1, 9) + f"ranking: [{lines}]\n", executor=executor)
    result = game.start(0).result
    assert result is not None
    assert result.ranking == ranking
    places = [next(place for place, seats in enumerate(ranking) if seat in seats) for seat in range(4)]
    assert list(game.playouts(None, 1).places[:4]) == places


def test_all_who_have_won_are_told_so(tmp_path: Path) -> None:
    """Without teams: all level by points is a draw; all who have done what winning takes have won."""
    for line, told in (("won: player.score > 0", "Won together: red and blue."), ("most: 1", "The game is a draw.")):
        text = HEAD.replace(", teams: TEAMS", "")
        text += "flow: [{for_each: player, do: [{score: 1, for: player, reason: a}]}]"
        (tmp_path / "g.yaml").write_text(f"{text}\nranking: [{{{line}}}]\n", encoding="utf-8")
        game = load(tmp_path)
        result = game.start(0).result
        assert result is not None
        assert result_lines(game.texts("en"), result)[-1] == told


def test_who_has_not_won_comes_behind_who_has(tmp_path: Path) -> None:
    """Without teams: only who has 2 or fewer can be first, and of these the most points."""
    game = made(
        tmp_path, "player.index", scores(5, 2, 1, 9) + "ranking: [{won: player.score <= 2}, {most: player.score}]\n"
    )
    result = game.start(0).result
    assert result is not None
    assert result.ranking == ((1,), (2,), (3,), (0,))


@pytest.mark.parametrize(
    ("ranking", "teams", "shares"),
    [
        (((0, 2), (1, 3)), (0, 1, 0, 1), [1, 0, 1, 0]),
        (((0, 1, 2, 3),), (0, 1, 0, 1), [0.5] * 4),
        (((0, 1, 2, 3),), (0, 0, 0, 0), [1] * 4),
        (((), (0, 1, 2, 3)), (0, 0, 0, 0), [0] * 4),
        (((0, 1), (2, 3)), (), [0.5, 0.5, 0, 0]),
    ],
)
def test_a_team_has_its_part_of_the_victory_as_one(
    ranking: tuple[tuple[int, ...], ...], teams: tuple[int, ...], shares: list[float]
) -> None:
    assert Result((0, 0, 0, 0), ranking, teams).shares == shares
    places = [next(at for at, seats in enumerate(ranking, 1) if seat in seats) for seat in range(4)]
    record = {"places": places} | ({"teams": list(teams)} if teams else {})
    assert shares_of(record) == shares
    assert sides_of(record) == (round(1 / max(shares)) if max(shares) else 0)


def test_rewards_are_those_of_the_team(tmp_path: Path) -> None:
    pytest.importorskip("pettingzoo", reason="the extra 'pettingzoo' is not installed")
    from interpreter.pettingzoo import environment

    body = "flow:\n  - turns: player\n    do:\n      - may: [{score: 1, reason: a}]\n        id: b\n"
    for condition, reward in (("false", -1.0), ("true", 1.0)):
        made(tmp_path, "0", body + f"ranking: [{{won: '{condition}'}}]\n")
        table = environment(str(tmp_path), players=2)
        table.reset(seed=1)
        rewards = []
        while table.agents:
            observation, rewards_now, ended, left, _ = table.last()
            if ended or left:
                rewards.append(rewards_now)
                table.step(None)
            else:
                table.step(int(observation["action_mask"].nonzero()[0][0]))
        assert rewards == [reward, reward]


@pytest.mark.parametrize(
    ("language", "won", "lost"),
    [
        ("en", "Won together: north and south.", "Nobody has won."),
        ("fr", "Victoire commune\u202f: north et south.", "Personne n’a gagné."),
        ("ja", "northとsouthがともに勝ちました。", "勝者はいません。"),
        ("es", "Victoria conjunta: north y south.", "Nadie ha ganado."),
    ],
)
def test_the_end_is_told(tmp_path: Path, language: str, won: str, lost: str) -> None:
    texts = made(tmp_path, "player.index % 2", scores(5, 3, 0, 1) + MOST).texts(language)
    assert result_lines(texts, Result((5, 3, 0, 1), ((0, 2), (1, 3)), (0, 1, 0, 1)))[-1] == won
    lines = result_lines(texts, Result((5, 3, 0, 1), ((), (0, 1, 2, 3)), (0, 1, 0, 1)))
    assert lines[-1] == lost
    assert len(lines) == 6  # that it is over, four lines of points, and this


HEAD = "game: {id: g, language: 1, title: {en: G}, players: 2, seats: [red, blue], teams: TEAMS}\n"


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("flow: [{score: red.team, for: red, reason: a}]\n", "RS302", "teams: player.index % 2"),
        ("flow: [{score: 1, for: red.partner, reason: a}]\n", "RS302", "teams: player.index % 2"),
    ],
)
def test_without_teams_they_are_pointed_to(tmp_path: Path, text: str, code: str, hint: str) -> None:
    found = problems_of(tmp_path, text)
    assert [problem for problem in found if problem[0] == code and hint in problem[1]], found


@pytest.mark.parametrize(
    ("teams", "body", "code"),
    [
        ("[[north, south], [east, west]]", "", "RS303"),
        ("player", "", "RS303"),
        ("player.score", "", "RS315"),
        ("player.team", "", "RS702"),
        ("player.partners.count", "", "RS702"),
        ("north.team", "", "RS702"),
        ("if count(p in player where p.team == player.team) > 1 then 0 else 1", "", "RS702"),
        ("player.index % 2", "state: {player.team: {type: 0..3, start: 0}}\n", "RS260"),
    ],
)
def test_teams_that_cannot_be(tmp_path: Path, teams: str, body: str, code: str) -> None:
    from rulespec.diagnostics.model import ContentError

    with pytest.raises(ContentError, match=code):
        made(tmp_path, teams, body + scores(1) + MOST)
