"""What editors show of a file besides problems, completion and hover: its outline, colours, folds, links and the like.

add_features(server)   # before it serves
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from lsprotocol import types as lsp

from interpreter.lsp import parts
from interpreter.lsp.convert import location_of, offset_of, range_of
from interpreter.lsp.portions import BATCH
from interpreter.lsp.server import Server
from interpreter.lsp.token_data import LEGEND, TokenData
from rulespec.service.folding import folds, selections
from rulespec.service.highlights import highlights
from rulespec.service.inlays import inlays
from rulespec.service.links import links
from rulespec.service.positions import Lines, path_of
from rulespec.service.signatures import signature
from rulespec.service.symbols_of_file import document_symbols, workspace_symbols
from rulespec.service.tokens import tokens


def add_features(server: Server) -> None:
    """Has a server answer to all that this module knows."""
    _structure(server)
    _at_positions(server)
    _colours(server)
    _names(server)


def _file(ls: Server, document: lsp.TextDocumentIdentifier) -> tuple[str, Lines]:
    """The name of a file, and the lines of its text."""
    name = path_of(document.uri) or ""
    return name, Lines(ls.space.text(name))


def _structure(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        name, lines = _file(ls, params.text_document)
        return [parts.document_symbol(each, lines, ls.encoding) for each in document_symbols(ls.space, name)]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folded(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        name, _ = _file(ls, params.text_document)
        is_ours = ls.space.game_of(name) is not None
        found = folds(ls.space.text(name)) if is_ours else ()
        return [lsp.FoldingRange(each.first, each.last, kind=lsp.FoldingRangeKind(each.kind)) for each in found]

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    def selected(ls: Server, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        name, lines = _file(ls, params.text_document)
        asked = [offset_of(lines, each, ls.encoding) for each in params.positions]
        return [parts.selection(selections(ls.space, name, each), lines, ls.encoding) for each in asked]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    def linked(ls: Server, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        name, lines = _file(ls, params.text_document)
        return [parts.link(each, lines, ls.encoding) for each in links(ls.space, name)]


def _at_positions(server: Server) -> None:
    options = lsp.SignatureHelpOptions(trigger_characters=["(", "[", ","], retrigger_characters=[" "])

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, options)
    def formed(ls: Server, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        name, lines = _file(ls, params.text_document)
        found = signature(ls.space, name, offset_of(lines, params.position, ls.encoding))
        return None if found is None else parts.signature_help(found)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlighted(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        name, lines = _file(ls, params.text_document)
        found = highlights(ls.space, name, offset_of(lines, params.position, ls.encoding))
        read, write = lsp.DocumentHighlightKind.Read, lsp.DocumentHighlightKind.Write
        return [
            lsp.DocumentHighlight(
                range_of(lines, each.start, each.end, ls.encoding), write if each.is_declaration else read
            )
            for each in found
        ]

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def inlaid(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        name, lines = _file(ls, params.text_document)
        start, end = (offset_of(lines, each, ls.encoding) for each in (params.range.start, params.range.end))
        return [parts.inlay_hint(each, lines, ls.encoding) for each in inlays(ls.space, name, start, end)]


def _colours(server: Server) -> None:
    data = TokenData()

    def _found(ls: Server, document: lsp.TextDocumentIdentifier, place: lsp.Range | None = None) -> list[int]:
        name, lines = _file(ls, document)
        start = 0 if place is None else offset_of(lines, place.start, ls.encoding)
        end = None if place is None else offset_of(lines, place.end, ls.encoding)
        return data.numbers(tokens(ls.space, name, start, end), lines, ls.encoding)

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def coloured(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        return data.whole(params.text_document.uri, _found(ls, params.text_document))

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA)
    def coloured_anew(
        ls: Server, params: lsp.SemanticTokensDeltaParams
    ) -> lsp.SemanticTokens | lsp.SemanticTokensDelta:
        found = _found(ls, params.text_document)
        return data.changed(params.text_document.uri, params.previous_result_id, found)

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE)
    def coloured_there(ls: Server, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
        return lsp.SemanticTokens(_found(ls, params.text_document, params.range))


def _names(server: Server) -> None:
    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def looked_for(ls: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        found: list[lsp.WorkspaceSymbol] = []
        for batch in _batches(ls, params.query):
            if params.partial_result_token is None:
                found += batch
            else:  # at once, before the next ones are looked for; what was told in parts is not told again
                ls.protocol.tell_part(params.partial_result_token, batch)
            await asyncio.sleep(0)  # what else is asked is answered, and a request can be taken back
        return found


def _batches(ls: Server, query: str) -> Iterator[list[lsp.WorkspaceSymbol]]:
    batch: list[lsp.WorkspaceSymbol] = []
    for each in workspace_symbols(ls.space, query):
        place = location_of(each.at, ls.encoding)
        kind = parts.SYMBOLS.get(each.symbol.kind, lsp.SymbolKind.Object)
        batch.append(lsp.WorkspaceSymbol(place, each.symbol.name, kind, container_name=each.game.rpartition("/")[2]))
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
