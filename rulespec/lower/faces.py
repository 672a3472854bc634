"""The faces of pieces: names of their own, a range of numbers, or the values of an enum."""

from __future__ import annotations

from rulespec.lower.context import MOST_DOMAIN, Context
from rulespec.lower.domains import add_domain
from rulespec.model.types import UNKNOWN, Integer, Member, Type, Unknown
from rulespec.model.world import Domain
from rulespec.source.nodes import Node, Scalar, Sequence
from rulespec.source.text import Span

Faces = tuple[tuple[str, ...], Type]
NO_FACES: Faces = ((), UNKNOWN)
_WANTED = "range, enum or list of names"
_FORMS = "Write a range such as `1..6`, the name of an enum, or a list of names."


def faces_of(cx: Context, key: Scalar, node: Node | None) -> Faces:
    """The names of a kind's faces, in order, and the type of `.face`; nothing where it has none, or after a report."""
    if isinstance(node, Sequence):
        names = tuple(cx.text(face) for face in node.items)
        domain = f"{key.text}.face"
        if names:
            add_domain(cx, Domain(domain, "enum", names, span=key.span))
        return (names, Member(domain)) if names else NO_FACES
    return NO_FACES if node is None else _of_type(cx, node)


def _of_type(cx: Context, node: Node) -> Faces:
    """Faces that are the values of a type: numbers, or the members of an enum with all that they have."""
    t = cx.type(node)
    names: tuple[str, ...] = ()
    if isinstance(t, Integer) and t.low is not None and t.high is not None:
        names = tuple(map(str, range(t.low, min(t.high, t.low + MOST_DOMAIN) + 1)))
    elif isinstance(t, Member) and cx.world.domains[t.domain].form == "enum":
        names = tuple(str(name) for name in cx.world.domains[t.domain].members)
    elif not isinstance(t, Unknown):
        cx.problems.add("RS303", node.span, expected=_WANTED, found=str(t), hint=_FORMS)
    return _checked(cx, names, t, node.span)


def _checked(cx: Context, names: tuple[str, ...], t: Type, span: Span) -> Faces:
    if not names:
        return NO_FACES
    if len(names) > MOST_DOMAIN:
        cx.problems.add("RS705", span, name=span.text, count=len(names), most=MOST_DOMAIN)
        return NO_FACES
    if len(names) == 1:
        cx.problems.add("RS303", span, expected="at least 2 faces", found=span.text, hint=_FORMS)
        return NO_FACES
    return names, t
