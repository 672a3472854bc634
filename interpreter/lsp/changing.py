"""Names and where they are used, and giving them others: found beside the editor, since it takes a check of the game.

add_changing(server)   # before it serves
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcRequestCancelled

from interpreter.lsp.convert import location_of, offset_of, range_of
from interpreter.lsp.server import Server
from interpreter.lsp.texts import Refusal
from rulespec.diagnostics.fixes import Edit
from rulespec.service.accepting import with_lock
from rulespec.service.positions import Lines, address_of, path_of
from rulespec.service.problems import Snapshot, moved_to, snapshot_of
from rulespec.service.rename import Refused, nameable, places_of, rename
from rulespec.service.stopping import Stopped
from rulespec.service.workspace import Workspace
from rulespec.source.text import Span

T = TypeVar("T")


def add_changing(server: Server) -> None:
    """Has a server answer where names are used, and rename them."""

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def used(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = await answered(ls, params, places_of)
        return [location_of(span, ls.encoding) for span in found]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def nameable_at(ls: Server, params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder:
        found = _allowed(await answered(ls, params, nameable))
        place = range_of(Lines(found.file.text), found.start, found.end, ls.encoding)
        return lsp.PrepareRenamePlaceholder(place, found.text)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def renamed(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        new = params.new_name

        def edits(space: Workspace, name: str, at: int) -> tuple[Edit, ...] | Refused:
            found, game = rename(space, name, at, new), space.game_of(name)
            return found if isinstance(found, Refused) or game is None else with_lock(game, found, ls.locks.of(game))

        return edit_of(_allowed(await answered(ls, params, edits)), ls)


def edit_of(edits: Iterable[Edit], ls: Server) -> lsp.WorkspaceEdit:
    """Edits of files as those of the protocol; with the versions of open files, where the editor looks at them."""
    changes = _changes(edits, ls.encoding)
    if not _takes_versions(ls):
        return lsp.WorkspaceEdit(changes=changes)
    documents = [
        lsp.TextDocumentEdit(
            lsp.OptionalVersionedTextDocumentIdentifier(uri, ls.versions.get(path_of(uri) or "")), found
        )
        for uri, found in changes.items()
    ]
    return lsp.WorkspaceEdit(document_changes=documents)


def _takes_versions(ls: Server) -> bool:
    about = ls.client_capabilities.workspace
    return bool(about and about.workspace_edit and about.workspace_edit.document_changes)


def _changes(edits: Iterable[Edit], encoding: str) -> dict[str, list[lsp.TextEdit]]:
    changes: dict[str, list[lsp.TextEdit]] = {}
    lines: dict[str, Lines] = {}
    for edit in edits:
        span: Span = edit.span
        known = lines.setdefault(span.file.name, Lines(span.file.text))
        place = range_of(known, span.start, span.end, encoding)
        changes.setdefault(address_of(span.file.name), []).append(lsp.TextEdit(place, edit.text))
    return changes


def _allowed(found: T | Refused) -> T:
    """What was found; where it was refused, the editor shows why."""
    if isinstance(found, Refused):
        raise Refusal(found.why)
    return found


_Asked = lsp.ReferenceParams | lsp.PrepareRenameParams | lsp.RenameParams


async def answered(ls: Server, params: _Asked, ask: Callable[[Workspace, str, int], T]) -> T:
    """What is answered of the texts of now; anew where a file of the game was changed meanwhile.

    All names of a game are looked at, which takes as long as a check: what else is asked is answered before. Closed
    files are read as they are on disk, before and behind: an editor does what is answered to just those. Where just
    the position asked for was changed, nothing is: the editor asks again if it still wants to know.
    """
    name = path_of(params.text_document.uri) or ""
    text, now = ls.space.text(name), _seen(ls, name)
    offset = offset_of(Lines(text), params.position, ls.encoding)
    while now is not None:
        found = await _found(ls, now, partial(_at, ask, name, offset))
        before, now = now, _seen(ls, name)
        if found is not None and now == before:
            return found[0]
        offset, text = _moved(offset, text, ls.space.text(name)), ls.space.text(name)
    return ask(Workspace(), name, offset)


def _at(ask: Callable[[Workspace, str, int], T], name: str, offset: int, space: Workspace) -> T:
    return ask(space, name, offset)


def _moved(offset: int, old: str, new: str) -> int:
    found = moved_to(offset, old, new)
    if found is None:
        raise JsonRpcContentModified
    return found


async def _found(ls: Server, now: Snapshot, ask: Callable[[Workspace], T]) -> tuple[T] | None:
    """What is answered of some texts; None where they are others before that is known."""
    try:
        return (await ls.beside.ask(now, lambda space: ls.working.during("Finding names", lambda: ask(space))),)
    except Stopped:
        if ls.beside.is_over:
            raise JsonRpcRequestCancelled from None
        return None


def _seen(ls: Server, name: str) -> Snapshot | None:
    """The texts of a file's game, those of closed files as they are on disk; None where it belongs to none."""
    ls.seen_again(name)
    game = ls.space.game_of(name)
    return None if game is None else snapshot_of(game)
