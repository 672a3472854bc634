"""The rounds of a tree search at one decision: within the native executor's module, or in Python where that gives up.

Both do the same rounds: what was found is the same, whoever found it, and one can go on where the other stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from interpreter.bounds import in_time
from interpreter.game import Game
from interpreter.imagine import imagined_cells
from interpreter.middle.pieces import copy_cells
from interpreter.native.asks import STOP
from interpreter.native.branches import EVERYWHERE
from interpreter.native.executor import Bailed, Native
from interpreter.native.searching import Grown, Searching
from interpreter.players.ahead import leads_at
from interpreter.players.guide import GuidedTree, Known
from interpreter.players.outlook import positions_of, quick_positions_of
from interpreter.players.positions import Edge, is_piece
from interpreter.players.tree import Branch, Tree
from interpreter.reckoning import LEANS, MOST_ROUNDS, most_known
from interpreter.state import State


class Rounds(Protocol):
    """A search at one decision: round number n draws by a seed plus n."""

    def play_rounds(self, amount: int) -> None:
        """So many more rounds."""
        ...

    def tried(self) -> list[tuple[int, float]]:
        """Of each option in order: how often it was taken, and what it brought in all. There are no more rounds."""
        ...


def native_of(game: Game) -> Native | None:
    """The native executor that searches; None where there is none."""
    return game.native


@contextmanager
def rounds_at(state: State, seat: int, seed: int, most: int | None, *, guided: bool = True) -> Iterator[Rounds]:
    """A search at a state's decision, of at most so many rounds. It has the module to itself until it is left."""
    native = native_of(state.game)
    if native is None:
        yield InPython(state, seat, seed, most, guided=guided)
        return
    with native.alone:
        yield InModule(native, state, seat, seed, most, guided=guided)


class InPython:
    """Rounds with a tree of Python's, in positions of the quicker executor, round by round."""

    def __init__(self, state: State, seat: int, seed: int, most: int | None = None, *, guided: bool = False):
        self._state, self._seat, self._seed = state, seat, seed
        self.tree = new_tree(state.game, most, guided=guided)
        self.done = 0

    def play_rounds(self, amount: int) -> None:
        """So many more rounds."""
        tree = self.tree
        if isinstance(tree, GuidedTree) and not tree.root.below:
            tree.lean(leads_at(self._state, self._seat, leaning_seeds(self._seed)), LEANS)
        for _ in range(amount):
            in_time(self._state)
            seed = self._seed + self.done
            self._round(imagined_cells(self._state, self._seat, seed), seed)
            self.done += 1

    def _round(self, imagined: list[Any], seed: int) -> None:
        """A round by the native executor; where that gives up it is taken back and done by the other one."""
        quick = quick_positions_of(self._state.game)
        if quick is not None:
            before = self.tree.mark()
            try:
                self.tree.round(quick, quick.of(imagined), seed)
            except Bailed:
                self.tree.back_to(before)
            else:
                return
        positions = positions_of(self._state.game)
        self.tree.round(positions, positions.of(copy_cells(imagined)), seed)

    def tried(self) -> list[tuple[int, float]]:
        """See `Rounds`."""
        positions = positions_of(self._state.game)
        found = (self.tree.root.below.get(edge, Branch()) for edge in positions.edges(positions.at(self._state)))
        return [(branch.taken, branch.gained) for branch in found]


class InModule:
    """Rounds in the module; from a round on that is too much for it, in Python."""

    def __init__(self, native: Native, state: State, seat: int, seed: int, most: int | None, *, guided: bool = False):
        self._state, self._rest = state, InPython(state, seat, seed, most, guided=guided)
        self._searching = Searching(native, state.to_bytes(), seat, seed)
        self._is_left = False
        known = most_known(most) if guided else 0
        try:
            self._searching.begin(most, known, LEANS if guided else 0)
        except Bailed:
            self._searching.begin(most, known)
            self._lean(leads_at(state, seat, leaning_seeds(seed)))

    def _lean(self, leads: Mapping[Edge, float]) -> None:
        """The same by what the reference has tried, where that was too much for the module."""
        try:
            self._searching.plant()
        except Bailed:
            self._is_left = True
        else:
            self._searching.lean(LEANS, list(leads.values()))

    def play_rounds(self, amount: int) -> None:
        """So many more rounds."""
        before = self._searching.rounds
        if not self._is_left:
            try:
                self._searching.grow(amount)
            except Bailed:
                amount -= self._searching.rounds - before
                self._leave()
        if self._is_left:
            self._rest.play_rounds(amount)

    def _leave(self) -> None:
        """Goes on in Python from what was found."""
        self._is_left, self._rest.done = True, self._searching.rounds
        take_over(self._searching, self._state.game, self._rest.tree)

    def tried(self) -> list[tuple[int, float]]:
        """See `Rounds`."""
        if not self._is_left:
            try:
                return self._searching.tried(len(self._state.candidates or ()))
            except Bailed:
                self._leave()
        return self._rest.tried()


def new_tree(game: Game, most: int | None, *, guided: bool) -> Tree:
    """A tree for at most so many rounds."""
    horizon = game.facts.program.hints.horizon
    return GuidedTree(horizon, game.players, most_known(most)) if guided else Tree(horizon)


def leaning_seeds(seed: int) -> list[int]:
    """The seeds by which each option is tried before a search: those of rounds that it does not come to."""
    return [seed + MOST_ROUNDS - 1 - number for number in range(LEANS)]


def take_over(searching: Searching, game: Game, tree: Tree) -> None:
    """Makes an empty tree the one that lies in the module."""
    tree.valued, tree.spread = searching.valued
    known = {0: tree.root}
    if isinstance(tree, GuidedTree):
        tree.take_over(searching.brought)
    for grown in searching.grown():
        edge = _edge(searching.native, game, grown)
        if grown.above == EVERYWHERE:
            assert isinstance(tree, GuidedTree)
            tree.known[edge] = Known(grown.taken, grown.gained)
            continue
        branch = known[grown.address] = Branch(grown.offered, grown.taken, grown.gained, grown.lean)
        known[grown.above].below[edge] = branch
        tree.amount += 1


def _edge(native: Native, game: Game, grown: Grown) -> Edge:
    """A branch's choice, as `CellPositions.named` writes it."""
    ask, numbers = game.facts.asks[grown.at], grown.choice.tolist()
    kinds = [is_piece(name.type) for name in ask.names]
    if not any(kinds):
        return (grown.at, grown.seat, *native.as_candidates(grown.at, grown.choice))
    if ask.optional and numbers[0] == STOP:
        return grown.at, grown.seat, STOP
    codes = game.facts.pieces.codes
    values = zip(kinds, numbers[ask.kind == "set" :], strict=True)
    return grown.at, grown.seat, *(divmod(v, codes) if piece and v >= 0 else v for piece, v in values)
