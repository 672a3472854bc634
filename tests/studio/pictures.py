"""The pictures of the documentation, as a browser shows the page: `python -m tests.studio.pictures` makes them anew.

The games have seeds, so that the same picture comes of the same page and the same content.
"""

from __future__ import annotations

import io
import json
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser

from tests.project.modules import ROOT
from tests.studio.browser import Person, Server, a_browser

PLACE: Final = ROOT / "docs" / "pictures"
#: Bytes of a picture, and colours that it has at most.
MOST_BYTES: Final = 100_000
COLOURS: Final = 96
WIDE, HIGH = 1180, 800


@dataclass(frozen=True)
class Shown:
    """A table as one person sees it after so many of their decisions, of which each is another one of the list."""

    name: str
    game: str
    seats: tuple[str, ...]
    decisions: int
    seed: int = 5


TABLES: Final = (
    Shown("playing", "barcelona", ("human", "random", "random"), 14),
    Shown("lines", "metro", ("human", "greedy", "greedy"), 16),
)
NAMES: Final = ("making", *(shown.name for shown in TABLES))


def main() -> None:
    """Makes all of them, in their place."""
    PLACE.mkdir(exist_ok=True)
    for name, data in made():
        (PLACE / f"{name}.png").write_bytes(data)
        print(f"{name}.png: {len(data):,} bytes")


def made() -> Iterator[tuple[str, bytes]]:
    """Each picture by its name."""
    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        server = Server(Path(folder) / "tables.sqlite")
        server.start()
        try:
            for shown in TABLES:
                yield shown.name, _of_a_table(browser, server, shown)
            yield "making", _of_the_host(browser, server)
        finally:
            server.stop()


def _of_a_table(browser: Browser, server: Server, shown: Shown) -> bytes:
    person = Person.of(browser, wide=WIDE, high=HIGH)
    person.sit(server, _new_table(server, shown))
    page = person.page
    for n in range(shown.decisions):
        page.wait_for_selector(".option")
        options = page.locator(".option")
        person.answers(options.nth(n * 7 % options.count()))
    page.wait_for_selector(".option")
    page.mouse.move(WIDE - 1, HIGH - 1)
    page.wait_for_timeout(1_500)  # what moves has come to rest
    return _small(person)


def _of_the_host(browser: Browser, server: Server) -> bytes:
    person = Person.of(browser, wide=WIDE, high=HIGH)
    person.host(server)
    person.make("metro", ("human", "human", "greedy"), players=3)
    return _small(person)


def _small(person: Person) -> bytes:
    """What is seen, in few colours."""
    whole = Image.open(io.BytesIO(person.page.screenshot()))
    person.leave()
    out = io.BytesIO()
    whole.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _new_table(server: Server, shown: Shown) -> str:
    """A table with a seed, and without a pause between decisions; the link of its first seat."""
    wanted = {"game": shown.game, "seats": shown.seats, "seed": shown.seed, "pace": 0}
    request = urllib.request.Request(f"{server.address}/api/tables", json.dumps(wanted).encode(), method="POST")
    request.add_header("authorization", f"Bearer {server.key}")
    with urllib.request.urlopen(request) as answer:
        link: str = json.load(answer)["links"][0]["link"]
    return link


if __name__ == "__main__":
    main()
