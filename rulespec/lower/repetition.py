"""Repetition: what counts of a position, and how often a position that was recorded was as it is now.

What counts is written as digits, each of a place, a cell or a value, and packed into whole numbers: *words*. Two
positions are the same exactly where their words are. The words of what was recorded stand in a region of the state, in
a ring: where it is full, the earliest is written over. A second region says where the next one goes, and how many there
are. So everything that keeps states (saves, undo, searches, imagined positions) keeps what was recorded, too.

All of it is said by functions without parameters, one for each word and one that counts: what reads them needs nothing
that the instruction form has not, and what is found of functions (what they read, what they cost) holds for these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rulespec.expr import ast
from rulespec.lower import make
from rulespec.lower.context import LARGEST, Context, bad
from rulespec.lower.ir import CallIr, Comprehend, Ir, Let, Load, RangeIr, Region, Var
from rulespec.lower.scope import Scope
from rulespec.lower.steps.sight import reads_hidden
from rulespec.model.types import PLAYER, Boolean, Integer, ListType, Member, Piece, may_be_none, optional, strip
from rulespec.model.world import Procedure, Repetition, World, ZoneDecl
from rulespec.source.nodes import Mapping, Node, Sequence

#: The regions: the words of all positions, and (next place, how many). Names of triggers have no blanks.
BEFORE: Final = "was there before"
SINCE: Final = "was there since"

#: The function that counts.
REPEATED: Final = "position.repeated"

#: So many positions can be remembered, of so many words each, of so many digits in all.
MOST_POSITIONS, MOST_WORDS, MOST_DIGITS = 16_384, 100, 4_096

_WORD: Final = Integer(0, LARGEST)
_ACTIVE: Final = Load(type=PLAYER, region="active", index=make.integer(0))
_COUNTED: Final = "a zone, a state, or a value of which there are finitely many"
_SAY_VALUE: Final = (
    "Name zones and states as they are declared, such as `cell.token` or `castling`. "
    "A number needs a range, such as `0..9`."
)


@dataclass(frozen=True, slots=True)
class Digit:
    """One number that counts, from 0 on, and how many there are of it."""

    value: Ir
    radix: int


def declare_repetition(cx: Context) -> None:
    """What counts, and the functions that say it; nothing where a game does not speak of repetition."""
    node = cx.tree.get("repetition")
    if not isinstance(node, Mapping):
        return
    with make.naming("repetition"):
        _declare(cx, node)


def _declare(cx: Context, node: Mapping) -> None:
    listed, bound = node.get("of"), node.get("up_to")
    most = None if bound is None else cx.constant(bound, Integer(1, MOST_POSITIONS))
    entries = {entry: _digits(cx, entry) for entry in (listed.items if isinstance(listed, Sequence) else ())}
    digits = [digit for found in entries.values() for digit in found]
    words = _words(digits)
    if listed is not None and (len(digits) > MOST_DIGITS or len(words) > MOST_WORDS):
        cx.problems.add("RS651", listed.span, words=len(words), digits=len(digits), most=MOST_WORDS)
        words = []
    most = most if isinstance(most, int) and words else 1
    counted = tuple((entry.span, tuple(digit.value for digit in found)) for entry, found in entries.items())
    cx.world.repetition = Repetition(most, len(words), node.span, counted)
    for number, word in enumerate(words):
        _add_function(cx, node, _word_name(number), _WORD, word)
    _add_function(cx, node, REPEATED, Integer(0, most), _count(most, len(words)))


def _add_function(cx: Context, node: Node, name: str, returns: Integer, body: Ir) -> None:
    """A function without parameters whose body is known; what it costs is told at `node`."""
    cx.world.functions[name] = Procedure(name, "formulas", (), returns, node, node.span, body=body, state="done")
    cx.formulas[name] = {}


def check_repetition(cx: Context) -> None:
    """Reports what counts and is not seen by all: how often it was there would tell of it. Functions are known now."""
    found = cx.world.repetition
    for span, values in () if found is None else found.counted:
        if any(reads_hidden(cx.world, value) for value in values):
            cx.problems.add("RS650", span, what=span.text)


# ---- what counts ------------------------------------------------------------------------------------


def _digits(cx: Context, node: Node) -> list[Digit]:
    """The digits of one entry; none after a report."""
    e = cx.expr(node)
    if e is None:
        return []
    found = _declared(cx.world, e)
    if found is not None:
        return found
    ir = cx.lower(node, Scope(cx.world, active=_ACTIVE))
    digit = None if bad(ir) else _digit(cx.world, make.as_value(cx.world, ir))
    if digit is None and not bad(ir):
        cx.problems.add("RS303", node.span, expected=_COUNTED, found=str(ir.type), hint=_SAY_VALUE)
    return [] if digit is None else [digit]


def _declared(w: World, e: ast.Expr) -> list[Digit] | None:
    """All cells or places of a state or zone that is written by its name; None where it is no such name."""
    key = e.name if isinstance(e, ast.Name) else ""
    if isinstance(e, ast.Get) and isinstance(e.of, ast.Name):
        key = f"{e.of.name}.{e.name}"
    if key in w.zones:
        zone = w.zones[key]
        return [digit for place in range(zone.places) for digit in _of_place(w, zone, place)]
    if key not in w.states:
        return None
    var = w.states[key]
    cells = (Load(type=var.type, region=key, index=make.integer(place)) for place in range(var.places))
    digits = [_digit(w, cell) for cell in cells]
    return None if None in digits else [digit for digit in digits if digit is not None]


def _digit(w: World, value: Ir) -> Digit | None:
    """A value as a digit; None where there may be no end of such values. What may be none has a digit more, the 0."""
    inner, t = strip(value.type), value.type
    if isinstance(inner, Integer):
        return _of_number(value, inner)
    if isinstance(inner, Piece):
        value, count = make.code_of(value), w.pieces[inner.kind].count
    elif isinstance(inner, Boolean):
        count = 2
    elif isinstance(inner, Member):
        count = w.domains[inner.domain].size
    else:
        return None
    if not may_be_none(t):
        return Digit(make.retype(value, Integer(0, count - 1)), count)
    return Digit(make.arith("+", make.retype(value, Integer(-1, count - 1)), make.integer(1)), count + 1)


def _of_number(value: Ir, t: Integer) -> Digit | None:
    if t.low is None or t.high is None or t.high - t.low >= LARGEST - 1:
        return None
    low, count = t.low, t.high - t.low + 1
    if not may_be_none(value.type):
        return Digit(value if low == 0 else make.arith("-", value, make.integer(low)), count)

    def known(v: Ir) -> Ir:
        there = make.arith("-", make.retype(v, t), make.integer(low - 1))
        return make.if_else(make.exists_value(v), there, make.integer(0), Integer(0, count))

    return Digit(make.let_in(value, known), count + 1)


def _of_place(w: World, zone: ZoneDecl, place: int) -> Iterator[Digit]:
    """What lies at one place of a zone: a slot's piece, of a pool how many of each code, of a stack each in order."""
    at, count = make.zone_at(w, zone.key, make.integer(place)), w.pieces[zone.holds].count
    piece, most = Piece(zone.holds, zone.key), make.most_held(w, zone.key)
    found: list[Digit | None] = []
    if zone.shape == "slot":
        found = [_digit(w, make.read_zone(w, at, "slot"))]
    elif zone.shape == "pool":
        found = [Digit(_held(piece, at, code, most), most + 1) for code in range(count)]
    else:
        pieces = make.read_zone(w, at, "all")
        places = (make.integer(position) for position in range(most))
        found = [_digit(w, make.item_of("at", pieces, optional(piece), index=index)) for index in places]
    return (digit for digit in found if digit is not None)


def _held(piece: Piece, pool: Ir, code: int, most: int) -> Ir:
    """How many pieces of a code lie in a pool."""
    name = make.fresh("piece")
    same = make.compare("==", make.code_of(Var(type=piece, name=name)), make.integer(code))
    return Comprehend(type=Integer(0, most), op="count", name=name, source=pool, where=same)


# ---- words ------------------------------------------------------------------------------------------


def _words(digits: Iterable[Digit]) -> list[Ir]:
    """The digits packed in order, as many into each word as a whole number has room for."""
    found: list[Ir] = []
    made, room = 1, 0
    for digit in digits:
        if digit.radix * made > room:
            found.append(digit.value)
            made, room = digit.radix, LARGEST
        else:
            shifted = make.arith("*", found[-1], make.integer(digit.radix))
            found[-1] = make.arith("+", shifted, digit.value)
            made *= digit.radix
    return [make.retype(word, _WORD) for word in found]


def _word_name(number: int) -> str:
    return f"position.word {number}"


def _word(number: int) -> Ir:
    """One word of the position as it is."""
    return CallIr(type=_WORD, function=_word_name(number), args=())


def _kept(most: int) -> Ir:
    return Load(type=Integer(0, most), region=SINCE, index=make.integer(1))


def _cell(place: Ir, words: int, number: int) -> Ir:
    """Which cell has one word of a position that was recorded."""
    first = place if words == 1 else make.arith("*", place, make.integer(words))
    return first if number == 0 else make.arith("+", first, make.integer(number))


def _count(most: int, words: int) -> Ir:
    """How many of the positions that were recorded have the words of the position as it is."""
    type, place = Integer(0, most), Var(type=Integer(0, most - 1), name=make.fresh("recorded"))
    now = [Var(type=_WORD, name=make.fresh("word")) for _ in range(words)]
    then = (Load(type=_WORD, region=BEFORE, index=_cell(place, words, number)) for number in range(words))
    same = make.logic("and", [make.compare("==", word, kept) for word, kept in zip(now, then, strict=True)])
    last = make.arith("-", _kept(most), make.integer(1))
    every = RangeIr(type=ListType(place.type, most), low=make.integer(0), high=last)
    found: Ir = Comprehend(type=type, op="count", name=place.name, source=every, where=same)
    for number in reversed(range(words)):
        found = Let(type=type, name=now[number].name, value=_word(number), body=found)
    return found


def stores(w: World) -> Iterator[tuple[str, Ir, Ir]]:
    """What recording a position fills, in order: region, cell, value."""
    found = w.repetition
    if found is None or not found.words:
        return
    most, one = found.most, make.integer(1)
    place = Load(type=Integer(0, most - 1), region=SINCE, index=make.integer(0))
    for number in range(found.words):
        yield BEFORE, _cell(place, found.words, number), _word(number)
    yield SINCE, one, make.clamped(make.arith("+", _kept(most), one), 0, most)
    yield SINCE, make.integer(0), make.arith("%", make.arith("+", place, one), make.integer(most))


# ---- the state --------------------------------------------------------------------------


def regions(w: World) -> tuple[Region, ...]:
    """The cells of what is recorded; none in games without repetition."""
    found = w.repetition
    if found is None or not found.words:
        return ()
    cells = found.most * found.words
    return (
        Region(BEFORE, cells, _WORD, 0, LARGEST, (0,) * cells),
        Region(SINCE, 2, Integer(0, found.most), 0, found.most, (0, 0)),
    )
