"""How values are written in keys, JSON and logs: by the names that the content declares."""

from __future__ import annotations

from typing import Any

from rulespec.lower.domains import site_text
from rulespec.model.types import Boolean, EffectType, Integer, ListType, Member, Piece, Record, SetType, Type, strip
from rulespec.model.world import PieceKind, World


def value_text(world: World, t: Type, value: Any) -> str:
    """A value as text: `cell[2,0]`, `north`, `card(north,3)`, `3`, `true`, `none`."""
    inner = strip(t)
    if isinstance(inner, Integer):
        return str(int(value)) if value > -(1 << 31) else "none"
    if isinstance(inner, ListType):
        return "[" + " ".join(value_text(world, inner.of, v) for v in value) + "]"
    if isinstance(inner, Record):
        return " ".join(value_text(world, t, v) for (_, t), v in zip(inner.fields, value, strict=True))
    if isinstance(inner, SetType):
        return "{" + " ".join(site_text(world, inner.of.domain, i) for i in _bits(value)) + "}"
    if value < 0:
        return "none"
    if isinstance(inner, Boolean):
        return "true" if value else "false"
    if isinstance(inner, Member):
        return site_text(world, inner.domain, value)
    if isinstance(inner, Piece):
        return piece_text(world, world.pieces[inner.kind], value % world.codes)
    if isinstance(inner, EffectType):
        return effect_text(world, value)
    return str(value)


def _bits(value: int) -> list[int]:
    return [i for i in range(value.bit_length()) if value >> i & 1]


def plain_value(world: World, t: Type, value: Any) -> Any:
    """A value as plain data: integers and truth values as they are, names as text, none as None."""
    inner = strip(t)
    if isinstance(inner, Integer):
        return int(value) if value > -(1 << 31) else None
    if isinstance(inner, ListType):
        return [plain_value(world, inner.of, v) for v in value]
    if isinstance(inner, Record):
        return {n: plain_value(world, t, v) for (n, t), v in zip(inner.fields, value, strict=True)}
    if isinstance(inner, SetType):
        return [site_text(world, inner.of.domain, i) for i in _bits(value)]
    if value < 0:
        return None
    return bool(value) if isinstance(inner, Boolean) else value_text(world, t, value)


def piece_text(world: World, kind: PieceKind, code: int) -> str:
    """A piece described as in an expression; behind a back only what it shows."""
    parts: list[str] = []
    if code >= kind.count:
        shown = kind.shown[code - kind.count]
        names = (["owner"] if kind.per_player else []) + list(kind.attributes)
        parts = [_part(world, kind, n, v) for n, v in zip(names, shown, strict=False) if v is not None]
        return f"{kind.name}({','.join(parts)})"
    row = kind.row_names[code] if code < len(kind.row_names) else None
    if row is not None and not kind.per_player:
        parts = [row]
    else:
        names = (["owner"] if kind.per_player else []) + list(kind.attributes)
        parts = [_part(world, kind, n, v) for n, v in zip(names, kind.codes[code], strict=False)]
    if kind.faces and (kind.codes[code][-1] or not kind.has_own_faces):
        parts.append(kind.faces[kind.codes[code][-1]])
    return f"{kind.name}({','.join(parts)})" if parts else kind.name


def _part(world: World, kind: PieceKind, name: str, value: Any) -> str:
    if name == "owner":
        return site_text(world, "player", value)
    t = kind.attributes[name].type
    return str(value) if isinstance(value, tuple) else value_text(world, t, value)


def effect_text(world: World, value: int) -> str:
    """An effect with its arguments as in an expression."""
    name, args, lifted = world.interned[value]
    if name == "*":
        return "[" + " ".join(effect_text(world, a) for a in args) + "]" if args else "nothing"
    effect = world.effects[name]
    text = name
    if args:
        texts = [value_text(world, t, a) for a, (_, t) in zip(args, effect.params, strict=True)]
        text += f"({','.join(texts)})"
    return text + "".join(f" without {label}" for label in sorted(lifted))
