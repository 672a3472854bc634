"""Which messages a game can have: the rules of their keys, what their placeholders see, and which must be there.

The rules are data. `RULES` is what the checker goes by, and what the reference page is made from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from rulespec.lower.constants import option_nodes, option_values, seats
from rulespec.lower.domains import kinds_of
from rulespec.lower.steps.calls import possible_effects
from rulespec.messages.decisions import log_keys, text_keys
from rulespec.messages.game import Game
from rulespec.model.groups import kinds_in
from rulespec.model.types import INTEGER, PLAYER, EffectType, Integer, Member, Piece, Type, strip
from rulespec.model.world import Domain
from rulespec.source.nodes import Mapping as Map
from rulespec.source.nodes import Scalar, Sequence
from rulespec.source.text import Span

Names = Mapping[str, Type]
NOTHING: Final[Names] = {}


@dataclass(frozen=True, slots=True)
class Use:
    """One place where a message is shown: its key, and what its placeholders see there (None: it is not known).

    `needed` says that the game must have it: `what` is then what it names, declared at `span`.
    """

    key: str
    names: Names | None = field(default_factory=dict)
    needed: bool = False
    what: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class KeyRule:
    """A rule of keys. `sees` and `needed` are words for the reference page; `find` gives the keys of one game."""

    form: str
    means: str
    sees: str
    needed: str
    example: str
    find: Callable[[Game], Iterator[Use]]

    @property
    def form_text(self) -> str:
        """The forms as code, for the reference page."""
        return ", ".join(f"`{form}`" for form in self.form.split(", "))


def member_key(domain: str, member: str) -> str:
    """The name of a member of an enum, a named site, a seat, or a face of a piece."""
    return f"{domain.removesuffix('.face')}.{member}"


def site_key(kind: str) -> str:
    """The name of the sites of a kind that have no names of their own."""
    return f"{kind}.name"


def piece_key(kind: str, side: str) -> str:
    """The name of a piece by its front (`name`) or `back`."""
    return f"{kind}.{side}"


def zone_words_key(zone: str) -> str:
    """The name of a zone."""
    return f"zone.{zone}"


def amount_key(state: str) -> str:
    """A number of a player's counter in words."""
    return f"state.{state}.amount"


def drawn_key(key: str) -> str:
    """How a thing is drawn on a board: the key of its sign."""
    return f"drawn.{key}"


# ---- decisions and log lines ------------------------------------------------------------------------


def _prompts(game: Game) -> Iterator[Use]:
    for decision in game.decisions:
        keys = text_keys(decision.ask, "prompt")
        found = next((key for key in keys if game.has(key)), None)
        key = found or keys[-1]
        what = f"what `{decision.ask.action or decision.ask.id}` asks"
        yield Use(key, decision.prompt_names, True, what, decision.span)
        yield from (Use(k, decision.prompt_names) for k in keys if not found)


def _options(game: Game) -> Iterator[Use]:
    for decision in game.decisions:
        if decision.ask.kind != "may":
            yield from _shown(game, text_keys(decision.ask, "option"), decision.option_names)


def _answers(game: Game) -> Iterator[Use]:
    for decision in game.decisions:
        words = ("accept", "decline") if decision.ask.kind == "may" else ("stop",) * decision.ask.optional
        for word in words:
            yield from _shown(game, text_keys(decision.ask, word), decision.prompt_names)


def _shown(game: Game, keys: tuple[str, ...], names: Names) -> Iterator[Use]:
    """The first of the keys that the game has; each could be had where it has none."""
    found = next((key for key in keys if game.has(key)), None)
    yield from (Use(key, names) for key in ((found,) if found else keys))


def _logs(game: Game) -> Iterator[Use]:
    for name, places in game.logs.items():
        yield from (Use(f"{name}.log", names) for names in places)
    for name, effect in game.cx.world.effects.items():
        if name not in game.logs:  # nothing performs it
            words = ("prompt", "option", "log") if effect.section == "actions" else ("log",)
            yield from (Use(f"{name}.{what}", None) for what in words)


def _choice_logs(game: Game) -> Iterator[Use]:
    for decision in game.decisions:
        names = decision.prompt_names if decision.ask.kind == "may" else decision.option_names
        yield from _shown(game, log_keys(decision.ask), names)


def _effect_names(game: Game) -> Iterator[Use]:
    offered = _offered_effects(game)
    for name, effect in game.cx.world.effects.items():
        yield Use(f"{name}.name", dict(effect.params), name in offered, f"what `{name}` does", effect.span)


def _offered_effects(game: Game) -> set[str]:
    """The effects that somebody can be asked to choose."""
    interned = game.cx.world.interned
    found: set[str] = set()
    for name in (n for d in game.decisions for n in d.ask.names if isinstance(strip(n.type), EffectType)):
        values = possible_effects(game.cx.world, name.source, {})
        found |= {interned[v][0] for v in (range(len(interned)) if values is None else values) if v >= 0}
    return found


def _events(game: Game) -> Iterator[Use]:
    for name, params in game.cx.world.events.items():
        yield Use(f"event.{name}", {"me": PLAYER, **dict(params)})


def _reasons(game: Game) -> Iterator[Use]:
    yield Use("score.points")
    for node in game.labels("reason"):
        yield Use(f"score.{node.text}", NOTHING, True, f"what points of `{node.text}` are for", node.span)


def _refusals(game: Game) -> Iterator[Use]:
    yield from (Use(f"rule.{node.text}") for node in game.labels("rule"))
    names = dict.keys(game.cx.world.functions)  # unnoted: which there are hangs on no figure, what they say may
    yield from (Use(f"rule.{name}") for name in names)


# ---- names ------------------------------------------------------------------------------------------


def _seats(game: Game) -> Iterator[Use]:
    yield Use("player")
    for seat in seats(game.cx):
        yield Use(member_key("player", seat.text), NOTHING, True, f"who plays `{seat.text}`", seat.span)


def _rows(domain: Domain, places: dict[str, dict[str, Span]]) -> Iterator[tuple[str, Span | None]]:
    """The named members of a domain, each with its place in the file."""
    own = places.get(domain.name, {})
    for name in domain.members:
        if name is not None:
            yield name, own.get(name, domain.span)


def _places_of(game: Game) -> dict[str, dict[str, Span]]:
    """Where the members of enums and of kinds with rows stand."""
    found: dict[str, dict[str, Span]] = {}
    enums = [(key.text, v.get("values") if isinstance(v, Map) else v) for key, v in game.cx.section("enums")]
    kinds = [(name, node.get("rows")) for name, (_, node) in kinds_of(game.cx).items()]
    for name, rows in [*enums, *kinds]:
        if isinstance(rows, Map):
            found[name] = {key.text: key.span for key, _ in rows.pairs}
        elif isinstance(rows, Sequence):
            found[name] = {item.text: item.span for item in rows.items if isinstance(item, Scalar)}
    return found


def _members(game: Game) -> Iterator[Use]:
    places = _places_of(game)
    for domain in game.cx.world.domains.values():
        if domain.form != "player" and not domain.name.endswith(".face"):
            for name, span in _rows(domain, places):
                yield Use(member_key(domain.name, name), NOTHING, True, f"what `{name}` is called", span)


def _sites(game: Game) -> Iterator[Use]:
    offered = {strip(n.type).domain for d in game.decisions for n in d.ask.names if isinstance(strip(n.type), Member)}  # type: ignore[attr-defined]
    for domain in game.cx.world.domains.values():
        if None in domain.members:
            needed = domain.name in offered
            names = {domain.name: Member(domain.name)}
            yield Use(site_key(domain.name), names, needed, f"what each `{domain.name}` is called", domain.span)


def _pieces(game: Game) -> Iterator[Use]:
    for kind in game.cx.world.pieces.values():
        names = {kind.name: Piece(kind.name)}
        yield Use(piece_key(kind.name, "name"), names, True, f"what each `{kind.name}` is called", kind.span)


def _backs(game: Game) -> Iterator[Use]:
    hidden = {z.holds for z in game.cx.world.noted("told_zones") if z.front != "all" and not z.key.startswith("box.")}
    for kind in game.cx.world.pieces.values():
        if kind.back is not None or kind.name in hidden:
            names = {kind.name: Piece(kind.name)}
            what = f"what the back of each `{kind.name}` shows"
            needed = kind.back is not None and kind.name in hidden
            yield Use(piece_key(kind.name, "back"), names, needed, what, kind.span)


def _faces(game: Game) -> Iterator[Use]:
    for kind in game.cx.world.pieces.values():
        yield from (Use(f"{kind.name}.{face}") for face in kind.faces if kind.has_own_faces)


def _bare(game: Game) -> Iterator[Use]:
    w = game.cx.world
    yield from (Use(name) for name in (*w.domains, *w.pieces, *w.effects) if not name.endswith(".face"))


def _attributes(game: Game) -> Iterator[Use]:
    w = game.cx.world
    for kind in w.pieces.values():
        yield from (Use(f"{kind.name}.{name}") for name in kind.attributes)
    for domain in w.domains.values():
        yield from (Use(f"{domain.name}.{name}") for name in (*domain.attributes, *domain.relations))


def _zones(game: Game) -> Iterator[Use]:
    yield from (Use(zone_words_key(zone.key)) for zone in game.cx.world.noted("told_zones"))


def _state(game: Game) -> Iterator[Use]:
    yield from (Use(f"state.{key}") for key in game.cx.world.states)


def _amounts(game: Game) -> Iterator[Use]:
    for var in game.cx.world.states.values():
        if var.domain == "player" and isinstance(var.type, Integer):
            yield Use(amount_key(var.key), {"n": INTEGER})


# ---- drawings --------------------------------------------------------------------------------------


def _board_titles(game: Game) -> Iterator[Use]:
    for group, kinds in game.cx.section("boards"):
        names = [key.text for key, _ in kinds_in(kinds)]
        yield from (Use(f"board.{name}") for name in dict.fromkeys([group.text, *names]))


def _signs(game: Game) -> Iterator[Use]:
    w = game.cx.world
    for kind in w.pieces.values():
        keys = (kind.name, *(member_key(kind.name, face) for face in kind.faces if kind.has_own_faces))
        yield from (Use(drawn_key(key), {kind.name: Piece(kind.name)}) for key in keys)
    yield from (Use(drawn_key(name), dict(effect.params)) for name, effect in w.effects.items())
    for domain in w.domains.values():
        if not domain.name.endswith(".face"):
            yield from (Use(drawn_key(member_key(domain.name, name))) for name in domain.members if name is not None)
            if None in domain.members:
                yield Use(drawn_key(domain.name), {domain.name: Member(domain.name)})


# ---- options, the engine ----------------------------------------------------------------------------


def _game_options(game: Game) -> Iterator[Use]:
    for key, node in option_nodes(game.cx):
        titled = node.get("title") is not None
        yield Use(f"option.{key.text}", NOTHING, not titled, f"what the option `{key.text}` is called", key.span)


def _option_parts(game: Game) -> Iterator[Use]:
    for key, _ in option_nodes(game.cx):
        yield Use(f"option.{key.text}.about")
        t = strip(game.cx.world.options[key.text].type)
        for value in option_values(game.cx, t):
            word = str(value).lower() if isinstance(value, bool) else str(value)
            yield Use(f"option.{key.text}.{word}")


RULES: Final = (
    KeyRule(
        form="ACTION.prompt, CHOICE.prompt",
        means="What is asked. CHOICE is the `id` or the name of a `choose`, a `may` or a loop; for one of an action's "
        "decisions `ACTION.CHOICE.prompt` and `CHOICE.prompt` come before `ACTION.prompt`. An effect or trigger that "
        "asks by itself goes by its own name in the place of ACTION.",
        sees="`me`; parameters; what was chosen before in the same steps",
        needed="for each decision",
        example="settle.prompt",
        find=_prompts,
    ),
    KeyRule(
        form="ACTION.option, CHOICE.option",
        means="One option. Without it an option is made of the names of what is chosen.",
        sees="the same, and what the decision chooses",
        needed="",
        example="settle.option",
        find=_options,
    ),
    KeyRule(
        form="CHOICE.accept, CHOICE.decline, CHOICE.stop",
        means="The answers to a `may`, and leaving a loop or set that may be left.",
        sees="what the prompt sees",
        needed="",
        example="second_ship.accept",
        find=_answers,
    ),
    KeyRule(
        form="ACTION.log, EFFECT.log, TRIGGER.log",
        means="What happened, once the choices of the action, effect or trigger are made.",
        sees="`me`; parameters; everything chosen; what `let` binds in the same list",
        needed="",
        example="settle.log",
        find=_logs,
    ),
    KeyRule(
        form="CHOICE.log",
        means="What one decision by itself chose: a `choose`, a `may` that was accepted, each choice of a loop. "
        "`ACTION.CHOICE.log` comes before it.",
        sees="as `CHOICE.option`",
        needed="",
        example="gift.log",
        find=_choice_logs,
    ),
    KeyRule(
        form="EFFECT.name",
        means="An effect or action as a thing that can be chosen.",
        sees="its parameters",
        needed="where effects are chosen",
        example="gain_coins.name",
        find=_effect_names,
    ),
    KeyRule(
        form="event.EVENT",
        means="A line of the log when an event is emitted.",
        sees="`me`; the event's names",
        needed="",
        example="event.landed",
        find=_events,
    ),
    KeyRule(
        form="score.REASON",
        means="What points are for.",
        sees="",
        needed="always",
        example="score.longest_road",
        find=_reasons,
    ),
    KeyRule(
        form="rule.LABEL",
        means="What forbids an option: the `rule` of a condition or cost, or the function that it calls.",
        sees="",
        needed="",
        example="rule.enough_wood",
        find=_refusals,
    ),
    KeyRule(form="player.SEAT", means="A player.", sees="", needed="always", example="player.red", find=_seats),
    KeyRule(
        form="KIND.MEMBER",
        means="A member of an enum, or a site that has a name.",
        sees="",
        needed="always",
        example="terrain.hill",
        find=_members,
    ),
    KeyRule(
        form="KIND.name",
        means="A site that has no name, by its coordinates; or a space of a track, which is else a number from 0.",
        sees="the site, by its kind's name",
        needed="where one is chosen",
        example="cell.name",
        find=_sites,
    ),
    KeyRule(
        form="PIECE.name",
        means="A piece.",
        sees="the piece, by its kind's name",
        needed="always",
        example="card.name",
        find=_pieces,
    ),
    KeyRule(
        form="PIECE.back",
        means="A piece of which only the back is seen.",
        sees="the same; what the back does not show is none",
        needed="where its front is hidden and `back` says what it shows",
        example="card.back",
        find=_backs,
    ),
    KeyRule(form="PIECE.FACE", means="A face of a piece.", sees="", needed="", example="ship.sunk", find=_faces),
    KeyRule(
        form="KIND",
        means="A kind of sites or pieces, an enum, an action or effect: the bare word.",
        sees="",
        needed="",
        example="card",
        find=_bare,
    ),
    KeyRule(
        form="KIND.ATTRIBUTE",
        means="An attribute or a relation as a word.",
        sees="",
        needed="",
        example="island.harbour",
        find=_attributes,
    ),
    KeyRule(
        form="zone.KEY",
        means="A zone, by the key that it is declared under. "
        "Without it the log has the key, and beside the boards it is not listed.",
        sees="",
        needed="",
        example="zone.player.hand",
        find=_zones,
    ),
    KeyRule(
        form="state.KEY",
        means="A counter, a track or another cell, by the key that it is declared under. Without it, it is not listed.",
        sees="",
        needed="",
        example="state.player.coins",
        find=_state,
    ),
    KeyRule(
        form="state.player.COUNTER.amount",
        means="So many of a counter of the players, as the log tells that it went up or down. Without it the number "
        "stands behind the counter's name.",
        sees="`n`, the number",
        needed="",
        example="state.player.coins.amount",
        find=_amounts,
    ),
    KeyRule(
        form="board.GROUP, board.KIND",
        means="What stands above the picture of a group of kinds, or before the row of a kind that is drawn beside its "
        "player.",
        sees="",
        needed="",
        example="board.sea",
        find=_board_titles,
    ),
    KeyRule(
        form="drawn.PIECE, drawn.PIECE.FACE, drawn.EFFECT, drawn.KIND.MEMBER, drawn.KIND",
        means="How a thing is drawn on a picture, in few characters; names in it are shown by their signs too. "
        "Without it a letter of the name is drawn.",
        sees="the piece, or the site without a name, by its kind's name; the effect's parameters",
        needed="",
        example="drawn.ship",
        find=_signs,
    ),
    KeyRule(
        form="option.OPTION",
        means="The title of one of the game's options.",
        sees="",
        needed="unless the option has a `title`",
        example="option.open_hands",
        find=_game_options,
    ),
    KeyRule(
        form="option.OPTION.about, option.OPTION.VALUE",
        means="What an option does, and what its values are called.",
        sees="",
        needed="",
        example="option.open_hands.about",
        find=_option_parts,
    ),
)


def uses(game: Game) -> Iterator[Use]:
    """Every message that a game can have, once for each place where it is shown; the engine's own words apart."""
    for rule in RULES:
        yield from rule.find(game)
