"""What no scenario touches: rules, declarations, steps, functions and messages, each with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from interpreter.by_reference import ByReference
from interpreter.game import Game
from interpreter.middle.analysis.calls import called_by
from interpreter.scenarios.games import Games
from interpreter.scenarios.read import Scenario
from interpreter.scenarios.shown import Shown
from rulespec.game_source import GameSource
from rulespec.lower.ir import expressions_in
from rulespec.model.groups import kinds_in
from rulespec.source.nodes import Mapping, Node, Scalar
from rulespec.source.nodes import Sequence as List
from rulespec.source.text import Span

#: Sections whose entries a rule can bind; of the others the section as a whole.
_ENTRIES = tuple("values enums relations pieces zones state tracks functions effects actions events triggers".split())
_WHOLE = ("setup", "flow", "end", "ranking")

#: Sections whose expressions are computed when a game is put together or checked.
_PUT_TOGETHER = ("values", "boards", "enums", "relations", "pieces", "checks")
_WORD = re.compile(r"[a-z][a-z0-9_]*")

#: Instructions at which the game is asked what comes next: they have run when the next one has.
_BY_MACHINE = ("ask", "try")


@dataclass(frozen=True, slots=True)
class Gap:
    """Something untouched. `kind` is rule, declaration, step, function or message."""

    kind: str
    name: str
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class RuleCover:
    """The ids of all rules (their ledger ids, where they have some), and the gaps among them."""

    ids: tuple[str, ...]
    gaps: tuple[Gap, ...]

    @property
    def uncovered(self) -> tuple[str, ...]:
        return tuple(gap.name for gap in self.gaps)


class TracedGames(Games):
    """Games that note which instructions and functions run, and which messages are shown."""

    def __init__(self, source: GameSource):
        super().__init__(source)
        self.ran: list[tuple[Game, set[str | int]]] = []
        self.shown = Shown()

    def load(self, scenario: Scenario) -> Game:
        """The game of a scenario, played so that each instruction that is carried out is noted."""
        game = super().load(scenario)
        ran: set[str | int] = set()
        game.play_by("reference")
        game.machine = ByReference(game.facts, ran)
        self.ran.append((game, ran))
        self.shown.add(game)
        return game


# ---- rules ------------------------------------------------------------------------------------------


def cover_rules(source: GameSource, scenarios: Iterable[Scenario], failed: Iterable[str]) -> RuleCover:
    """Which rules are shown: by a scenario that names the rule, or that the rule names; it must not have failed."""
    bad = set(failed)
    named: dict[str, set[str]] = {}
    for scenario in scenarios:
        for rule in scenario.rules:
            named.setdefault(rule.text, set()).add(scenario.name.text)
    known = {scenario.name.text for scenario in scenarios}
    ids: dict[str, Scalar] = {}
    reasons: dict[str, str | None] = {}
    for key, node in _rules(source):
        shown = named.get(key.text, set()) | {s.text for s in _scalars(node.get("shown_by")) if s.text in known}
        reason = _why_not_shown(key.text, shown, bad)
        for identity in _scalars(node.get("ledger")) or [key]:
            ids.setdefault(identity.text, identity)
            reasons[identity.text] = None if reason is None else reasons.get(identity.text, reason)
    gaps = [Gap("rule", i, ids[i].span, reason) for i, reason in reasons.items() if reason is not None]
    return RuleCover(tuple(ids), tuple(gaps))


def _why_not_shown(rule: str, shown: set[str], failed: set[str]) -> str | None:
    if not shown:
        return f"no scenario names the rule '{rule}'"
    if shown <= failed:
        return f"the scenarios of the rule '{rule}' fail"
    return None


def _rules(source: GameSource) -> Iterator[tuple[Scalar, Mapping]]:
    for tree in trees_of(source):
        for key, node in _pairs(tree.get("rules")):
            if isinstance(node, Mapping):
                yield key, node


def trees_of(source: GameSource) -> tuple[Mapping, ...]:
    """The game's declarations, and those that each of its variants adds."""
    return (source.base, *(variant.tree for variant in source.variants.values()))


# ---- declarations -----------------------------------------------------------------------------------


def unbound(source: GameSource) -> tuple[Gap, ...]:
    """The declarations that no rule binds.

    They are wanted of the game where its own rules bind any, and of a variant where the game's rules do or its own.
    """
    binds = [item.text for _, node in _rules(source) for item in _scalars(node.get("binds"))]
    found = []
    for tree in trees_of(source):
        for path, span in _declared(tree) if _binds(source.base) or _binds(tree) else ():
            if not any(_overlap(path, bind) for bind in binds):
                found.append(Gap("declaration", path, span, "no rule binds it"))
    return tuple(found)


def _binds(tree: Mapping) -> bool:
    """Whether rules of these declarations bind any."""
    return any(isinstance(node, Mapping) and _scalars(node.get("binds")) for _, node in _pairs(tree.get("rules")))


def _overlap(path: str, bind: str) -> bool:
    """Whether one of two paths leads to the other or into it."""
    short, long = sorted((path, bind), key=len)
    return long.startswith(short) and (len(long) == len(short) or long[len(short)] in ".[")


def _declared(tree: Mapping) -> Iterator[tuple[str, Span]]:
    for section in _ENTRIES:
        for key, _ in _pairs(tree.get(section)):
            yield f"{section}.{key.text}", key.span
    for board, node in _pairs(tree.get("boards")):
        for key, _ in kinds_in(node):
            yield f"boards.{board.text}.{key.text}", key.span
    options = _get(tree.get("game"), "options")
    for key, _ in _pairs(options):
        yield f"game.options.{key.text}", key.span
    for section in _WHOLE:
        key_node = tree.key_node(section)
        if key_node is not None:
            yield section, key_node.span


# ---- steps, functions, messages ---------------------------------------------------------------------


@dataclass(slots=True)
class _Places:
    """Places by where they stand, whichever game they were met in; and those that have run."""

    all: dict[tuple[str, int, int], tuple[str, Span]] = field(default_factory=dict)
    ran: set[tuple[str, int, int]] = field(default_factory=set)

    def add(self, name: str, span: Span, ran: bool) -> None:
        key = (span.file.name, span.start, span.end)
        self.all.setdefault(key, (name, span))
        if ran:
            self.ran.add(key)

    def gaps(self, kind: str, reason: str) -> list[Gap]:
        rest = [self.all[key] for key in sorted(self.all) if key not in self.ran]
        return [Gap(kind, name, span, reason) for name, span in rest]


def not_run(games: TracedGames) -> tuple[Gap, ...]:
    """Steps that no scenario carries out, and functions that none calls."""
    steps, functions = _Places(), _Places()
    for game, ran in games.ran:
        for at, instr in enumerate(game.built.program.instrs):
            if instr.span is not None and instr.op != "end_loop":  # it stands for no step of its own
                steps.add(_line(instr.span), instr.span, _noted(game, at) in ran)
        early = _called_before_play(game)
        for name, function in game.world.functions.items():
            if name not in early:
                functions.add(name, function.span, name in ran)
    return (
        *steps.gaps("step", "no scenario carries it out"),
        *functions.gaps("function", "no scenario calls it"),
    )


def _noted(game: Game, at: int) -> int:
    """The instruction that is noted when this one runs."""
    instrs, structure = game.built.program.instrs, game.facts.structure
    while instrs[at].op in _BY_MACHINE:
        ask = instrs[at].args[0] if instrs[at].op == "ask" else None
        if ask is not None and ask.chance and ask.kind == "set":  # drawn at once, and not in the rounds of its loop
            at = structure.end[structure.loops[at - 1]]
        at += 1
    return at


def _called_before_play(game: Game) -> set[str]:
    """The functions that are called once, when the game is put together, and that nothing calls while it goes on."""
    program, functions = game.built.program, game.world.functions
    declared = [game.built.context.tree.get(section) for section in _PUT_TOGETHER]
    early = {word for node in declared if node is not None for word in _WORD.findall(node.span.text)} & functions.keys()
    in_play: set[str] = set()
    for ir in expressions_in((program.instrs, program.always, program.ranking)):
        in_play |= called_by(ir)
    return _with_callees(game, early) - _with_callees(game, in_play)


def _with_callees(game: Game, names: set[str]) -> set[str]:
    found, todo = set[str](), list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            body = game.world.functions[name].body
            todo += called_by(body) if body is not None else ()
    return found


def _line(span: Span) -> str:
    """The first line of a step as it stands in its file."""
    return span.file.line_text(span.line).strip().removeprefix("- ")[:60]


def not_shown(games: TracedGames) -> tuple[Gap, ...]:
    """Messages of the game that nothing shows while its scenarios run."""
    found = []
    for tree in trees_of(games.source):
        for key, _ in _pairs(tree.get("messages")):
            if key.text not in games.shown.keys:
                found.append(Gap("message", key.text, key.span, "no scenario shows it"))
    return tuple(found)


def gaps_of(games: TracedGames, rules: RuleCover) -> tuple[Gap, ...]:
    """Everything untouched, kind by kind."""
    return (*rules.gaps, *unbound(games.source), *not_run(games), *not_shown(games))


# ---- reading ----------------------------------------------------------------------------------------


def _pairs(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    return node.pairs if isinstance(node, Mapping) else ()


def _scalars(node: Node | None) -> Sequence[Scalar]:
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, List) else []


def _get(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None
