"""One name means one thing: what is declared twice in different sections, and locals that hide a declaration."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics.model import Related
from rulespec.lower.context import Context
from rulespec.lower.domains import kinds_of
from rulespec.lower.relations import inverse_names
from rulespec.lower.scope import is_declared
from rulespec.source.nodes import Mapping, Scalar
from rulespec.source.text import Span

_SECTIONS = ("values", "enums", "pieces", "functions", "effects", "actions", "zones", "state")


def check_names(cx: Context) -> None:
    """Reports names that two sections declare (RS703)."""
    first: dict[str, Span] = {}
    for key in sorted(_declared(cx), key=lambda each: (each.span.file.name, each.span.start)):
        known = first.setdefault(key.text, key.span)
        if known is not key.span:
            cx.world.doubled.add(key.text)
            cx.problems.add("RS703", key.span, name=key.text, related=[Related("declared first here", known)])


def note_later_names(cx: Context) -> None:
    """Notes what is declared after constants and kinds, so that a constant which speaks of it is told so."""
    for section in ("zones", "state", "tracks"):
        cx.world.in_play.update(key.text for key, _ in cx.section(section))
    cx.world.later.update(key.text for key, _ in cx.section("functions"))
    for key, node in cx.section("relations"):
        inverses = [f"{cx.text(cx.field(node, 'to'))}.{name}" for name in inverse_names(node)]
        cx.world.later.update((key.text, *inverses))


def _declared(cx: Context) -> Iterator[Scalar]:
    """The keys of everything that is read by its bare name."""
    for section in _SECTIONS:
        for key, _ in cx.section(section):
            if "." not in key.text:
                yield key
    for key, _ in kinds_of(cx).values():
        yield key


def check_parameters(cx: Context) -> None:
    """Reports parameters and fields of events that are called like something that is declared (RS307)."""
    for section in ("functions", "effects", "actions"):
        for _, node in cx.section(section):
            params = cx.field(node, "params")
            _check_keys(cx, params)
    for _, node in cx.section("events"):
        _check_keys(cx, node)


def _check_keys(cx: Context, params: object) -> None:
    for key, _ in params.pairs if isinstance(params, Mapping) else ():
        if is_declared(cx.world, key.text):
            cx.problems.add("RS307", key.span, name=key.text)
