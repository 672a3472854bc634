"""The server: what an editor sends goes to the service, and what that says goes back.

serve()   # over standard input and output, until the editor ends it
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from interpreter.lsp.checking import Checker
from interpreter.lsp.convert import diagnostics_of, items_of, location_of, offset_of, range_of
from interpreter.lsp.files import game_folder, text_of, texts_of
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import engine_trees
from rulespec.service.completion import complete
from rulespec.service.looking import definition, hover, references
from rulespec.service.positions import Lines, address_of, path_of
from rulespec.service.problems import Snapshot, snapshot_of
from rulespec.service.workspace import Workspace

_LOG = logging.getLogger("rulespec.lsp")


class Server(LanguageServer):
    """A language server with the texts of all games of which a file is or was open."""

    def __init__(self, version: str) -> None:
        super().__init__("rulespec", version, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.space = Workspace(engine_trees(Problems()))
        self.open: set[str] = set()
        self.told: dict[str, set[str]] = {}
        self._loaded: set[str] = set()
        self.checker = Checker(self._tell, self._fault)

    # ---- texts ----

    @property
    def encoding(self) -> str:
        """In which units the editor counts columns."""
        return str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))

    def opened(self, uri: str, text: str) -> None:
        """A file is open: its game is read, and its text is the editor's from now on."""
        name = path_of(uri)
        if name is None:
            return
        folder = game_folder(Path(name))
        if folder is not None and folder.as_posix() not in self._loaded:
            self._loaded.add(folder.as_posix())
            for other, content in texts_of(folder).items():
                if other not in self.open:
                    self.space.put(other, content)
            _LOG.info("read %s", folder)
        self.open.add(name)
        self.changed(uri, text)

    def changed(self, uri: str, text: str) -> None:
        """A file has another text."""
        name = path_of(uri)
        if name is not None:
            self.space.put(name, text)
            self._check(name)

    def closed(self, uri: str) -> None:
        """A file is closed: what is on disk counts again."""
        name = path_of(uri)
        if name is not None:
            self.open.discard(name)
            self.on_disk(name)

    def on_disk(self, name: str) -> None:
        """A file that is not open may be another one on disk, new or gone."""
        is_known = any(name.startswith(f"{folder}/") for folder in self._loaded)
        if name in self.open or not is_known:
            return
        text = text_of(Path(name)) if Path(name).is_file() else None
        if text is None:
            self.space.drop(name)
        else:
            self.space.put(name, text)
        self._check(name)

    # ---- problems ----

    def _check(self, name: str) -> None:
        game = self.space.game_of(name)
        if game is not None:
            self.checker.ask(snapshot_of(game))

    def _tell(self, snapshot: Snapshot, problems: tuple[Problem, ...]) -> None:
        by_file: dict[str, list[Problem]] = {}
        for problem in problems:
            by_file.setdefault(problem.span.file.name, []).append(problem)
        for name in sorted({*by_file, *self.told.get(snapshot.home, set()), *self._open_in(snapshot)}):
            found = diagnostics_of(by_file.get(name, ()), self.encoding)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(address_of(name), found))
        self.told[snapshot.home] = set(by_file)

    def _open_in(self, snapshot: Snapshot) -> set[str]:
        return {name for name, _ in snapshot.texts} & self.open

    def _fault(self, fault: Exception) -> None:
        _LOG.error("a check failed", exc_info=fault)


def make_server(version: str) -> Server:
    """A server with all that it answers to."""
    server = Server(version)

    @server.feature(lsp.INITIALIZED)
    def started(ls: Server, params: lsp.InitializedParams) -> None:
        changes = ls.client_capabilities.workspace and ls.client_capabilities.workspace.did_change_watched_files
        if changes and changes.dynamic_registration:
            watchers = [lsp.FileSystemWatcher("**/*.{yaml,yml}")]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
            registration = lsp.Registration("content", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            ls.client_register_capability(lsp.RegistrationParams([registration]))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        ls.opened(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.changed(uri, ls.workspace.get_text_document(uri).source)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            name = path_of(change.uri)
            if name is not None:
                ls.on_disk(name)

    @server.feature(lsp.SHUTDOWN)
    def over(ls: Server, params: None) -> None:
        ls.checker.end()

    _answers(server)
    return server


def _answers(server: Server) -> None:
    """What is asked at a position."""

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", " ", "{", "[", "("]))
    def completion(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
        name, offset = _asked(ls, params)
        offered = complete(ls.space, name, offset)
        return items_of(offered, ls.space.text(name), ls.encoding, snippets=_takes_snippets(ls))

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        name, offset = _asked(ls, params)
        found = hover(ls.space, name, offset)
        if found is None:
            return None
        place = range_of(Lines(ls.space.text(name)), found.start, found.end, ls.encoding)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text), place)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
        name, offset = _asked(ls, params)
        return [location_of(span, ls.encoding) for span in definition(ls.space, name, offset)]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def used(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        name, offset = _asked(ls, params)
        return [location_of(span, ls.encoding) for span in references(ls.space, name, offset)]


_AtPosition = (
    lsp.TextDocumentPositionParams | lsp.CompletionParams | lsp.HoverParams | lsp.DefinitionParams | lsp.ReferenceParams
)


def _asked(ls: Server, params: _AtPosition) -> tuple[str, int]:
    """The file and the offset that are asked about."""
    name = path_of(params.text_document.uri) or ""
    return name, offset_of(Lines(ls.space.text(name)), params.position, ls.encoding)


def _takes_snippets(ls: Server) -> bool:
    about = ls.client_capabilities.text_document
    item = about.completion.completion_item if about and about.completion else None
    return bool(item and item.snippet_support)


def serve(version: str) -> None:
    """Serves one editor over standard input and output, until it ends. What is printed meanwhile is no answer."""
    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as said, redirect_stdout(sys.stderr):
        make_server(version).start_io(asked, said)
