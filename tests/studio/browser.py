"""A server of its own and a browser: people at tables, as they see them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.project.modules import ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = ROOT / ".cache" / "studio" / "work" / "node_modules" / "axe-core" / "axe.min.js"
SCREENS = ROOT / ".cache" / "screens" / "studio"  #: kept for looking
#: Milliseconds to wait for something that comes at once on a machine at rest, and seconds for a server to start.
WAIT = 120_000
START = 300

_SWITCHES = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@dataclass
class Server:
    """`rulespec studio` in a process of its own."""

    tables: Path
    folder: Path | None = None
    port: int = 0
    address: str = ""
    key: str = ""
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        words = [sys.executable, "-m", "interpreter.cli.main", "studio", *([str(self.folder)] if self.folder else [])]
        words += ["--port", str(self.port), "--tables", str(self.tables), "--no-browser"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().removeprefix("rulespec studio: ").strip()
        self.key = self.process.stdout.readline().rpartition(" ")[2].strip()
        assert self.address, "the server has not started"
        self.port = int(self.address.rpartition(":")[2])

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait(START)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def a_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_SWITCHES)
        yield browser
        browser.close()


@dataclass
class Person:
    """Somebody with a window of their own. Whatever the browser complains of is kept."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, browser: Browser, language: str = "en", wide: int = 1280, high: int = 900) -> Person:
        page = browser.new_context(locale=language, viewport={"width": wide, "height": high}).new_page()
        page.set_default_timeout(WAIT)
        found = cls(page)
        page.on("pageerror", lambda fault: found.complaints.append(str(fault)))
        page.on("console", lambda said: found.complaints.append(said.text) if said.type == "error" else None)
        return found

    def leave(self) -> None:
        self.page.context.close()

    # ---- making a table ----

    def host(self, server: Server) -> None:
        self.page.goto(f"{server.address}/#{server.key}")
        self.page.wait_for_selector("form select")

    def make(self, game: str, kinds: Sequence[str] = ("human", "human"), players: int | None = None) -> list[str]:
        """Makes the first table of this window; the links of the seats of people, and of spectators."""
        page = self.page
        selects = page.locator("form select")
        selects.nth(0).select_option(game)
        if players is not None:
            selects.nth(1).select_option(str(players))
        for seat, kind in enumerate(kinds):
            selects.nth(2 + seat).select_option(kind)
        page.locator("form button[type=submit]").click()
        links = page.locator(".fresh .links a")
        expect(links).to_have_count(kinds.count("human") + 1, timeout=WAIT)
        return [str(link.get_attribute("href")) for link in links.all()]

    # ---- at a table ----

    def sit(self, server: Server, link: str) -> None:
        self.page.goto(server.address + link)
        self.page.wait_for_selector(".picture svg")

    @property
    def revision(self) -> str:
        """The table's, as it is shown: another one after each thing that is done."""
        return str(self.page.locator("main").get_attribute("data-revision"))

    def answers(self, thing: Any, *, is_whole: bool = True) -> bool:
        """Clicks on something that chooses, and waits for what comes of it: whether the question shown is over now.

        Where it `is_whole`, a click that has not chosen is a fault; else it may have been one part of a choice.
        """
        question = self.page.locator(".choices").get_attribute("data-revision")
        thing.click()
        self.page.wait_for_selector(".choices[aria-busy=true]", state="detached")
        assert self.page.locator(".notice").count() == 0, self.page.locator(".notice").all_inner_texts()
        done = self.revision != question
        assert done or not is_whole, "nothing was chosen"
        return done

    @property
    def lit(self) -> Any:
        """The sites that can be pointed at now."""
        return self.page.locator(".picture g.lit")

    def site(self, key: str) -> Any:
        return self.page.locator(f'.picture g[data-site="{key}"]')

    @property
    def lines(self) -> list[str]:
        return self.page.locator(".log .line").all_inner_texts()

    # ---- looking ----

    def looks_right(self, name: str) -> None:
        """No fault of accessibility, nothing wider than the window, no complaint; a picture is kept."""
        SCREENS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENS / f"{name}.png", full_page=True)
        assert not self.violations(), json.dumps(self.violations(), ensure_ascii=False)[:2000]
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert self.complaints == []

    def violations(self) -> Any:
        """What axe finds. It is put in by the browser's own tools: the page's policy lets no such script in."""
        tools = self.page.context.new_cdp_session(self.page)
        tools.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
        asked = "axe.run().then(r => JSON.stringify(r.violations.map(v => [v.id, v.nodes.map(n => n.html)])))"
        given = {"expression": asked, "awaitPromise": True, "returnByValue": True}
        found = tools.send("Runtime.evaluate", given)
        tools.detach()
        return json.loads(found["result"]["value"])


def words_of(language: str) -> dict[str, str]:
    from interpreter.studio.words import page_words

    words: dict[str, str] = page_words(language)["words"]
    return words


def as_pattern(text: str) -> re.Pattern[str]:
    """A word of the page with anything in its placeholders."""
    return re.compile(r".+".join(re.escape(part) for part in re.split(r"\{\w+\}", text)))
