"""What an editor offers to do at a place: mends of problems, all certain ones at once, and refactorings.

add_actions(server)   # before it serves
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types as lsp

from interpreter.lsp.changing import edit_of
from interpreter.lsp.convert import diagnostics_of, offset_of
from interpreter.lsp.files import text_of
from interpreter.lsp.server import Server
from rulespec.service.accepting import acceptances
from rulespec.service.actions import (
    EXTRACT,
    MEND,
    MEND_ALL,
    REWRITE,
    Action,
    actions,
    refactorings,
    variant_of_edits,
)
from rulespec.service.positions import Lines, address_of, path_of
from rulespec.source.shipped import games

#: What is said to an editor that asks which kinds there are.
KINDS = (MEND, MEND_ALL, EXTRACT, REWRITE)


def add_actions(server: Server) -> None:
    """Has a server answer what can be done."""
    kinds: list[lsp.CodeActionKind | str] = list(KINDS)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    def offered(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        name = path_of(params.text_document.uri) or ""
        if ls.space.game_of(name) is None:
            return []
        lines = Lines(ls.space.text(name))
        start, end = (offset_of(lines, each, ls.encoding) for each in (params.range.start, params.range.end))
        found = [*actions(ls.space, ls.results.of(name), name, start, end)]
        if _asks_for_more(params):
            found += [*refactorings(ls.space, name, start, end), *_variant(ls, name)]
            found += _accepted(ls, name, start, end)
        asked = _wanted(found, params.context.only)
        return [_action(each, ls) for each in asked if not each.why_not or _shows_why_not(ls, params)]


def _asks_for_more(params: lsp.CodeActionParams) -> bool:
    """Whether a person asks: not an editor by itself, wherever the cursor goes. Refactorings take some work."""
    is_selected = params.range.start != params.range.end
    is_invoked = params.context.trigger_kind in (None, lsp.CodeActionTriggerKind.Invoked)
    return is_selected or is_invoked or bool(params.context.only)


def _shows_why_not(ls: Server, params: lsp.CodeActionParams) -> bool:
    """Whether an editor shows what cannot be done, and why: where a person asks for just such actions."""
    about = ls.client_capabilities.text_document
    return bool(params.context.only and about and about.code_action and about.code_action.disabled_support)


def _variant(ls: Server, name: str) -> Iterator[Action]:
    """What is not saved of a game as a variant; where all is saved, what it says otherwise than the shipped one."""
    game = ls.space.game_of(name)
    if game is None or not _makes_files(ls):
        return
    saved = {each: text for each in game.files if (text := text_of(Path(each))[0]) is not None}
    if all(saved.get(each) == ls.space.text(each) for each in game.files):
        saved = _shipped(game.home, game.files)
    found = variant_of_edits(ls.space, name, saved)
    if found is not None and (found.new_file is None or not Path(found.new_file[0]).exists()):
        yield found


def _accepted(ls: Server, name: str, start: int, end: int) -> Iterator[Action]:
    """Translations that can be accepted; a game's first one needs an editor that makes files."""
    game = ls.space.game_of(name)
    written = None if game is None else ls.locks.of(game)
    if game is not None and (written is not None or (_makes_files(ls) and not ls.locks.is_there(game))):
        yield from acceptances(ls.space, name, start, end, written)


def _shipped(home: str, files: Iterable[str]) -> dict[str, str]:
    """The texts that a shipped game of the same name has for files of this one."""
    folder = games().get(Path(home).name)
    if folder is None or folder.resolve().as_posix() == home:
        return {}
    found = ((each, text_of(folder / Path(each).relative_to(home))[0]) for each in files if each.startswith(f"{home}/"))
    return {each: text for each, text in found if text is not None}


def _makes_files(ls: Server) -> bool:
    """Whether an editor can make a file with an edit."""
    about = ls.client_capabilities.workspace
    edits = about.workspace_edit if about else None
    kinds = (edits.resource_operations if edits else None) or ()
    return bool(edits and edits.document_changes) and lsp.ResourceOperationKind.Create in kinds


def _wanted(found: Iterable[Action], only: Iterable[lsp.CodeActionKind | str] | None) -> Iterator[Action]:
    """Those of the kinds that an editor asks for: each stands for all that begin with it and a dot."""
    kinds = [str(getattr(kind, "value", kind)) for kind in only or ()]
    for action in found:
        if not kinds or any(kind == "" or f"{action.kind}.".startswith(f"{kind}.") for kind in kinds):
            yield action


def _action(action: Action, ls: Server) -> lsp.CodeAction:
    if action.why_not:
        disabled = lsp.CodeActionDisabled(action.why_not)
        return lsp.CodeAction(action.title, lsp.CodeActionKind(action.kind), disabled=disabled)
    problem, edit = action.problem, edit_of(action.edits, ls)
    if action.new_file is not None:
        name, text = action.new_file
        made = lsp.OptionalVersionedTextDocumentIdentifier(address_of(name), None)
        start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        edit.document_changes = [
            lsp.CreateFile(address_of(name)),
            lsp.TextDocumentEdit(made, [lsp.TextEdit(start, text)]),
            *(edit.document_changes or ()),
        ]
    return lsp.CodeAction(
        title=action.title,
        kind=lsp.CodeActionKind(action.kind),
        diagnostics=None if problem is None else diagnostics_of([problem], ls.encoding),
        is_preferred=action.is_preferred or None,
        edit=edit,
    )
