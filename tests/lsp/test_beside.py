"""What is found out beside the editor: one thing at a time of a game, kept, and stopped when it is taken back."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from interpreter.lsp.beside import Beside
from rulespec.service.occurrences import Index
from rulespec.service.problems import Snapshot, snapshot_of
from rulespec.service.stopping import Stopped, go_on
from rulespec.service.workspace import Workspace
from tests.service.spaces import ISLANDS, islands


def _snapshot(text: str = ISLANDS) -> Snapshot:
    return snapshot_of(islands(text).games[0])


def _index(space: Workspace) -> Index:
    return space.games[0].index()


class _Endless:
    """Work that ends only where it is stopped."""

    def __init__(self) -> None:
        self.begun, self.stopped = Event(), Event()

    def __call__(self, space: Workspace) -> None:
        self.begun.set()
        try:
            while True:
                go_on()
        except Stopped:
            self.stopped.set()
            raise


def test_what_was_found_out_is_kept_until_the_texts_are_others() -> None:
    async def run() -> None:
        beside = Beside()
        first = await beside.ask(_snapshot(), _index)
        assert await beside.ask(_snapshot(), _index) is first
        other = await beside.ask(_snapshot(ISLANDS.replace("bridge_cost", "toll")), _index)
        assert {each.name for each in other.declared if each.kind == "values"} == {"toll"}
        beside.end()

    asyncio.run(run())


def test_what_is_taken_back_is_stopped_or_never_begun() -> None:
    async def run() -> None:
        beside, first, second = Beside(), _Endless(), _Endless()
        running = asyncio.create_task(beside.ask(_snapshot(), first))
        await asyncio.to_thread(first.begun.wait)
        waiting = asyncio.create_task(beside.ask(_snapshot(), second))
        await asyncio.sleep(0)
        waiting.cancel()
        running.cancel()
        last = await beside.ask(_snapshot(), _index)  # its turn comes when the first has stopped
        assert first.stopped.is_set()
        assert not second.begun.is_set()
        assert last.declared
        beside.end()

    asyncio.run(run())


def test_what_is_found_out_of_older_texts_is_stopped() -> None:
    async def run() -> None:
        beside, endless = Beside(), _Endless()
        running = asyncio.create_task(beside.ask(_snapshot(), endless))
        await asyncio.to_thread(endless.begun.wait)
        beside.changed(_snapshot())  # the same
        await asyncio.sleep(0.01)
        assert not endless.stopped.is_set()
        beside.changed(_snapshot(ISLANDS.replace("bridge_cost", "toll")))
        with pytest.raises(Stopped):
            await running
        beside.end()

    asyncio.run(run())


def test_nothing_is_found_out_after_the_end() -> None:
    async def run() -> None:
        beside, endless = Beside(), _Endless()
        running = asyncio.create_task(beside.ask(_snapshot(), endless))
        await asyncio.to_thread(endless.begun.wait)
        beside.end()
        with pytest.raises(Stopped):
            await running
        with pytest.raises(Stopped):
            await beside.ask(_snapshot(), _index)

    asyncio.run(run())


def test_the_index_of_a_game_is_stopped() -> None:
    """Where nobody waits any more, neither the check nor the search goes on."""

    async def run() -> None:
        beside, asked, stopped = Beside(), Event(), Event()

        def ask(space: Workspace) -> Index:
            asked.set()
            try:
                for number in range(200):  # each time of other texts, so that nothing of it is kept
                    space.put("islands/more.yaml", f"values: {{more: {number}}}")
                    _index(space)
            except Stopped:
                stopped.set()
                raise
            return _index(space)

        running = asyncio.create_task(beside.ask(_snapshot(), ask))
        await asyncio.to_thread(asked.wait)
        running.cancel()
        assert (await beside.ask(_snapshot(), _index)).declared
        assert stopped.is_set()
        beside.end()

    asyncio.run(run())
