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
    """A server that serves all sessions, each with a folder of its own; and what runs what is asked of it."""

    client: LanguageClient
    runner: asyncio.Runner
    chosen: list[str]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with asyncio.Runner() as runner:
        client, chosen = make_test_lsp_client(), list[str]()

        @client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)
        def asked(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
            return next((each for each in params.actions or [] if each.title in chosen), None)

        runner.run(_started(client))
        yield Served(client, runner, chosen)
        runner.run(_ended(client))


async def _started(client: LanguageClient) -> None:
    await client.start_io(sys.executable, "-m", "interpreter.cli.main", "lsp")
    able = client_capabilities("visual-studio-code")
    await client.initialize_session(lsp.InitializeParams(capabilities=able))


async def _ended(client: LanguageClient) -> None:
    await client.shutdown_session()
    assert client.error is None
    await client.stop()


@pytest.mark.parametrize("case", SESSIONS, ids=[case["session"] for case in SESSIONS])
def test_a_session(case: dict[str, Any], served: Served, tmp_path: Path) -> None:
    async def held() -> None:
        session = Session(served.client, tmp_path / "islands", case, served.chosen)
        async with asyncio.timeout(LONGEST):
            for step in case["steps"]:
                await session.do(step)
        session.close()

    served.runner.run(held())
