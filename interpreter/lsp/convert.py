"""Values of the service as those of the protocol."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from rulespec.diagnostics.model import Problem
from rulespec.service.completion import Offered
from rulespec.service.items import Item
from rulespec.service.positions import Lines, Position, address_of
from rulespec.source.text import Span

_KINDS = {
    "action": lsp.CompletionItemKind.Method,
    "attribute": lsp.CompletionItemKind.Property,
    "effect": lsp.CompletionItemKind.Method,
    "enum": lsp.CompletionItemKind.Enum,
    "event": lsp.CompletionItemKind.Event,
    "field": lsp.CompletionItemKind.Field,
    "function": lsp.CompletionItemKind.Function,
    "kind": lsp.CompletionItemKind.Class,
    "local": lsp.CompletionItemKind.Variable,
    "member": lsp.CompletionItemKind.EnumMember,
    "piece": lsp.CompletionItemKind.Class,
    "state": lsp.CompletionItemKind.Variable,
    "type": lsp.CompletionItemKind.TypeParameter,
    "value": lsp.CompletionItemKind.Constant,
    "word": lsp.CompletionItemKind.Keyword,
    "zone": lsp.CompletionItemKind.Variable,
}
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}


def position_of(lines: Lines, offset: int, encoding: str) -> lsp.Position:
    """An offset as a position of the protocol."""
    found = lines.position(offset, encoding)
    return lsp.Position(found.line, found.column)


def offset_of(lines: Lines, position: lsp.Position, encoding: str) -> int:
    """A position of the protocol as an offset."""
    return lines.offset(Position(position.line, position.character), encoding)


def range_of(lines: Lines, start: int, end: int, encoding: str) -> lsp.Range:
    """A stretch of a text."""
    return lsp.Range(position_of(lines, start, encoding), position_of(lines, end, encoding))


def location_of(span: Span, encoding: str) -> lsp.Location:
    """A place in a file, which is named by its whole path."""
    lines = Lines(span.file.text)
    return lsp.Location(address_of(span.file.name), range_of(lines, span.start, span.end, encoding))


def items_of(offered: Offered, text: str, encoding: str, *, snippets: bool) -> lsp.CompletionList:
    """What is offered; the order is kept, and asked for anew as more is typed."""
    lines = Lines(text)
    place = range_of(lines, offered.start, offered.end, encoding)
    found = [_item(item, number, place, snippets=snippets) for number, item in enumerate(offered.items)]
    return lsp.CompletionList(is_incomplete=True, items=found)


def _item(item: Item, number: int, place: lsp.Range, *, snippets: bool) -> lsp.CompletionItem:
    is_snippet = item.is_snippet and snippets
    written = item.written if is_snippet or not item.is_snippet else item.label
    return lsp.CompletionItem(
        label=item.label,
        kind=_KINDS.get(item.kind, lsp.CompletionItemKind.Text),
        detail=item.detail or item.kind,
        documentation=item.meaning or None,
        sort_text=f"{number:04}",
        filter_text=item.label,
        insert_text_format=lsp.InsertTextFormat.Snippet if is_snippet else lsp.InsertTextFormat.PlainText,
        text_edit=lsp.TextEdit(place, written),
    )


def diagnostics_of(problems: Iterable[Problem], encoding: str) -> list[lsp.Diagnostic]:
    """Problems of one file. A hint stands in a line of its own."""
    return [_diagnostic(problem, encoding) for problem in problems]


def _diagnostic(problem: Problem, encoding: str) -> lsp.Diagnostic:
    span = problem.span
    related = [
        lsp.DiagnosticRelatedInformation(location_of(each.span, encoding), each.message) for each in problem.related
    ]
    return lsp.Diagnostic(
        range=range_of(Lines(span.file.text), span.start, span.end, encoding),
        message=f"{problem.message}\n{problem.hint}" if problem.hint else problem.message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        source="rulespec",
        related_information=related or None,
    )
