"""One game of a workspace: what it declares now, made anew only where what it hangs on has changed."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable
from collections.abc import Mapping as MappingOf
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.build import declare
from rulespec.built import Built
from rulespec.diagnostics.model import Problems
from rulespec.expr import ast
from rulespec.expr.unfinished import HOLE
from rulespec.game_source import GameSource, needed
from rulespec.lower.constants import OptionValue, player_range
from rulespec.lower.context import Context, Parsed
from rulespec.lower.program import lower_program
from rulespec.lower.scope import Scope
from rulespec.lower.watch import watching
from rulespec.messages.game import Game as Told
from rulespec.messages.keys import uses
from rulespec.model.types import Type
from rulespec.model.validate import Sound, validate_whole
from rulespec.model.without import without
from rulespec.model.world import Procedure, World
from rulespec.overlay.apply import apply_variants
from rulespec.overlay.merge import merge
from rulespec.overlay.variant import is_variant, read_variants
from rulespec.service.files_read import HELD, LISTS, FileRead, bounded, union
from rulespec.service.kept import Kept
from rulespec.service.known_values import written
from rulespec.service.meanings import Meanings, meanings_of
from rulespec.service.occurrences import Index, index_of
from rulespec.service.reading import texts_of
from rulespec.source.tree import Mapping, Node, Scalar

if TYPE_CHECKING:
    from rulespec.service.workspace import Workspace

#: How many frames, or trees, are made before what is known of nodes that are gone is forgotten.
FRAMES = 32

_VARIANT = re.compile(r"^variant[ \t]*:", re.MULTILINE)

Hole = tuple[str, str]  #: a file's name, and a text that stands for its own
Shown = tuple[dict[str, dict[str, Type]], frozenset[str]]  #: what messages can name, by key; those that must be there


@dataclass(frozen=True, slots=True)
class Site:
    """A place of an expression: the names that it can read, and the type that is wanted there (None: any)."""

    scope: Scope
    want: Type | None


@dataclass(frozen=True, slots=True)
class Declared:
    """A game with some variants on: its tree, all that it declares, and what is known at the hole, if it came there."""

    tree: Mapping
    context: Context
    site: Site | None = None


class Game:
    """One game, for as long as its workspace lives; all answers are those of the texts of now.

    `frame`s are what it declares, apart from steps and words. They are kept by the texts of just that.
    """

    def __init__(self, space: Workspace, home: str) -> None:
        self.space = space
        self.home = home
        self._parsed = Parsed()
        self._sound: Sound = {}
        self._made = 0
        self._frames: Kept[tuple[object, ...], Declared | None] = Kept(3)
        self._sites: Kept[tuple[object, ...], Any] = Kept(8)
        self._unions: Kept[tuple[object, ...], Mapping | None] = Kept(2)
        self._messages: Kept[tuple[object, ...], Shown] = Kept(2)
        self._constants: Kept[tuple[object, ...], dict[str, str]] = Kept(64)
        self._meanings: Kept[tuple[object, ...], Meanings] = Kept(1)
        self._indexes: Kept[tuple[object, ...], Index] = Kept(1)
        self._bounded: Kept[tuple[FileRead, ...], list[FileRead]] = Kept(3)
        self._broken: Kept[tuple[object, ...], frozenset[str]] = Kept(8)
        self._resolved = 0

    @property
    def files(self) -> tuple[str, ...]:
        """The names of its files."""
        return self.space.files_of(self.home)

    def read(self, hole: Hole | None = None) -> list[FileRead]:
        """Its files as far as they can be read and go by the bounds; with a `hole`, that text stands for the file's."""
        files = tuple(self.space.file(n, hole[1] if hole is not None and hole[0] == n else None) for n in self.files)
        return self._bounded.of(files, lambda: bounded(files))

    def loops(self) -> tuple[str, ...]:
        """The names of loops in its expressions, those that stand there most often first."""
        found: Counter[str] = Counter()
        for name in self.files:
            found.update(self.space.loops(name))
        return tuple(sorted(found, key=lambda name: (-found[name], name)))

    def runs(self) -> Counter[tuple[str, str]]:
        """The names of loops in its expressions, each with the last word of what it goes through, and how often."""
        found: Counter[tuple[str, str]] = Counter()
        for name in self.files:
            found.update(self.space.runs(name))
        return found

    # ---- variants ----

    @property
    def variants(self) -> tuple[str, ...]:
        """The ids of its variants, in order."""
        return tuple(sorted({file.variant for file in self.read() if file.variant}))

    def variants_of(self, name: str) -> tuple[str, ...]:
        """The variant that a file belongs to, if it does: where it is read, that one is on."""
        if not _VARIANT.search(self.space.text(name)):
            return ()
        variant = self.space.file(name).variant
        return (variant,) if variant else ()

    def variants_at(self, hole: Hole, way: tuple[str | int, ...]) -> tuple[str, ...]:
        """The variants that are on at a place of a text: those of its file, in a scenario those that it names too."""
        own = self.variants_of(hole[0])
        tree = self.space.file(*hole).tree if way[:1] == ("scenarios",) and len(way) > 1 else None
        entry = tree.get("scenarios") if tree is not None else None
        scenario = entry.get(str(way[1])) if isinstance(entry, Mapping) else None
        named = texts_of(scenario.get("variants")) if isinstance(scenario, Mapping) else ()
        return tuple(dict.fromkeys((*own, *(name for name in named if name in self.variants))))

    # ---- trees ----

    def tree(self, variants: Iterable[str] = (), hole: Hole | None = None) -> Mapping | None:
        """The sections of all its files together, and of those of some variants, without what has no right form.

        The changes of variants are not applied.
        """
        wanted = set(variants)
        files = [file for file in self.read(hole) if file.variant is None or file.variant in wanted]
        return self._unions.of(tuple(files), lambda: union(file.clean for file in files if file.clean is not None))

    def source(self, hole: Hole | None = None) -> GameSource | None:
        """Its files as a game that others read."""
        found = [file.tree for file in self.read(hole) if file.tree is not None]
        own = tuple(tree for tree in found if not is_variant(tree))
        if not own:
            return None
        base = merge(own, Problems())
        variants = read_variants([tree for tree in found if is_variant(tree)], Problems())
        game = base.get("game")
        name = game.get("id") if isinstance(game, Mapping) else None
        identity = name.text if isinstance(name, Scalar) else posixpath.basename(self.home)
        return GameSource(identity, Path(self.home), own, variants, self.space.engine, base)

    def resolved(self, variants: Iterable[str], hole: Hole | None) -> Mapping | None:
        """Its declarations with some variants applied, without what has no right form."""
        source = self.source(hole)
        if source is None:
            return None
        active = [source.variants[name] for name in needed(source, variants)]
        tree = apply_variants(source.base, active, Problems()).tree
        self._resolved += 1
        if self._resolved % FRAMES == 0:
            self._sound = {}
        return without(tree, validate_whole(tree, Problems(), self._sound))

    # ---- declaring ----

    def frame(self, variants: Iterable[str] = (), hole: Hole | None = None) -> Declared | None:
        """What it declares, for the most players, with options as they start.

        Its words for people may be older ones, and so may places; without variants, so may its steps. What is `broken`
        in its world may be older too: ask for that of now where problems are told.
        """
        names = tuple(sorted(set(variants)))
        wanted = {*names, *self._needed(names)}
        files = [file for file in self.read(hole) if file.variant is None or file.variant in wanted]
        # with variants on, steps are those of the frame: see `_with_steps`
        divides = any(file.divides for file in files)  # also a division in a step changes how all is lowered
        key = names, divides, self._is_there(hole), tuple(file.played if names else file.declared for file in files)
        return self._frames.of(key, lambda: self._make_frame(names, hole))

    def _is_there(self, hole: Hole | None) -> bool:
        """Whether any file of the game's own can be read: one of scenarios alone declares the same as none at all."""
        return any(file.tree is not None and not is_variant(file.tree) for file in self.read(hole))

    def _needed(self, names: tuple[str, ...]) -> set[str]:
        """All variants where one is on: it may require any other."""
        return set(self.variants) if names else set()

    def _make_frame(self, names: tuple[str, ...], hole: Hole | None) -> Declared | None:
        self._made += 1
        if self._made % FRAMES == 0:
            self._parsed = Parsed()
        tree = self.resolved(names, hole)
        if tree is None:
            return None
        seen = Capture()
        with watching(seen):
            context = self._declare(tree)
        return Declared(tree, context, seen.site)

    def _declare(self, tree: Mapping) -> Context:
        _, most = player_range(Context(tree, World(Problems(), 1), self._parsed))
        return declare(tree, most, {}, Problems(), self._parsed)

    def constants(self, variants: Iterable[str], players: int, options: MappingOf[str, OptionValue]) -> dict[str, str]:
        """The named values that are known before play, as they are written, for some players, options and variants."""
        names, chosen = tuple(sorted(set(variants))), tuple(sorted(options.items()))
        files = tuple(file.played if names else file.declared for file in self.read())
        return self._constants.of((names, players, chosen, files), lambda: self._known(names, players, options))

    def _known(self, names: tuple[str, ...], players: int, options: MappingOf[str, OptionValue]) -> dict[str, str]:
        tree = self.resolved(names, None)
        if tree is None:
            return {}
        world = declare(tree, players, options, Problems(), self._parsed).world
        found = {name: written(value, world) for name, value in world.values.items()}
        return {name: value for name, value in found.items() if value}

    def declared(self, variants: Iterable[str] = (), hole: Hole | None = None) -> Declared | None:
        """What it declares, with the steps and words of now; places of what is declared may be older ones."""
        frame = self.frame(variants, hole)
        tree = self.tree(variants, hole)
        if frame is None or tree is None:
            return None
        return Declared(tree, _with_steps(frame, tree, self._parsed, changed=bool(tuple(variants))), frame.site)

    def broken(self, variants: Iterable[str] = (), hole: Hole | None = None) -> frozenset[str]:
        """The names and words of all that has no right form in the texts of now, and so is reported there."""
        names = tuple(sorted(set(variants)))
        return self._broken.of((names, *self.read(hole)), lambda: self._broken_words(names, hole))

    def _broken_words(self, names: tuple[str, ...], hole: Hole | None) -> frozenset[str]:
        tree = self.resolved(names, hole)
        return frozenset() if tree is None else Parsed().broken_in(tree)

    def site(self, key: tuple[object, ...], make: Callable[[], Site | None]) -> Site | None:
        """What is known at a hole, kept for as long as the texts of all files are the same but for what is typed."""
        texts = tuple(self.space.text(name) for name in self.files if name != key[0])
        found: Site | None = self._sites.of((*key, texts), make)
        return found

    # ---- names ----

    def meanings(self) -> Meanings:
        """What each name in its expressions means, kept for as long as its texts are the same."""
        return self._meanings.of(self._texts(), lambda: meanings_of(self))

    def index(self) -> Index:
        """Where each of its declarations is named, kept for as long as its texts are the same."""
        return self._indexes.of(self._texts(), lambda: index_of(self))

    def _texts(self) -> tuple[object, ...]:
        texts = tuple((name, self.space.text(name)) for name in self.files)
        return texts, self.space.lost_of(self.home)

    # ---- messages ----

    def message_names(self, variants: Iterable[str] = (), hole: Hole | None = None) -> dict[str, dict[str, Type]]:
        """What each message can name where it is shown, by key: what is known in all places of the key."""
        return self._shown(variants, hole)[0]

    def messages_needed(self, variants: Iterable[str] = (), hole: Hole | None = None) -> frozenset[str]:
        """The keys of the messages that it must have."""
        return self._shown(variants, hole)[1]

    def _shown(self, variants: Iterable[str], hole: Hole | None) -> Shown:
        names = tuple(sorted(set(variants)))
        key = names, self._is_there(hole), tuple((file.played, file.messages) for file in self.read(hole))
        return self._messages.of(key, lambda: self._names_of(names, hole))

    def _names_of(self, names: tuple[str, ...], hole: Hole | None) -> Shown:
        tree = self.resolved(names, hole)
        if tree is None:
            return {}, frozenset()
        context = self._declare(tree)
        built = Built(context, lower_program(context))
        found: dict[str, dict[str, Type]] = {}
        needed: set[str] = set()
        with suppress(RecursionError):  # a circle, or a chain too long: told where it is checked
            for use in uses(Told.of(context, tree, built.program)):
                seen = dict(use.names or {})
                known = found.get(use.key)
                found[use.key] = seen if known is None else {n: t for n, t in known.items() if n in seen}
                if use.needed:
                    needed.add(use.key)
        return found, frozenset(needed)


class Capture:
    """Notes the first place in which the hole is lowered."""

    def __init__(self) -> None:
        self.site: Site | None = None

    def __call__(self, scope: Scope, e: ast.Expr, want: Type | None, made: object) -> None:
        if self.site is None and isinstance(e, ast.Name) and e.name == HOLE:
            self.site = Site(scope, want)


def _with_steps(frame: Declared, tree: Mapping, parsed: Parsed, *, changed: bool) -> Context:
    """What a frame declares, with the steps of another tree of the same declarations.

    Where variants have `changed` declarations the steps are those of the frame, which hangs on all that they say.
    """
    world = copy(frame.context.world)
    world.problems = Problems()
    if changed:
        steps = frame.tree
    else:
        steps = _mixed(frame.tree, tree)
        world.effects = {name: _anew(effect, steps) for name, effect in world.effects.items()}
        world.triggers = [replace(t, node=_node(steps, "triggers", t.name) or t.node) for t in world.triggers]
        world.tracks = {name: _node(steps, "tracks", name) or node for name, node in world.tracks.items()}
    cx = Context(steps, world, parsed)
    cx.formulas, cx.logged, cx.costs = frame.context.formulas, dict(frame.context.logged), frame.context.costs
    return cx


def _mixed(old: Mapping, new: Mapping) -> Mapping:
    """The declarations of one tree with the sections of steps of another."""
    moved = {*LISTS, *HELD}
    pairs = [pair for pair in old.pairs if pair[0].text not in moved]
    return Mapping(old.span, (*pairs, *(pair for pair in new.pairs if pair[0].text in moved)), old.broken)


def _anew(effect: Procedure, tree: Mapping) -> Procedure:
    return replace(effect, node=_node(tree, effect.section, effect.name) or effect.node)


def _node(tree: Mapping, section: str, name: str) -> Node | None:
    entries = tree.get(section)
    return entries.get(name) if isinstance(entries, Mapping) else None
