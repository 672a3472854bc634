"""What the service says of a file's parts, as values of the protocol."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from interpreter.lsp.convert import position_of, range_of
from rulespec.service.folding import Stretch
from rulespec.service.inlays import Inlay
from rulespec.service.links import Link
from rulespec.service.positions import Lines, address_of
from rulespec.service.signatures import Signature
from rulespec.service.symbols_of_file import Entry

#: The symbols of editors that are nearest to what is declared.
SYMBOLS = {
    "actions": lsp.SymbolKind.Method,
    "attributes": lsp.SymbolKind.Property,
    "effects": lsp.SymbolKind.Method,
    "events": lsp.SymbolKind.Event,
    "functions": lsp.SymbolKind.Function,
    "kinds": lsp.SymbolKind.Class,
    "members": lsp.SymbolKind.EnumMember,
    "messages": lsp.SymbolKind.String,
    "options": lsp.SymbolKind.Boolean,
    "relations": lsp.SymbolKind.Interface,
    "rulebooks": lsp.SymbolKind.File,
    "rules": lsp.SymbolKind.String,
    "scenarios": lsp.SymbolKind.Constructor,
    "section": lsp.SymbolKind.Namespace,
    "state": lsp.SymbolKind.Variable,
    "terms": lsp.SymbolKind.Key,
    "tracks": lsp.SymbolKind.Variable,
    "triggers": lsp.SymbolKind.Event,
    "values": lsp.SymbolKind.Constant,
    "variants": lsp.SymbolKind.Package,
    "zones": lsp.SymbolKind.Field,
}


def document_symbol(entry: Entry, lines: Lines, encoding: str) -> lsp.DocumentSymbol:
    """One line of an outline, with those inside it."""
    return lsp.DocumentSymbol(
        name=entry.name or '""',  # editors refuse an empty name
        kind=SYMBOLS.get(entry.kind, lsp.SymbolKind.Object),
        range=range_of(lines, entry.whole.start, entry.whole.end, encoding),
        selection_range=range_of(lines, entry.name_at.start, entry.name_at.end, encoding),
        detail=entry.detail or None,
        children=[document_symbol(each, lines, encoding) for each in entry.inside],
    )


def selection(stretches: Sequence[Stretch], lines: Lines, encoding: str) -> lsp.SelectionRange:
    """Stretches that grow, as one value that holds the next larger one, and so on."""
    found: lsp.SelectionRange | None = None
    for start, end in reversed(stretches):
        found = lsp.SelectionRange(range_of(lines, start, end, encoding), found)
    assert found is not None  # the whole file is always among them
    return found


def link(found: Link, lines: Lines, encoding: str) -> lsp.DocumentLink:
    """A link. A place in a file is written behind its address, as editors read it: `#L12,5`."""
    if found.to is not None:
        target = f"{address_of(found.to.file.name)}#L{found.to.line},{found.to.column}"
    else:
        target = found.file if "://" in found.file else address_of(found.file)
    return lsp.DocumentLink(range_of(lines, found.start, found.end, encoding), target, found.says or None)


def signature_help(found: Signature) -> lsp.SignatureHelp:
    """A form, with the part that is next. Places in its label are UTF-16, as always; labels are names of the game."""

    def units(offset: int) -> int:
        return len(found.label[:offset].encode("utf-16-le")) // 2

    parts = [
        lsp.ParameterInformation((units(part.start), units(part.end)), part.meaning or None) for part in found.parts
    ]
    form = lsp.SignatureInformation(found.label, found.meaning or None, parts, found.active)
    return lsp.SignatureHelp([form], active_signature=0, active_parameter=found.active)


def inlay_hint(found: Inlay, lines: Lines, encoding: str) -> lsp.InlayHint:
    """Words between the words of a file."""
    kinds = {"parameter": lsp.InlayHintKind.Parameter, "type": lsp.InlayHintKind.Type}
    return lsp.InlayHint(
        position=position_of(lines, found.at, encoding),
        label=found.words,
        kind=kinds.get(found.kind),
        tooltip=found.says or None,
        padding_left=found.kind == "value",
        padding_right=found.kind == "parameter",
    )
