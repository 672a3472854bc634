"""What an editor offers to do at a place: mends of problems, all certain ones at once, and refactorings.

add_actions(server)   # before it serves
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from interpreter.lsp.changing import edit_of
from interpreter.lsp.convert import diagnostics_of, offset_of
from interpreter.lsp.server import Server
from rulespec.service.actions import MEND, MEND_ALL, Action, actions
from rulespec.service.positions import Lines, path_of

#: What is said to an editor that asks which kinds there are.
KINDS = (MEND, MEND_ALL)


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
        found = actions(ls.space, ls.results.of(name), name, start, end)
        return [_action(each, ls) for each in _wanted(found, params.context.only)]


def _wanted(found: Iterable[Action], only: Iterable[lsp.CodeActionKind | str] | None) -> Iterator[Action]:
    """Those of the kinds that an editor asks for: each stands for all that begin with it and a dot."""
    kinds = [str(getattr(kind, "value", kind)) for kind in only or ()]
    for action in found:
        if not kinds or any(kind == "" or f"{action.kind}.".startswith(f"{kind}.") for kind in kinds):
            yield action


def _action(action: Action, ls: Server) -> lsp.CodeAction:
    problem = action.problem
    return lsp.CodeAction(
        title=action.title,
        kind=lsp.CodeActionKind(action.kind) if action.kind in set(lsp.CodeActionKind) else action.kind,
        diagnostics=None if problem is None else diagnostics_of([problem], ls.encoding),
        is_preferred=action.is_preferred or None,
        edit=edit_of(action.edits, ls),
    )
