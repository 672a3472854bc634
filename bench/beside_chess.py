"""Random games of chess beside the package `chess`: the same moves, the same end, the same winner."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

from bench.differs import Differs
from interpreter import Game, load

CLAIM, NO_CLAIM = "claim accept", "claim decline"
PROMOTED = {"knight": 2, "bishop": 3, "rook": 4, "queen": 5}  #: as the package numbers them


@cache
def _game(claims: bool) -> Game:
    return load("chess", options={"claims": claims})


def chess(package: Any, size: int, seed: int, counts: Counter[str]) -> None:
    """One game of chess: those of even seeds with claims, of which one in ten is made, the others without.

    The package asks for no claims: whether there may be one is compared with what it says of the position. A
    promotion is a decision of its own here, and a part of the move there.
    """
    claims = seed % 2 == 0
    game, board = _game(claims), package.Board()
    state, chance, played = game.start(seed), random.Random(seed), list[str]()
    claimed = False
    while state.decision is not None:
        if state.decision.action != "move_man":
            _same(claims and _claimable(board), True, "a claim", played)
            key = CLAIM if chance.random() < 0.1 else NO_CLAIM
            claimed = key == CLAIM
            state = state.apply(state.option(key))
            continue
        _same(_outcome(board, claims), None, "the end", played)
        move, state = _chess_move(package, board, state, chance, played)
        counts["castling"] += board.is_castling(move)
        counts["captures in passing"] += board.is_en_passant(move)
        counts["promotions"] += move.promotion is not None
        board.push(move)
        played.append(move.uci())
        counts["moves"] += 1
    assert state.result is not None
    why, winner = ("a claim", None) if claimed else _outcome(board, claims) or ("nothing", None)
    _same(
        tuple(state.result.scores), tuple(int(winner is side) for side in (True, False)), f"the result by {why}", played
    )
    counts[f"ended by {why}"] += 1


def _chess_move(package: Any, board: Any, state: Any, chance: random.Random, played: list[str]) -> tuple[Any, Any]:
    """A random move after the options are found to be the same, as the package's, and our position behind it."""
    mine = {_squares(key): option for key, option in zip(state.options().keys(), state.options(), strict=True)}
    theirs = {(move.from_square, move.to_square) for move in board.legal_moves}
    _same(set(mine), theirs, "the options", played)
    start, goal = chance.choice(sorted(mine))
    after = state.apply(mine[start, goal])
    move = board.find_move(start, goal)  # with a queen where it is a promotion
    if move.promotion is None:
        return move, after
    kinds = {key.split()[1]: option for key, option in zip(after.options().keys(), after.options(), strict=True)}
    _same(set(kinds), set(PROMOTED), "the kinds", played)
    kind = chance.choice(sorted(kinds))
    return package.Move(start, goal, PROMOTED[kind]), after.apply(kinds[kind])


def _squares(key: str) -> tuple[int, int]:
    """`move_man square[5,2] square[5,4]` as the package counts squares, from 0, row by row."""
    found = [part.removeprefix("square[").removesuffix("]").split(",") for part in key.split()[1:]]
    (start, goal) = ((int(row) - 1) * 8 + int(col) - 1 for col, row in found)
    return start, goal


def _claimable(board: Any) -> bool:
    return bool(board.is_repetition(3) or board.is_fifty_moves())


def _outcome(board: Any, claims: bool) -> tuple[str, bool | None] | None:
    """How the package ends the game, and who wins (True for white); what may be claimed ends it where nobody claims."""
    found = board.outcome()
    if found is not None:
        return found.termination.name.lower().replace("_", " "), found.winner
    return ("repetition or fifty moves", None) if not claims and _claimable(board) else None


def _same(mine: Any, theirs: Any, what: str, played: list[str]) -> None:
    if mine != theirs:
        raise Differs(f"{what}: {mine} here, {theirs} there, after {' '.join(played)}")
