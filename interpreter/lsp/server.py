"""The server: what an editor sends goes to the service, and what that says goes back.

serve()   # over standard input and output, until the editor ends it
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from interpreter.lsp.beside import Beside
from interpreter.lsp.checking import Checker, Games
from interpreter.lsp.convert import items_of, location_of, offset_of, range_of
from interpreter.lsp.files import GameFolders, read_files, root_of, text_of
from interpreter.lsp.locks import Locks
from interpreter.lsp.results import Results
from interpreter.lsp.shown import Edited, Shown
from interpreter.lsp.texts import Protocol, changed
from interpreter.lsp.working import Working
from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import engine_trees, game_of_pack
from rulespec.service.completion import complete
from rulespec.service.looking import definition, hover
from rulespec.service.positions import Lines, address_of, joined, path_of
from rulespec.service.problems import Snapshot, behind_change, quick_problems, snapshot_of
from rulespec.service.typed import typed_at
from rulespec.service.workspace import Workspace, says_a_game, says_a_pack

#: Seconds after which a value that is typed is looked at: what is asked with the same letter is answered first.
SOON = 0.03

_LOG = logging.getLogger("rulespec.lsp")


class Server(LanguageServer):
    """A language server with the texts of all games of which a file is or was open."""

    protocol: Protocol

    def __init__(self, version: str) -> None:
        kind = lsp.TextDocumentSyncKind.Incremental
        super().__init__("rulespec", version, text_document_sync_kind=kind, protocol_cls=Protocol)
        self.space = Workspace(engine_trees(Problems()))
        self.open: set[str] = set()
        self.versions: dict[str, int] = {}  #: of open files, as the editor counts them
        self.beside = Beside(self.space.readings)
        self.locks = Locks()
        self._loaded: set[str] = set()
        self._folders = GameFolders()
        self.results = Results(self._publish, lambda: self.encoding)
        self._shown = Shown(self.results.problems)
        games = Games()
        self.working = Working(self)
        self.checker = Checker(
            lambda snapshot: self.working.during("Checking", lambda: games.problems(snapshot)), self._tell, self._fault
        )
        games.is_old = self.checker.waits_for
        self.quick = Checker(_alone, self._shown.of_file, self._fault, quiet=0)

    def end(self) -> None:
        """Checks, runs and answers nothing more. What runs in threads ends soon, and is not waited for."""
        self.checker.end()
        self.quick.end()
        self.beside.end()
        self.protocol.stop()
        self.thread_pool.shutdown(wait=False, cancel_futures=True)

    # ---- texts ----

    @property
    def encoding(self) -> str:
        """In which units the editor counts columns."""
        return str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))

    def opened(self, uri: str, text: str) -> None:
        """A file is open: its game is read, and its text is the editor's from now on."""
        name = path_of(uri)
        if name is None or self.locks.takes(name, joined(text)):
            return
        self.open.add(name)
        if says_a_pack(text) and self.space.game_of(name) is None:
            self._load(game_of_pack(Path(name)))
        self.changed(uri, joined(text))
        self.seen_again(name)

    def changed(self, uri: str, text: str) -> None:
        """A file has another text, which may make it one of another game, or of the first one that is seen."""
        name = path_of(uri)
        if name is None or self.locks.takes(name, text):
            return
        with self._checked(name):
            self.space.put(name, text)
            game = self.space.game_of(name)
            self._load(self._folders.around(Path(name), self._root_of(name)) if game is None else Path(game.home))
        game = self.space.game_of(name)
        if game is not None:  # its own faults are told at once: the check of a large game takes seconds
            self.quick.ask(name, Edited(game.home, name, text))

    def look_at_value(self, name: str, offset: int) -> None:
        """Tells what is wrong with the value that is typed, unless something else is asked or typed before."""
        changes = self.space.changes

        def look() -> None:
            game = self.space.game_of(name)
            if game is None or self.space.changes != changes:
                return
            try:
                typed = typed_at(self.space, name, offset)
                if typed is not None:
                    self._shown.of_value(Edited(game.home, name, self.space.text(name)), typed)
            except Exception as fault:  # the check of the whole game goes on
                self._fault(fault)

        asyncio.get_running_loop().call_later(SOON, look)

    def _root_of(self, name: str) -> Path | None:
        """The folder that the editor has open in which a file lies: no game is looked for around that."""
        try:
            known = self.workspace
        except RuntimeError:  # a file is sent before anything is said of folders
            return None
        addresses = [each.uri for each in known.folders.values()] or [known.root_uri or ""]
        return root_of(Path(name), (Path(path) for each in addresses if (path := path_of(each)) is not None))

    def _load(self, folder: Path | None) -> None:
        """Reads all files of the game in a folder, once; from then on it is a game whatever they say."""
        if folder is None or folder.as_posix() in self._loaded:
            return
        self._loaded.add(folder.as_posix())
        self.space.hold(folder.as_posix())
        found = read_files(folder)
        for other, text in found.texts.items():
            if other not in self.open:
                self.space.put(other, text)
        for other, problems in found.lost.items():
            if other not in self.open:
                self.space.lose(other, problems)
        _LOG.info("read %s", folder)

    def seen_again(self, name: str) -> None:
        """Looks at the files on disk of the game around a file: not every editor tells of what others write."""
        game = self.space.game_of(name)
        if game is None or game.home not in self._loaded:
            return
        found = read_files(Path(game.home))
        lost = {each.span.file.name for each in self.space.lost_of(game.home)}
        known = {each: self.space.text(each) for each in game.files}
        other = {each for each, text in found.texts.items() if known.get(each) != text}
        gone = known.keys() - found.texts.keys()
        for each in sorted((gone | other | (found.lost.keys() ^ lost)) - self.open):
            self.on_disk(each)

    def closed(self, uri: str) -> None:
        """A file is closed: what is on disk counts again."""
        name = path_of(uri)
        if name is not None:
            self.open.discard(name)
            self.versions.pop(name, None)
            self.locks.close(name)
            self.on_disk(name)

    def on_disk(self, name: str) -> None:
        """A file that is not open may be another one on disk, new or gone."""
        path = Path(name)
        self._folders.changed(path)
        self._find_games(path)
        if name in self.open:
            return
        for inside in [each for each in self.space.names if each.startswith(f"{name}/") and each not in self.open]:
            if not os.path.lexists(inside):  # a whole folder went
                self.on_disk(inside)
        with self._checked(name):
            if self.space.game_of(name) is None or path.is_dir() or not os.path.lexists(path):
                self.space.drop(name)
                return
            text, problems = text_of(path)
            if text is None:
                self.space.lose(name, problems)
            else:
                self.space.put(name, text)

    def _find_games(self, path: Path) -> None:
        """Reads the game that appeared with a file, where it lies around one that is open."""
        folder = path.parent.as_posix()
        near = [] if folder in self._loaded else sorted(name for name in self.open if name.startswith(f"{folder}/"))
        roots = ((name, self._root_of(name)) for name in near)
        inside = [name for name, root in roots if root is None or root in (path.parent, *path.parent.parents)]
        if inside and says_a_game(text_of(path)[0] or ""):
            with self._checked(inside[0]):
                self._load(path.parent)

    # ---- problems ----

    @contextmanager
    def _checked(self, name: str) -> Iterator[None]:
        """Has the game of a file checked after what is done to it; also the one that it belonged to before."""
        before = self.space.game_of(name)
        yield
        for game in dict.fromkeys((before, self.space.game_of(name))):
            if game is not None:
                self.results.forget(game.files)
                snapshot = snapshot_of(game)
                self.checker.ask(game.home, snapshot)
                self.beside.changed(snapshot)

    def _tell(self, snapshot: Snapshot, problems: tuple[Problem, ...]) -> None:
        self._shown.of_game(snapshot, problems, frozenset(self.open))

    def _publish(self, name: str, found: list[lsp.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(address_of(name), found))

    def shutdown(self) -> None:
        """The editor is gone: nothing is found out for it any more."""
        self.beside.end()
        super().shutdown()  # type: ignore[no-untyped-call]

    def _fault(self, fault: Exception) -> None:
        _LOG.error("a check failed", exc_info=fault)


def _alone(edited: Edited) -> tuple[Problem, ...]:
    return quick_problems(edited.name, edited.text)


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

    @server.feature(lsp.SHUTDOWN)
    def over(ls: Server, params: None) -> None:
        ls.checker.end()
        ls.quick.end()
        ls.beside.end()

    from interpreter.lsp.acting import add_actions
    from interpreter.lsp.changing import add_changing
    from interpreter.lsp.features import add_features
    from interpreter.lsp.running import add_commands

    _texts(server)
    _answers(server)
    add_features(server)
    add_changing(server)
    add_actions(server)
    add_commands(server)
    return server


def _texts(server: Server) -> None:
    """What is told of files, open ones and others."""

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        _note_version(ls, params.text_document)
        ls.opened(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        name = path_of(params.text_document.uri)
        _note_version(ls, params.text_document)
        if name is not None:
            lock = ls.locks.text(name)
            before = ls.space.text(name) if lock is None else lock
            text = changed(before, params.content_changes, ls.encoding)
            ls.changed(params.text_document.uri, text)
            ls.look_at_value(name, behind_change(before, text))

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
        name = path_of(params.text_document.uri)
        if name is not None:
            ls.seen_again(name)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            name = path_of(change.uri)
            if name is not None:
                ls.on_disk(name)


def _note_version(ls: Server, document: lsp.TextDocumentItem | lsp.VersionedTextDocumentIdentifier) -> None:
    name = path_of(document.uri)
    if name is not None:
        ls.versions[name] = document.version


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


_AtPosition = lsp.TextDocumentPositionParams | lsp.CompletionParams | lsp.HoverParams | lsp.DefinitionParams


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
