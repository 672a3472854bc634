"""A session of an editor with the server, as steps of data: what is typed, what is asked, and the answer that is right.

Each step is one key. `type` changes the small game of tests/service/spaces.py: the text under `from`, which stands
there once, becomes that under `to`, and the cursor is at the | in it. All other steps ask at the cursor.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pytest_lsp import LanguageClient

from interpreter.lsp.token_data import LEGEND
from tests.service.spaces import CURSOR, ISLANDS

#: How columns are counted: the code, and the bytes of a unit.
_CODES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}


class Session:
    """One file of one game, open in an editor."""

    def __init__(
        self, client: LanguageClient, folder: Path, case: dict[str, Any], chosen: list[str] | None = None
    ) -> None:
        self.chosen = [] if chosen is None else chosen  #: what is answered to a question with several answers
        self.client, self._ends = client, case.get("ends", "\n")
        self._counts = _CODES[case.get("counts", "utf-16")]
        folder.mkdir(parents=True)
        path = folder / "game.yaml"
        text = case.get("before", "") + ISLANDS
        for old, new in case.get("replace", {}).items():
            text = text.replace(old, new)
        self.text = text.replace("\n", self._ends)
        path.write_text(self.text, encoding="utf-8", newline="")
        for name, other in case.get("beside", {}).items():
            path.with_name(name).write_text(other, encoding="utf-8")
        self.uri = path.as_uri()
        self.document = lsp.TextDocumentIdentifier(self.uri)
        self.at, self._version, self._first = 0, 1, self.text
        self._tokens: lsp.SemanticTokens | None = None
        opened = lsp.TextDocumentItem(self.uri, "yaml", 1, self.text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(opened))

    async def do(self, step: dict[str, Any]) -> None:
        """Takes one step; fails where the answer is another one."""
        [(name, given)] = step.items()
        await getattr(self, f"do_{name}")(given)

    def close(self) -> None:
        """The editor closes the file."""
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.document))

    # ---- places ----

    def position(self, offset: int) -> lsp.Position:
        """An offset as a position, in the units of the session."""
        before = self.text[:offset]
        line = before.count("\n")
        return lsp.Position(line, self._units(before.rpartition("\n")[2]))

    def _units(self, text: str) -> int:
        code, size = self._counts
        return len(text.encode(code)) // size

    def words(self, place: lsp.Range) -> str:
        """The text of a range."""
        return self.text[self.offset(place.start) : self.offset(place.end)]

    def offset(self, position: lsp.Position) -> int:
        lines = self.text.split("\n")
        code, size = self._counts
        units = lines[position.line].encode(code)[: size * position.character]
        return sum(len(line) + 1 for line in lines[: position.line]) + len(units.decode(code))

    def line(self, number: int) -> str:
        return self.text.split("\n")[number].strip()

    @property
    def here(self) -> dict[str, Any]:
        return {"text_document": self.document, "position": self.position(self.at)}

    @property
    def whole_line(self) -> lsp.Range:
        """The line of the cursor."""
        number = self.position(self.at).line
        length = self._units(self.text.split("\n")[number].rstrip("\r"))
        return lsp.Range(lsp.Position(number, 0), lsp.Position(number, length))

    # ---- steps ----

    async def do_type(self, given: dict[str, str]) -> None:
        old = given.get("from", given["to"].replace(CURSOR, "")).replace("\n", self._ends)
        new = given["to"].replace("\n", self._ends)
        assert self._first.count(old) == 1, old
        start = self._first.index(old)
        end = len(self._first) if given.get("cut") else start + len(old)
        self.text = self._first[:start] + new.replace(CURSOR, "") + self._first[end:]
        self.at = start + new.index(CURSOR)
        self._version += 1
        changed = lsp.VersionedTextDocumentIdentifier(self._version, self.uri)
        whole: list[lsp.TextDocumentContentChangeEvent] = [lsp.TextDocumentContentChangeWholeDocument(self.text)]
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(changed, whole))

    async def do_problems(self, codes: list[str]) -> None:
        while sorted({str(each.code) for each in self.client.diagnostics.get(self.uri, [])}) != codes:
            await asyncio.sleep(0.01)  # what never comes is ended by the bound of time of the test

    async def do_completion(self, wanted: dict[str, Any]) -> None:
        answer = await self.client.text_document_completion_async(lsp.CompletionParams(**self.here))
        assert isinstance(answer, lsp.CompletionList)
        labels = [item.label for item in sorted(answer.items, key=lambda item: item.sort_text or "")]
        first = wanted.get("first", [])
        assert labels[: len(first)] == first, labels[:10]
        assert set(wanted.get("has", ())) <= set(labels)
        assert not set(wanted.get("lacks", ())) & set(labels)
        assert len(labels) <= wanted.get("most", len(labels)), labels

    async def do_hover(self, wanted: list[str]) -> None:
        answer = await self.client.text_document_hover_async(lsp.HoverParams(**self.here))
        said = answer.contents.value if answer is not None and isinstance(answer.contents, lsp.MarkupContent) else ""
        assert [words for words in wanted if words not in said] == []

    async def do_definition(self, wanted: list[str]) -> None:
        answer = await self.client.text_document_definition_async(lsp.DefinitionParams(**self.here))
        assert isinstance(answer, list)
        assert [self.line(each.range.start.line) for each in answer if isinstance(each, lsp.Location)] == wanted

    async def do_signature_help(self, wanted: str | None) -> None:
        answer = await self.client.text_document_signature_help_async(lsp.SignatureHelpParams(**self.here))
        if answer is None:
            assert wanted is None
            return
        [form] = answer.signatures
        number = answer.active_parameter
        assert isinstance(number, int)
        assert form.parameters is not None
        start, end = form.parameters[number].label
        assert isinstance(start, int)
        assert isinstance(end, int)
        found = f"{form.label[:start]}<{form.label[start:end]}>{form.label[end:]}"
        assert found == wanted, found

    async def do_document_highlight(self, wanted: list[str]) -> None:
        answer = await self.client.text_document_document_highlight_async(lsp.DocumentHighlightParams(**self.here))
        found = [f"{each.kind.name if each.kind else ''}: {self.line(each.range.start.line)}" for each in answer or []]
        assert found == wanted, found

    async def do_selection_range(self, wanted: list[str]) -> None:
        asked = lsp.SelectionRangeParams(self.document, [self.position(self.at)])
        answer = await self.client.text_document_selection_range_async(asked)
        assert answer is not None
        at: lsp.SelectionRange | None = answer[0]
        found: list[str] = []
        while at is not None and len(found) < len(wanted):
            found.append(self.words(at.range))
            at = at.parent
        assert found == wanted, found

    async def do_document_symbol(self, wanted: dict[str, list[str]]) -> None:
        answer = await self.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(self.document))
        found = {each.name: each for each in answer or [] if isinstance(each, lsp.DocumentSymbol)}
        for way, names in wanted.items():
            at, *rest = way.split(" > ")
            entry = found[at]
            for each in rest:
                entry = next(inner for inner in entry.children or [] if inner.name == each)
            assert [inner.name for inner in entry.children or []] == names

    async def do_workspace_symbol(self, wanted: dict[str, list[str]]) -> None:
        for query, names in wanted.items():
            answer = await self.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query))
            own = [each.name for each in answer or [] if each.location.uri == self.uri]
            assert own == names, own

    async def do_folding_range(self, wanted: list[str]) -> None:
        answer = await self.client.text_document_folding_range_async(lsp.FoldingRangeParams(self.document))
        found = [f"{self.line(each.start_line)} … {self.line(each.end_line)}" for each in answer or []]
        assert [each for each in wanted if each not in found] == [], found

    async def do_document_link(self, wanted: dict[str, str]) -> None:
        answer = await self.client.text_document_document_link_async(lsp.DocumentLinkParams(self.document))
        found = {}
        for each in answer or []:
            file, _, place = (each.target or "").partition("#L")
            is_own = file == self.uri
            found[self.words(each.range)] = self.line(int(place.partition(",")[0]) - 1) if is_own else file
        assert {words: found.get(words) for words in wanted} == wanted, found

    async def do_inlay_hint(self, wanted: str) -> None:
        asked = lsp.InlayHintParams(self.document, self.whole_line)
        answer = await self.client.text_document_inlay_hint_async(asked)
        number = self.position(self.at).line
        line = self.text.split("\n")[number].rstrip("\r")
        start = self.offset(lsp.Position(number, 0))
        for each in sorted(answer or [], key=lambda hint: -hint.position.character):
            at = self.offset(each.position) - start
            line = f"{line[:at]}⟦{each.label}⟧{line[at:]}"
        assert line.strip() == wanted, line

    async def do_semantic_tokens(self, wanted: list[str]) -> None:
        """The tokens in the line of the cursor, of the whole and of a stretch."""
        answer = await self.client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(self.document))
        assert answer is not None
        self._tokens = answer
        number = self.position(self.at).line
        found = [words for line, words in self._read(answer.data) if line == number]
        assert found == wanted, found
        asked = lsp.SemanticTokensRangeParams(self.document, self.whole_line)
        there = await self.client.text_document_semantic_tokens_range_async(asked)
        assert there is not None
        assert [words for _, words in self._read(there.data)] == wanted

    async def do_semantic_tokens_delta(self, most: int) -> None:
        """What changed since the last answer, put into that, is the whole of now; it has at most so many numbers."""
        before = self._tokens
        assert before is not None
        asked = lsp.SemanticTokensDeltaParams(self.document, before.result_id or "")
        answer = await self.client.text_document_semantic_tokens_full_delta_async(asked)
        assert isinstance(answer, lsp.SemanticTokensDelta)
        data = list(before.data)
        for edit in answer.edits:
            data[edit.start : edit.start + edit.delete_count] = edit.data or []
        assert sum(len(edit.data or []) for edit in answer.edits) <= most
        whole = await self.client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(self.document))
        assert whole is not None
        assert data == list(whole.data)
        self._tokens = whole

    async def do_code_lens(self, wanted: list[str]) -> None:
        answer = await self.client.text_document_code_lens_async(lsp.CodeLensParams(self.document))
        found = [
            f"{each.command.title if each.command else ''} | {self.line(each.range.start.line)}"
            for each in answer or []
        ]
        assert found == wanted, found

    async def do_click(self, wanted: dict[str, Any]) -> None:
        """The command of the first lens of a title; what it gives and tells. `answers` is chosen, if asked.

        The lens stands in the file, or in the one beside it that `in` names; `tells` is all that is told.
        """
        self.chosen[:] = [wanted["answers"]] if "answers" in wanted else []
        document = lsp.TextDocumentIdentifier(self.uri.replace("game.yaml", wanted.get("in", "game.yaml")))
        answer = await self.client.text_document_code_lens_async(lsp.CodeLensParams(document))
        command = next(each.command for each in answer or [] if each.command and each.command.title == wanted["lens"])
        asked = lsp.ExecuteCommandParams(command.command, command.arguments)
        given = await self.client.workspace_execute_command_async(asked)
        said = self.client.messages[-1].message if self.client.messages else ""
        assert wanted.get("says", "") in said, said
        assert wanted.get("tells", said) == said
        if "shows" in wanted:
            shown = self.client.shown_documents[-1]
            assert shown.selection is not None
            assert self.line(shown.selection.start.line) == wanted["shows"]
        if "command" in wanted:
            words = [str(word) for word in dict(given)["command"]] if isinstance(given, dict) else list(given.command)
            assert " ".join(word for word in words if "/" not in word) == wanted["command"], words

    async def do_code_action(self, wanted: dict[str, Any]) -> None:
        """What can be done at the cursor, or in the line (`whole_line`); `do` is done, and `lines` stand there then."""
        place = (
            self.whole_line if wanted.get("whole_line") else lsp.Range(self.position(self.at), self.position(self.at))
        )
        context = lsp.CodeActionContext(self.client.diagnostics.get(self.uri, []), only=wanted.get("only"))
        answer = await self.client.text_document_code_action_async(lsp.CodeActionParams(self.document, place, context))
        found = {each.title: each for each in answer or [] if isinstance(each, lsp.CodeAction)}
        if "all" in wanted:
            assert [f"{getattr(each.kind, 'value', each.kind)}: {title}" for title, each in found.items()] == wanted[
                "all"
            ]
        assert not set(wanted.get("lacks", ())) & found.keys()
        refused = {title: each.disabled.reason for title, each in found.items() if each.disabled}
        assert wanted.get("refused", refused) == refused
        assert all(each.edit is None and each.command is None for each in found.values() if each.disabled)
        if "do" not in wanted:
            return
        action = found[wanted["do"]]
        assert bool(action.is_preferred) == wanted.get("preferred", bool(action.is_preferred))
        assert [str(each.code) for each in action.diagnostics or []] == wanted.get("mends", [])
        if action.edit is None:
            action = await self.client.code_action_resolve_async(action)
        self.text = self._with(action.edit)
        lines = [line.rstrip("\r") for line in self.text.split("\n")]
        assert [line for line in wanted["lines"] if line not in lines] == [], self.text
        assert [line for line in wanted.get("gone", ()) if line in lines] == []
        for name, text in wanted.get("files", {}).items():
            assert self._made(action.edit, name) == text

    async def do_rename(self, wanted: dict[str, Any]) -> None:
        """The name at the cursor becomes another one; `lines` stand in the file then, and `files` are others."""
        asked = lsp.RenameParams(self.document, self.position(self.at), wanted["to"])
        edit = await self.client.text_document_rename_async(asked)
        self.text = self._with(edit)
        lines = [line.rstrip("\r") for line in self.text.split("\n")]
        assert [line for line in wanted["lines"] if line not in lines] == [], self.text
        assert edit is not None
        for name, text in wanted.get("files", {}).items():
            assert "".join(each.new_text for each in self._edits(edit, self.uri.replace("game.yaml", name))) == text

    async def do_references(self, wanted: list[str]) -> None:
        context = lsp.ReferenceContext(include_declaration=True)
        answer = await self.client.text_document_references_async(lsp.ReferenceParams(context=context, **self.here))
        found = [self.line(each.range.start.line) for each in answer or []]
        assert found == wanted, found

    def _with(self, edit: lsp.WorkspaceEdit | None) -> str:
        """The text after the edits of this file, which is then told to the server."""
        assert edit is not None
        text = self.text
        for each in sorted(self._edits(edit, self.uri), key=lambda one: -self.offset(one.range.start)):
            text = text[: self.offset(each.range.start)] + each.new_text + text[self.offset(each.range.end) :]
        self._version += 1
        changed = lsp.VersionedTextDocumentIdentifier(self._version, self.uri)
        whole: list[lsp.TextDocumentContentChangeEvent] = [lsp.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(changed, whole))
        return text

    def _made(self, edit: lsp.WorkspaceEdit | None, name: str) -> str:
        """The text of a file that an edit makes."""
        assert edit is not None
        uri = self.uri.replace("game.yaml", name)
        assert any(isinstance(each, lsp.CreateFile) and each.uri == uri for each in edit.document_changes or [])
        return "".join(each.new_text for each in self._edits(edit, uri))

    @staticmethod
    def _edits(edit: lsp.WorkspaceEdit, uri: str) -> list[lsp.TextEdit]:
        found = list((edit.changes or {}).get(uri, []))
        for each in edit.document_changes or []:
            if isinstance(each, lsp.TextDocumentEdit) and each.text_document.uri == uri:
                found += [one for one in each.edits if isinstance(one, lsp.TextEdit)]
        return found

    async def do_failed(self, messages: list[str]) -> None:
        """What is shown of scenarios that failed, each with the text that it is shown at."""
        while messages != [
            f"{self.words(each.range)}: {each.message}"
            for each in self.client.diagnostics.get(self.uri, [])
            if each.code == "scenario"
        ]:
            await asyncio.sleep(0.01)

    def _read(self, data: Any) -> list[tuple[int, str]]:
        legend = LEGEND  # what the server says at first is tried in test_sessions.py
        found, line, column = [], 0, 0
        for lines, columns, length, kind, modifiers in zip(*[iter(data)] * 5, strict=True):
            column = columns if lines else column + columns
            line += lines
            start, end = lsp.Position(line, column), lsp.Position(line, column + length)
            said = "".join(f" {word}" for bit, word in enumerate(legend.token_modifiers) if modifiers >> bit & 1)
            found.append((line, f"{self.words(lsp.Range(start, end))} {legend.token_types[kind]}{said}"))
        return found
