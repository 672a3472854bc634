"""What is written another way here than its word in the field says: hints for who tries that word first.

A word of another language or engine that stands where a name of ours is wanted is no slip of typing, so that the
nearest name would mislead.
"""

from __future__ import annotations

from typing import Final

_DICE: Final = (
    "Dice are pieces with numbered faces that lie in a zone: `pieces: {die: {count: 2, faces: 1..6}}`, "
    "`zones: {cup: {shape: pool, holds: die, start: true}}`"
)
_IN_GAME: Final = "This stands in section `game`: `game: {{{0}}}`."
_REPETITION: Final = (
    "What makes two positions the same is in `repetition: {of: [cell.token, active], up_to: 100}`; the step "
    "`record: position` remembers one, and `position.repeated` says how often it was there."
)
_KO: Final = "Write `require: position.repeated == 0` behind the move, and `record: position` once it is done."
_MESSAGES: Final = "The log tells what an action has done by its message in `messages`."

#: By the name of a record in the registry, then by the key that stands in it.
_KEYS: Final[dict[str, dict[str, str]]] = {
    "file": {
        "dice": f"{_DICE}.",
        "cards": "Cards are `pieces`, a deck is a zone of them: `zones: {deck: {shape: stack, holds: card}}`.",
        "deck": "A deck is a zone: `zones: {deck: {shape: stack, holds: card, start: true}}`.",
        "players": _IN_GAME.format("players: 2..4"),
        "teams": _IN_GAME.format("teams: player.index % 2"),
        "board": "Boards are in `boards`, each by its name: `boards: {map: {cell: {for: {x: 0..7, y: 0..7}}}}`.",
        "variables": "What changes during play is in `state`, what does not in `values`.",
        "constants": "Figures that do not change are in `values`.",
        "turns": "The order of turns is a step of `flow`: `turns: player`.",
        "rounds": "A round is a step of `flow`: `repeat: [...]`, `times: 3`. Its name is `round: hand`.",
        "phases": "What happens one after the other are steps of `flow`.",
        "history": _REPETITION,
        "ko": _REPETITION,
        "positions": _REPETITION,
        "repetitions": _REPETITION,
        "superko": _REPETITION,
        "threefold": _REPETITION,
        "victory": "Who wins is in `ranking`; when the game ends is in `end`.",
        "winner": "Who wins is in `ranking`; when the game ends is in `end`.",
    },
    "step": {
        "reroll": "Write `roll` again, of the zone that the dice lie in: `roll: cup`.",
        "deal": "Write `for_each: p`, `in: player`, `do: [{draw: 5, from: deck, to: p.hand}]`.",
        "discard": "Choose a card, then write `move: card`, `to: discards`.",
        "place": "Write `move: piece`, and as `to` the zone of the site, such as `cell.men`.",
        "put": "Write `move: piece`, and as `to` the zone of the site, such as `cell.men`.",
        "remove": "Write `move: piece`, `to: box`.",
        "capture": "Write `move: piece`, with the zone that holds what is captured as `to`.",
        "swap": "Move the one away, then the other to its place: two steps `move`.",
        "reveal": "Write `look: card`, `for: player`; or `flip` with its `face`, or `move` it to a zone that all see.",
        "reveal_to": "Write `look: card`, and as `for` who sees it, such as `me.left`.",
        "show": "Write `look: card`, and as `for` who sees it, such as `me.left` or `player` for all.",
        "show_to": "Write `look: card`, and as `for` who sees it, such as `me.left`.",
        "peek": "Write `look: deck.top`, or what else is looked at; `for` says who looks where it is not `me`.",
        "look_at": "Write `look: deck.top`, or what else is looked at; `for` says who looks where it is not `me`.",
        "inspect": "Write `look: deck.top`, or what else is looked at; `for` says who looks where it is not `me`.",
        "view": "Write `look: deck.top`, or what else is looked at; `for` says who looks where it is not `me`.",
        "lose": "A player goes out by `eliminate`; who wins is in `ranking`.",
        "win": "`finish` ends the game, and `ranking` says who wins.",
        "pass": "Whoever may pass has a step `may`.",
        "skip": "Whoever may pass has a step `may`.",
        "ko": _KO,
        "superko": _KO,
        "repetition": _REPETITION,
        "remember": "Write `record: position`; section `repetition` lists what is remembered of it.",
        "threefold": _REPETITION,
        "while": "Write `repeat: [...]`, `while: CONDITION`.",
        "for": "Write `for_each: x`, `in: S`, `do: [...]`.",
        "log": _MESSAGES,
        "print": _MESSAGES,
    },
    "state": dict.fromkeys(
        ("each", "each_round", "per_round", "reset", "resets", "renew"),
        "Write `anew: hand`, and `round: hand` beside the `repeat` in each pass of which it begins anew.",
    ),
    "scenario": dict.fromkeys(
        ("until", "stop", "stop_at", "to", "ends", "end"),
        "Write `to_end_of: hand` to stop at the end of a pass of the `repeat` that says `round: hand`.",
    ),
    "rank": {
        "lost": "Write who has won: `won: not (CONDITION)`.",
        "lose": "Write who has won: `won: not (CONDITION)`.",
    },
}

#: Of these nobody declares an effect.
_WORDS_OF_PROGRAMS: Final = frozenset({"while", "for", "log", "print", "repetition"})


def hint_of_key(record: str, key: str) -> str | None:
    """How that is written which `key` says in the field; None where it is no such word."""
    said = _KEYS.get(record, {}).get(key)
    if said is None or record != "step" or key in _WORDS_OF_PROGRAMS:
        return said
    return f"{said} An effect of your own with this name is done by `perform: {key}`."
