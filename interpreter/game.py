"""A game ready to be played: loaded, checked, compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as AbstractMapping
from dataclasses import replace
from functools import cached_property, lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from interpreter.by_reference import ByReference, Impatient
from interpreter.middle.events import Moment
from interpreter.middle.facts import Facts
from interpreter.middle.layout import from_bytes, to_bytes
from interpreter.middle.pieces import copy_cells
from interpreter.middle.soundness import is_sound
from interpreter.options import KeyWords
from interpreter.reference.position import MOST_WORK
from interpreter.state import Decision, Result, State
from rulespec.built import Built
from rulespec.diagnostics.model import ContentError, Problems
from rulespec.game_source import GameSource, read_game, resolve_fully, with_variant_files
from rulespec.kept.lowered import kept_build
from rulespec.kept.opened import Opened, Opening, opened
from rulespec.lower.constants import OptionValue
from rulespec.lower.context import Parsed
from rulespec.options import allowed
from rulespec.settle import settle_options
from rulespec.source.memory import seldom_collected
from rulespec.source.nodes import Mapping, Node, Scalar

if TYPE_CHECKING:
    from interpreter.log_lines import Places
    from interpreter.native.event_reader import KeptEvents
    from interpreter.native.executor import Found, Native
    from interpreter.playouts import Playouts
    from interpreter.reference.machine import Reference
    from interpreter.sight import Knowledge
    from interpreter.texts import Texts
    from rulespec.model.world import World


NativeStep: TypeAlias = "tuple[bytes, Found | None] | tuple[bytes, Found | None, KeptEvents]"
EXECUTORS = ("native", "reference")
#: About how much work of the reference takes as long as it takes to make a module: any one, and for each instruction of
#: its program. Where a module is kept, it is ready after so much.
WORK_FOR_ANY_MODULE = 40_000
WORK_FOR_INSTRUCTION = 200
WORK_FOR_KEPT_MODULE = 20_000


def load(
    name: str | PathLike[str],
    *,
    players: int | None = None,
    options: AbstractMapping[str, OptionValue | None] | None = None,
    variants: Sequence[str] = (),
    executor: str | None = None,
) -> Game:
    """A game by a shipped id or a folder, for one number of players (default: the lowest it declares).

    `executor` is `native` or `reference` where one of them is to play alone; by default the reference plays the first
    steps, and then the native one. The games are the same. Raises ContentError, with all problems, for
    content that cannot be played so; TypeError for what is no name, number and so on at all; ValueError for an executor
    that there is not.
    """
    _check_kinds(players, options, variants)
    problems = Problems()
    source = read_game(fspath(name), problems)
    if source is None or problems.has_errors:
        raise ContentError(problems.items)
    given = {name: "none" if value is None else value for name, value in (options or {}).items()}
    game = load_source(source, players=players, options=given, variants=variants, problems=problems, keep=True)
    if executor is not None:
        game.play_by(executor)
    return game


def _check_kinds(players: object, options: object, variants: object) -> None:
    """TypeError for arguments of a wrong kind: Python would trip over them later, and say less."""
    if players is not None and (not isinstance(players, int) or isinstance(players, bool)):
        raise TypeError(f"players is a whole number, not {players!r}")
    if not (options is None or (isinstance(options, AbstractMapping) and all(isinstance(key, str) for key in options))):
        raise TypeError(f"options is a map from names to values, not {options!r}")
    if isinstance(variants, str) or not all(isinstance(each, str) for each in variants):  # type: ignore[attr-defined]
        raise TypeError(f"variants is a list of ids or files, not {variants!r}")


def load_source(  # noqa: PLR0913  (what a game depends on)
    source: GameSource,
    *,
    players: int | None = None,
    options: AbstractMapping[str, OptionValue] | None = None,
    variants: Sequence[str] = (),
    problems: Problems | None = None,
    parsed: Parsed | None = None,
    ask_everything: bool = False,
    keep: bool = False,
) -> Game:
    """As `load`, of files that were read already. `ask_everything`: as if the game declared `asks: everything`.

    With `keep`, the program is taken from the user's cache where nothing that it depends on has changed, and put there.
    """
    found = problems if problems is not None else Problems()
    with seldom_collected():
        return _made(source, players, options or {}, variants, found, parsed, ask_everything, keep)


def _made(  # noqa: PLR0913, PLR0917  (what a game depends on)
    source: GameSource,
    players: int | None,
    options: AbstractMapping[str, OptionValue],
    variants: Sequence[str],
    problems: Problems,
    parsed: Parsed | None,
    ask_everything: bool,
    keep: bool,
) -> Game:
    source, ids = with_variant_files(source, variants, problems)
    opening = None if not keep or ask_everything or problems.has_errors else Opening(source, players, options, ids)
    kept = None if opening is None else opening.recalled()
    if kept is not None:
        return Game(source, *kept, tuple(sorted(ids)))
    settled = None if problems.has_errors else settle_options(source, players, options, ids, problems)
    if settled is None or problems.has_errors:
        raise ContentError(problems.items)
    resolved = resolve_fully(source, settled.variants, problems)
    built = None
    if not problems.has_errors:
        if opening is not None:
            built = kept_build(
                source, settled.variants, resolved.tree, settled.players, settled.options, problems, parsed
            )
        else:
            from rulespec.build import build  # here, since a program that is kept needs nothing that lowers

            tree = asking_everything(resolved.tree) if ask_everything else resolved.tree
            built = build(tree, settled.players, settled.options, problems, parsed)
    if built is None:
        raise ContentError(problems.items)
    refused = allowed(built.context, settled.options)
    if refused is not None:
        raise ContentError([refused])
    played = opened(built, resolved.tree, settled.options, settled.variants)
    if opening is not None:
        opening.keep(played)
    return Game(source, played, lambda: resolved.tree, built, tuple(sorted(ids)))


def asking_everything(tree: Mapping) -> Mapping:
    """The declarations with every order asked for, also where it changes nothing, as the first version did."""

    def scalar(text: str) -> Scalar:
        return Scalar(tree.span, text, "plain", text, tree.span)

    def changed(game: Node) -> Node:
        if not isinstance(game, Mapping):
            return game
        kept = tuple(pair for pair in game.pairs if pair[0].text != "asks")
        return replace(game, pairs=(*kept, (scalar("asks"), scalar("everything"))))

    pairs = tuple((key, changed(value) if key.text == "game" else value) for key, value in tree.pairs)
    return replace(tree, pairs=pairs)


class Game:
    """One game with its number of players, options and variants: the rules, not a position.

    `id`, `players`, `seats` (their ids), `options` and `variants` say what was loaded; `fingerprint`
    names the content that it was made from. `executor` is None, or the one that plays alone.
    """

    def __init__(
        self, source: GameSource, played: Opened, tree: Callable[[], Mapping], built: Built, variants: tuple[str, ...]
    ):
        self.source = source
        self.id = source.id
        self._tree = tree
        self.built = built
        self.players = played.players
        self.seats = played.seats
        self.options = played.options
        self.variants = variants
        self.fingerprint = played.fingerprint
        self.hints_fingerprint = played.hints
        self.facts = Facts(built)
        self.machine = ByReference(self.facts)
        self._texts: dict[str, Texts] = {}
        #: why there is no native executor, where it was asked for and there is none
        self.native_refused = ""
        self.executor: str | None = None
        #: by instruction and seat: what is asked there
        self.decisions: dict[tuple[int, int], Decision] = {}
        self._key_words: dict[int, KeyWords] = {}

    @property
    def tree(self) -> Mapping:
        """The declarations as they stand in the files, with the variants."""
        return self._tree()

    @property
    def world(self) -> World:
        """All that is declared, for this number of players and these options."""
        return self.built.world

    # ---- playing ----

    def start(self, seed: int = 0, *, events: bool = False) -> State:
        """A new game after its set-up. Raises ValueError for a seed outside 0..2**64-1."""
        if not isinstance(seed, int):
            raise TypeError(f"a seed is a whole number, not {seed!r}")

        def plainly(most: int) -> State:
            cells = self.machine.begin(seed)
            return self._run(cells, cells[0], [] if events else None, most)

        return self._step(lambda native: _first(native, seed, events=events), plainly)

    def position(
        self,
        given: AbstractMapping[str, Any],
        *,
        at: str | None = None,
        start: str = "setup",
        seed: int = 1,
    ) -> State:
        """A position in which declared cells and zones hold what is given, as `given` of a scenario says it.

        `{"red.coins": 3, "cell[1,2].token": "token(red)", "deck": []}`: keys are places as an expression reads them;
        values are numbers, truth values, texts (names, pieces, any expression), None, or for zones lists of pieces from
        the bottom up. Everything else is as after the set-up of the seed, or with `start="empty"` as before it. `at`
        (`"red trade"`) is the decision at which the game stands; without it, it goes on from the beginning of its flow,
        and with `"end"` it is over. Raises ContentError where that cannot be.
        """
        from interpreter.positions import position  # here, since few ask for it

        return position(self, given, at, start, seed)

    def advance(self, state: State, candidate: Any, *, events: bool = False) -> State:
        """The state after an answer to a state's decision."""

        def plainly(most: int) -> State:
            cells = copy_cells(state.cells)
            sink = [("choice", cells[0], cells[self.machine.me], candidate, state.cells)] if events else None
            return self._run(cells, self.machine.answer(cells, cells[0], candidate), sink, most)

        return self._step(lambda native: _after(native, state, candidate, events=events), plainly)

    def imagined(self, state: State, seat: int, seed: int) -> State | None:
        """Another state at a decision that looks the same to a seat, where the native executor plays; else None.

        `interpreter.imagine` says what it is, and makes the same one.
        """
        if self.native_at_hand is None:
            return None
        return self._natively(lambda native: native.imagined(state.to_bytes(), seat, seed))

    def resume(self, cells: list[Any], pc: int, sink: list[Any] | None = None) -> State:
        """The state at the next decision when the game goes on from an instruction; these cells are changed."""
        return self._run(cells, pc, sink, MOST_WORK)

    def _run(self, cells: list[Any], pc: int, sink: list[Any] | None, most: int) -> State:
        return State(self, cells, self.machine.run(cells, pc, sink, most=most), sink)

    def _step(self, natively: Callable[[Native], NativeStep], plainly: Callable[[int], State]) -> State:
        """A step by whoever is to do it. What is too much for the native executor is done by the reference.

        A step that would take the reference longer than it takes to make a module is broken off, and done by that.
        """
        native = self.native_at_hand
        if native is None and self.executor is None and "native" not in self.__dict__:
            for most in self._patience():
                try:
                    return plainly(most)
                except Impatient:
                    continue
            native = self.native
        return (self._natively(natively) if native is not None else None) or plainly(MOST_WORK)

    def result_of(self, state: State) -> Result:
        """Points and places of a position, as if the game ended there."""
        return Result(*self.machine.result(state.cells), teams=self.facts.program.declared.teams)

    @property
    def reference(self) -> Reference:
        """What the program means: explanations and doubt ask it, however the game is played."""
        return self.facts.values.reference

    # ---- speed ----

    def play_by(self, executor: str) -> None:
        """From now on one executor plays alone: `native`, or the plain and slow `reference`.

        What is too much for the native one is played by the reference. Raises ValueError where there is none of
        that name for this game: then who plays is as it was.
        """
        if executor not in EXECUTORS:
            raise ValueError(f"executor is one of {', '.join(EXECUTORS)}, not {executor!r}")
        made = self.__dict__.get("native")
        if executor == "native":
            made = made or self._native()
            if made is None:
                raise ValueError(f"{self.id} cannot be played by the native executor: {self.native_refused}")
        self.executor = executor
        self.__dict__.pop("native", None)
        if executor == "native":
            self.__dict__["native"] = made

    @cached_property
    def native(self) -> Native | None:
        """The native executor of this game; None where it has none: `native_refused` says why."""
        if self.executor == "reference":
            self.native_refused = "the reference is to play"
            return None
        return self._native()

    def _native(self) -> Native | None:
        from interpreter.native.executor import Native, NotCompiled  # here, since most commands do without

        try:
            return Native(self.built, self.facts, self._made_of)
        except NotCompiled as why:
            self.native_refused = str(why)
            return None

    @property
    def _made_of(self) -> tuple[object, ...]:
        """What the name of a module that is kept is made of: what is played, and what automatic seats go by."""
        return (
            self.fingerprint,
            self.hints_fingerprint,
            self.players,
            sorted(self.options.items()),
            self.variants,
            self.built.program.unasked,  # not so for a log of before, whose game has everything asked
        )

    @property
    def native_at_hand(self) -> Native | None:
        """The native executor, once the reference has worked for about as long as making it takes; at once where it is
        made. Work is counted, and no clock is read.
        """
        if "native" in self.__dict__ or self.executor is not None:
            return self.native
        worked = self.machine.worked
        return self.native if worked >= WORK_FOR_KEPT_MODULE and worked >= max(self._patience()) else None

    def _patience(self) -> Iterator[int]:
        """How much the reference works before the native executor is asked for: by little work, then by more unless a
        module is kept. To ask whether one is takes time itself.
        """
        yield WORK_FOR_KEPT_MODULE
        if not self._is_module_kept:
            yield WORK_FOR_ANY_MODULE + WORK_FOR_INSTRUCTION * len(self.facts.program.instrs)

    @cached_property
    def _is_module_kept(self) -> bool:
        from interpreter.native.store import is_kept  # here, since most commands do without

        return is_kept(self._made_of)

    def _natively(self, play: Callable[[Native], NativeStep]) -> State | None:
        """What the native executor makes; None where it gives up, so that the reference is to do it."""
        from interpreter.native.engine import Bailed

        assert self.native is not None
        try:
            return State.of_bytes(self, *play(self.native))
        except Bailed:
            return None

    def playouts(self, state: State | None, n: int, seed: int = 0) -> Playouts:
        """`n` random games from a state, or (None) from the beginning, with the seeds from `seed` on.

        All chance is drawn anew for each game: game `i` depends on `seed + i` alone. The native executor plays where it
        can; the games are the same without it. Warns of games that are not over after very many decisions, which are
        left (`Playouts.unfinished`). Raises ValueError for a state of another game.
        """
        from interpreter.playouts import play_out, warn_of_unfinished

        if state is not None and state.game.fingerprint != self.fingerprint:
            raise ValueError(f"this state is one of another game: {state.game.id} as it was loaded there")

        found = play_out(self, state, n, seed)
        warn_of_unfinished(found)
        return found

    # ---- states from elsewhere ----

    def state_from_bytes(self, data: bytes) -> State:
        """The state that bytes stand for. Raises ValueError where they are not a state of this game."""
        cells = from_bytes(data, self.facts.rooms)
        try:
            if to_bytes(cells, self.facts.rooms) == data and is_sound(self.facts, cells):
                return self.state_from_cells(cells)
        except (LookupError, ArithmeticError, TypeError):  # cells that cannot be are noticed when options are sought
            pass
        raise ValueError("these bytes are no state of this game")

    def state_from_cells(self, cells: list[Any]) -> State:
        """A state at a decision, its options found anew."""
        pc = cells[0]
        if pc == 0 and cells[self.machine.over]:
            return State(self, cells, None)
        if pc not in self.facts.asks:
            raise ValueError("these bytes are no state of this game at a decision")
        return State(self, cells, self.machine.options(cells, pc))

    def same_as(self, other: Game) -> bool:
        """Whether states of the two can be compared."""
        return self is other or (
            self.fingerprint == other.fingerprint
            and self.players == other.players
            and self.options == other.options
            and self.variants == other.variants
            and self.built.program.unasked == other.built.program.unasked
        )

    def __deepcopy__(self, memo: object) -> Game:
        return self  # nothing in a game changes

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is pickled as what it was loaded from, so that its states can go to other processes."""
        inside = f"{self.source.folder.resolve().name}/"
        files = ((name, self.source.variants[name].tree.span.file.name) for name in self.variants)
        variants = tuple(name if file.startswith(inside) else str(Path(file).resolve()) for name, file in files)
        folder = str(self.source.folder.resolve())
        given = (folder, self.players, tuple(self.options.items()), variants)
        return _again, (given, self.fingerprint, self.executor)

    @cached_property
    def knowledge(self) -> Knowledge:
        """What a seat may know: which sides of pieces it sees, and which values tell of hidden ones."""
        from interpreter.sight import Knowledge  # here, since playouts never ask

        return Knowledge(self.facts)

    @cached_property
    def places(self) -> Places:
        """Where instructions stand in the content, and the rules bound to those places."""
        from interpreter.log_lines import Places  # here, since playouts never ask

        return Places(self)

    def key_words(self, at: int) -> KeyWords:
        """The texts of the keys at a decision."""
        found = self._key_words.get(at)
        if found is None:
            found = self._key_words[at] = KeyWords(self, self.facts.asks[at])
        return found

    # ---- texts ----

    def texts(self, language: str) -> Texts:
        """The texts of a language; what it lacks is taken from its base language, then from English."""
        from interpreter.texts import Texts  # here, since playouts need no texts and Babel is slow to load

        if language not in self._texts:
            self._texts[language] = Texts(self.facts, self.tree, self.source.engine, language, self.built.context)
        return self._texts[language]

    def __repr__(self) -> str:
        return f"<Game {self.id} for {self.players}>"


def _first(native: Native, seed: int, *, events: bool) -> NativeStep:
    return native.first_with_events(seed) if events else native.first(seed)


def _after(native: Native, state: State, candidate: Any, *, events: bool) -> NativeStep:
    data, at = state.to_bytes(), state.asks_at
    if not events:
        return native.after(data, at, candidate)
    chosen = ("choice", at, state.chooser, candidate, Moment(data, state.game.facts.rooms))
    return native.after_with_events(data, at, candidate, chosen)


@lru_cache(maxsize=16)
def _again(
    given: tuple[str, int, tuple[tuple[str, OptionValue], ...], tuple[str, ...]], made_of: str, executor: str | None
) -> Game:
    """A pickled game. Raises ValueError where the content in its folder is another one by now."""
    folder, players, options, variants = given
    game = load(folder, players=players, options=dict(options), variants=variants, executor=executor)
    if game.fingerprint != made_of:
        raise ValueError(f"the content of {game.id} is not the one that was pickled")
    return game
