"""Who may speak to the server at all: hosts and origins of requests, and what browsers are told about every answer.

A page of any other address in the browser may try to reach this server too, under its own name or under one that leads
here. So the name that a request was sent to must be one of ours, and a page's origin must be that very address.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types rulespec-board"
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


def is_our_host(host: str, names: Iterable[str]) -> bool:
    """Whether a `Host` header is an address by number, this machine, or one of the names that we were given.

    A number leads to no other machine than it says; a name may be made to lead here by whoever owns it.
    """
    if any(each in "@/\\?#" or each.isspace() for each in host):  # nothing but a name and a port
        return False
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_our_origin(origin: str, host: str) -> bool:
    """Whether a page of that origin was served by that very host."""
    parts = origin.partition("://")
    return parts[0] in ("http", "https") and parts[2].lower() == host.lower()


class Guard:
    """Stands before the application, for HTTP and WebSockets."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()):
        self._app, self._names = app, frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or refuses it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif self._refuses(scope):
            await _refuse(scope, receive, send)
        else:
            await self._app(scope, receive, _with_headers(send))

    def _refuses(self, scope: Scope) -> bool:
        hosts, origins = _all(scope, b"host"), _all(scope, b"origin")
        if len(hosts) != 1 or len(origins) > 1 or not is_our_host(hosts[0], self._names):
            return True
        return bool(origins) and not is_our_origin(origins[0], hosts[0])


def _all(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            message["headers"] = [*message.get("headers", ()), *HEADERS]
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await _with_headers(send)({"type": "http.response.start", "status": 403, "headers": []})
    await send({"type": "http.response.body", "body": b"This address is not served here.\n"})
