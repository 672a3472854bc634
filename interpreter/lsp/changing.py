"""Names and where they are used, and giving them others: found beside the editor, since it takes a check of the game.

add_changing(server)   # before it serves
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from interpreter.lsp.convert import location_of, offset_of, range_of
from interpreter.lsp.server import Server
from rulespec.service.positions import Lines, address_of, path_of
from rulespec.service.rename import Edit, Refused, nameable, places_of, rename
from rulespec.service.workspace import Workspace
from rulespec.source.text import Span

T = TypeVar("T")


def add_changing(server: Server) -> None:
    """Has a server answer where names are used, and rename them."""

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def used(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = await _beside(ls, params, places_of)
        return [location_of(span, ls.encoding) for span in found]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def nameable_at(ls: Server, params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder:
        found = _allowed(await _beside(ls, params, nameable))
        place = range_of(Lines(found.file.text), found.start, found.end, ls.encoding)
        return lsp.PrepareRenamePlaceholder(place, found.text)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def renamed(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        new = params.new_name
        found = _allowed(await _beside(ls, params, lambda space, name, at: rename(space, name, at, new)))
        return edit_of(found, ls.encoding)


def edit_of(edits: Iterable[Edit], encoding: str) -> lsp.WorkspaceEdit:
    """Edits of files as those of the protocol."""
    changes: dict[str, list[lsp.TextEdit]] = {}
    lines: dict[str, Lines] = {}
    for edit in edits:
        span: Span = edit.span
        known = lines.setdefault(span.file.name, Lines(span.file.text))
        place = range_of(known, span.start, span.end, encoding)
        changes.setdefault(address_of(span.file.name), []).append(lsp.TextEdit(place, edit.text))
    return lsp.WorkspaceEdit(changes=changes)


def _allowed(found: T | Refused) -> T:
    """What was found; where it was refused, the editor shows why."""
    if isinstance(found, Refused):
        raise _Refusal(found.why)
    return found


class _Refusal(JsonRpcException):
    """Why something is not done, as an editor shows it."""

    CODE = lsp.LSPErrorCodes.RequestFailed.value
    MESSAGE = "This cannot be done."


_Asked = lsp.ReferenceParams | lsp.PrepareRenameParams | lsp.RenameParams


async def _beside(ls: Server, params: _Asked, ask: Callable[[Workspace, str, int], T]) -> T:
    """What is answered of the texts of now, by a thread of its own; anew where one was changed meanwhile.

    All names of a game are looked at, which takes as long as a check: what else is asked is answered before.
    """
    name = path_of(params.text_document.uri) or ""
    while True:
        before = ls.space.changes
        offset = offset_of(Lines(ls.space.text(name)), params.position, ls.encoding)
        found = await asyncio.to_thread(ask, _copy(ls.space, name), name, offset)
        if ls.space.changes == before:
            return found


def _copy(space: Workspace, name: str) -> Workspace:
    """A workspace with the texts of one file's game, which nothing changes."""
    copy = Workspace(space.engine)
    game = space.game_of(name)
    if game is not None:
        copy.hold(game.home)
        for each in game.files:
            copy.put(each, space.text(each))
    return copy
