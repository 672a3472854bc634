"""Sessions of an editor with the server, as data in `sessions.yaml`: one for each feature and each kind of break."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("pygls", reason="the server is an extra")

from lsprotocol import types as lsp
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

from tests.lsp.client import LONGEST
from tests.lsp.session import Session

SESSIONS = yaml.safe_load(Path(__file__).with_name("sessions.yaml").read_text(encoding="utf-8"))


@dataclass
class Served:
    """A server for each way of counting columns that serves all such sessions; and what runs what is asked of it."""

    clients: dict[str, LanguageClient]
    runner: asyncio.Runner
    chosen: list[str]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with asyncio.Runner() as runner:
        found = Served({}, runner, [])
        yield found
        for client in found.clients.values():
            runner.run(_ended(client))


def _client(served: Served, counts: str) -> LanguageClient:
    if counts not in served.clients:
        client = make_test_lsp_client()

        @client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)
        def asked(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
            return next((each for each in params.actions or [] if each.title in served.chosen), None)

        served.runner.run(_started(client, counts))
        served.clients[counts] = client
    return served.clients[counts]


async def _started(client: LanguageClient, counts: str) -> None:
    await client.start_io(sys.executable, "-m", "interpreter.cli.main", "lsp")
    able = client_capabilities("visual-studio-code")
    able.general = able.general or lsp.GeneralClientCapabilities()
    able.general.position_encodings = [counts]
    answer = await client.initialize_session(lsp.InitializeParams(capabilities=able))
    assert answer.capabilities.position_encoding == counts


async def _ended(client: LanguageClient) -> None:
    await client.shutdown_session()
    assert client.error is None
    await client.stop()


@pytest.mark.parametrize("case", SESSIONS, ids=[case["session"] for case in SESSIONS])
def test_a_session(case: dict[str, Any], served: Served, tmp_path: Path) -> None:
    client = _client(served, case.get("counts", "utf-16"))

    async def held() -> None:
        session = Session(client, tmp_path / "islands", case, served.chosen)
        async with asyncio.timeout(LONGEST):
            for step in case["steps"]:
                await session.do(step)
        session.close()

    served.runner.run(held())
