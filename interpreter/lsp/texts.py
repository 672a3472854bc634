"""The texts of open files as the editor has them: each change is applied here, by the lines of the protocol.

pygls ends lines also at characters that are none for the protocol (U+000C, U+0085, U+2028), so that its copies drift
from the editor's. It is given none to keep.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcContentModified,
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcRequestCancelled,
)
from pygls.protocol import LanguageServerProtocol, json_rpc, lsp_method

from interpreter.lsp.portions import portions
from rulespec.service.positions import Position, edited, joined

_LOG = logging.getLogger("rulespec.lsp")


def changed(text: str, changes: Iterable[lsp.TextDocumentContentChangeEvent], encoding: str) -> str:
    """A text after some changes, each of the one that the change before it made."""
    for change in changes:
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            start, end = change.range.start, change.range.end
            first, last = Position(start.line, start.character), Position(end.line, end.character)
            text = edited(text, first, last, change.text, encoding)
        else:
            text = joined(change.text)
    return text


class Refusal(JsonRpcException):
    """Why something is not done, as an editor shows it."""

    CODE = lsp.LSPErrorCodes.RequestFailed.value
    MESSAGE = "This cannot be done."


#: What is told to the editor and is no fault of the server, of which its log would hold a traceback.
_TOLD = (Refusal, JsonRpcContentModified, JsonRpcRequestCancelled)

#: What stands for a message that was answered already: nobody takes it.
_ANSWERED = "$/answered"


class Protocol(LanguageServerProtocol):
    """The protocol, with texts kept by the server alone, and with answers in parts to whoever asks for them so."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._in_parts: dict[Any, lsp.ProgressToken] = {}  #: requests that are answered so, by their numbers

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as a value; a request that has not its form is answered, so that nobody waits for it."""
        if not {"jsonrpc", "id", "method"} <= data.keys():
            return super().structure_message(data)
        kind = self.get_message_type(data["method"]) or json_rpc.JsonRPCRequestMessage
        try:
            return self._converter.structure(data, kind)
        except Exception as fault:  # whatever the converter of the protocol raises
            _LOG.info("request %s has not its form", data["method"], exc_info=fault)
            wrong = JsonRpcInvalidParams(f"The parameters of {data['method']} have not their form.")
            self._send_response(data["id"], error=wrong.to_response_error())
            return json_rpc.JsonRPCNotification(method=_ANSWERED, jsonrpc=self.VERSION, params=None)

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        token = getattr(params, "partial_result_token", None)
        if token is not None and method_name in self.fm.features:  # what is not known is refused, and has no answer
            self._in_parts[msg_id] = token
        super()._handle_request(msg_id, method_name, params)

    def _send_handler_result(self, future: Any, *, msg_id: Any) -> None:
        token = self._in_parts.pop(msg_id, None)
        fault = None if future.cancelled() else future.exception()
        if isinstance(fault, _TOLD):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=fault.to_response_error())
        elif token is None or fault is not None or future.cancelled():
            super()._send_handler_result(future, msg_id=msg_id)
        else:
            self._request_futures.pop(msg_id, None)
            parts, rest = portions(future.result())
            for part in parts:
                self.tell_part(token, part)
            self._send_response(msg_id, result=rest)

    def tell_part(self, token: lsp.ProgressToken, part: Any) -> None:
        """Tells a part of an answer before the rest of it."""
        self.notify(lsp.PROGRESS, lsp.ProgressParams(token, part))

    def stop(self) -> None:
        """Takes back all that is still being answered: nobody waits for it any more."""
        answers: list[Any] = list(self._request_futures.values())
        for answer in answers:
            if asyncio.isfuture(answer):  # the others wait for the editor
                answer.cancel()

    def _run_generator(self, future: Any, *, gen: Any, result_future: Any) -> None:
        if future is not None and future.cancelled():  # pygls would raise that on the loop, where nobody takes it
            result_future.cancel()
            return
        before = set(self._request_futures)
        super()._run_generator(future, gen=gen, result_future=result_future)
        for number in self._request_futures.keys() - before:  # what the answer waits for goes with it
            part: Any = self._request_futures[number]
            if asyncio.isfuture(part):
                result_future.add_done_callback(lambda answer, part=part: answer.cancelled() and part.cancel())

    def _handler(self, method: str, params: Any) -> Iterator[Any]:
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Iterator[Any]:
        """A file is open."""
        yield from self._handler(lsp.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Iterator[Any]:
        """A file was changed."""
        yield from self._handler(lsp.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Iterator[Any]:
        """A file is closed."""
        yield from self._handler(lsp.TEXT_DOCUMENT_DID_CLOSE, params)
