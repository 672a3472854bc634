"""The page, as people use it: in a real browser, with no help from inside."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the studio is an extra")
pytest.importorskip("playwright", reason="the browser's driver is an extra")

from playwright.sync_api import Browser, expect

from interpreter.studio.page import Page
from rulespec.source.shipped import content_root
from tests.studio.browser import AXE, CHROMIUM, WAIT, Person, Server, a_browser, as_pattern, words_of

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: on Debian it is the package `chromium`"),
    pytest.mark.skipif(not Page().is_there or not AXE.is_file(), reason="the page is not built: .ci/page builds it"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with a_browser() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("studio") / "tables.sqlite")
    found.start()
    yield found
    found.stop()


def tables_of(browser: Browser, server: Server, game: str, *kinds: str, language: str = "en") -> list[str]:
    host = Person.of(browser, language)
    host.host(server)
    links = host.make(game, kinds or ("human", "human"))
    host.leave()
    return links


# ---- playing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_two_people_make_a_table_and_play_to_the_end_by_click(browser: Browser, server: Server, language: str) -> None:
    words = words_of(language)
    host = Person.of(browser, language)
    host.host(server)
    expect(host.page.get_by_role("heading", name=words["new_table"])).to_be_visible()
    links = host.make("tic_tac_toe")
    host.looks_right(f"host_{language}")
    people = [Person.of(browser, language), Person.of(browser, language)]
    for person, link in zip(people, links, strict=False):
        person.sit(server, link)
    for n, site in enumerate(["cell[0,0]", "cell[0,1]", "cell[1,0]", "cell[1,1]", "cell[2,0]"]):
        me, other = people[n % 2], people[1 - n % 2]
        expect(me.page.locator(".status")).to_contain_text(words["your_turn"], timeout=WAIT)
        expect(other.page.locator(".status")).to_contain_text(as_pattern(words["waiting"]), timeout=WAIT)
        expect(me.lit).to_have_count(9 - n, timeout=WAIT)
        assert other.lit.count() == 0
        if n == 2:
            me.looks_right(f"playing_{language}")
            other.looks_right(f"waiting_{language}")
        me.site(site).click()
    for n, person in enumerate(people):
        expect(person.page.locator(".status")).to_contain_text(words["over"], timeout=WAIT)
        assert person.lit.count() == 0
        person.looks_right(f"over_{language}_{n}")
        assert person.page.locator(".status").inner_text().count(words["over"]) == 1
        person.page.get_by_role("button", name=words["earlier"]).click()
        expect(person.page.locator(".status")).to_have_text(words["past"], timeout=WAIT)
        person.leave()
    host.leave()


def test_barcelona_is_played_to_the_end_by_click(browser: Browser, server: Server) -> None:
    """A person points at what is lit, or takes from the menu or the list what the board does not show."""
    links = tables_of(browser, server, "barcelona", "human", "random", "random")
    person = Person.of(browser)
    person.sit(server, links[0])
    page, by_board = person.page, 0
    for n in range(1_000):
        page.wait_for_selector(".picture g.lit, .menu button, .option, .status:has-text('The game is over')")
        if "The game is over" in page.locator(".status").inner_text():
            break
        if n in (0, 40):
            person.looks_right(f"barcelona_{n}")
        if page.locator(".menu button").count():
            if by_board < 2:
                person.looks_right("barcelona_menu")
            person.answers(page.locator(".menu button").first)
        elif person.lit.count():
            person.answers(person.lit.nth(n % person.lit.count()), is_whole=False)
            by_board += 1
        else:
            person.answers(page.locator(".option").first)
    else:
        raise AssertionError("the game has not ended")
    assert by_board >= 10
    person.looks_right("barcelona_over")
    person.leave()


def test_the_keyboard_alone_is_enough(browser: Browser, server: Server) -> None:
    links = tables_of(browser, server, "tic_tac_toe")
    people = [Person.of(browser), Person.of(browser)]
    for person, link in zip(people, links, strict=False):
        person.sit(server, link)
    first, second = people
    first.site("cell[0,0]").focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowDown"):  # there and back: a column up is a row, whichever way it counts
        first.page.keyboard.press(key)
    assert first.page.evaluate("document.activeElement.getAttribute('data-site')") != "cell[0,0]"
    first.page.keyboard.press("Enter")
    expect(second.page.locator(".skip")).to_be_attached(timeout=WAIT)
    second.page.keyboard.press("Tab")  # the first thing on the page leads to the choices
    second.page.keyboard.press("Enter")
    second.page.keyboard.press("Tab")
    while second.page.evaluate("!document.activeElement.matches('.option')"):
        second.page.keyboard.press("Tab")
    second.page.keyboard.press("ArrowDown")
    second.page.keyboard.press("Enter")
    expect(first.lit).to_have_count(7, timeout=WAIT)
    # the keyboard stayed on the board, and comes back to the list
    first.page.wait_for_function("() => document.activeElement.matches('.picture g.lit')")
    first.page.keyboard.press("Enter")
    second.page.wait_for_function("() => document.activeElement.id === 'choices'")
    second.page.keyboard.press("ArrowDown")
    assert second.page.evaluate("document.activeElement.matches('.option')")
    expect(second.page.locator(".log .line")).to_have_count(3, timeout=WAIT)  # they come after the question
    assert second.page.locator("[role=log]").inner_text() == second.lines[-1]
    for person in people:
        assert person.complaints == []
        person.leave()


def test_sites_that_tell_moves_apart_are_pointed_at_one_after_the_other(browser: Browser, server: Server) -> None:
    links = tables_of(browser, server, "breakthrough")
    person = Person.of(browser)
    person.sit(server, links[0])
    person.site("cell[3,2]").click()
    expect(person.lit).to_have_count(3, timeout=WAIT)
    expect(person.page.locator(".option")).to_have_count(3)
    person.looks_right("breakthrough_picked")
    person.page.keyboard.press("Escape")
    expect(person.page.locator(".option")).to_have_count(22)
    person.site("cell[3,2]").click()
    person.site("cell[4,3]").click()
    expect(person.page.locator(".status")).to_contain_text("decides", timeout=WAIT)
    person.leave()


# ---- what is told ----------------------------------------------------------------------------------------------------


def test_why_not_by_pointing_at_what_is_dark(browser: Browser, server: Server) -> None:
    links = tables_of(browser, server, "breakthrough")
    person = Person.of(browser)
    person.sit(server, links[0])
    person.site("cell[1,1]").click()  # a man behind its own ones
    dialog = person.page.locator("dialog")
    expect(dialog).to_be_visible(timeout=WAIT)
    assert dialog.locator("li").count() >= 1
    person.looks_right("why_not")
    dialog.get_by_role("button").click()
    person.page.get_by_role("button", name="Why not?").click()
    person.site("cell[3,2]").click()  # asked, and not chosen
    expect(dialog).to_be_visible(timeout=WAIT)
    assert person.page.locator(".option").count() == 22
    person.leave()


def test_what_an_option_brings_is_told_before_it_is_taken(browser: Browser, server: Server) -> None:
    """Barcelona's first actions: a street of coins brings coins. Pointing is enough, by the pointer or the keyboard."""
    links = tables_of(browser, server, "barcelona", "human", "random", "random")
    person = Person.of(browser)
    person.sit(server, links[0])
    person.page.get_by_role("button", name="Gains and costs").click()
    first = person.page.locator(".offered").first
    expect(first.locator(".change").first).to_be_visible(timeout=WAIT)
    expect(person.page.locator(".offered .brings")).to_have_count(12, timeout=WAIT)
    person.looks_right("gains")
    person.page.get_by_role("button", name="Gains and costs").click()
    option = person.page.locator(".option").nth(14)
    option.focus()
    expect(person.page.locator(".foretold")).to_contain_text(option.inner_text(), timeout=WAIT)
    person.leave()


def test_a_site_tells_what_it_brings(browser: Browser, server: Server) -> None:
    """To take a man brings one more into the prison, which the picture's tip says beside the site."""
    links = tables_of(browser, server, "breakthrough", "human", "human")
    people = [Person.of(browser), Person.of(browser)]
    for person, link in zip(people, links, strict=False):
        person.sit(server, link)
    person = people[0]
    person.site("cell[3,2]").click()
    person.site("cell[4,3]").hover()
    expect(person.page.locator(".tip")).to_contain_text("no gain, no cost", timeout=WAIT)
    expect(person.page.locator(".foretold")).to_contain_text("no gain, no cost")
    person.looks_right("tip")
    for each in people:
        each.leave()


def test_the_rules_of_what_is_pointed_at_are_read(browser: Browser, server: Server) -> None:
    """In Japanese, at a place and at an option; whoever only watches may read too. A double click chooses once."""
    links = tables_of(browser, server, "breakthrough")
    words = words_of("ja")
    person = Person.of(browser, "ja")
    person.sit(server, links[0])
    dialog = person.page.locator("dialog")
    for thing in (person.site("cell[3,2]"), person.page.locator(".option").first):
        person.page.get_by_role("button", name=words["rules"], exact=True).click()
        thing.click()
        expect(dialog).to_contain_text("駒は相手側へ1歩", timeout=WAIT)
        person.looks_right("rules")
        dialog.get_by_role("button").click()
    person.page.locator(".option").first.dblclick()
    expect(person.page.locator(".status")).to_contain_text(as_pattern(words["waiting"]), timeout=WAIT)
    assert person.page.locator(".notice").count() == 0
    watching = Person.of(browser)
    watching.sit(server, links[2])
    watching.page.get_by_role("button", name="Rules", exact=True).click()
    watching.site("cell[3,7]").click()
    expect(watching.page.locator("dialog")).to_contain_text("A man goes one step", timeout=WAIT)
    for each in (person, watching):
        each.leave()


def test_the_language_changes_at_any_time_and_lines_light_their_places(browser: Browser, server: Server) -> None:
    links = tables_of(browser, server, "tic_tac_toe")
    person = Person.of(browser)
    person.sit(server, links[0])
    person.site("cell[1,1]").click()
    expect(person.page.locator(".log .line")).to_have_count(1, timeout=WAIT)
    english = person.lines
    for language in ("fr", "ja", "es"):
        person.page.locator(".languages select").select_option(language)
        expect(person.page.get_by_role("heading", name=words_of(language)["log"])).to_be_visible(timeout=WAIT)
        person.looks_right(f"language_{language}")
    person.page.locator(".languages select").select_option("ja")
    expect(person.page.locator(".log .line")).not_to_have_text(english, timeout=WAIT)
    person.page.locator(".log .line").hover()
    expect(person.page.locator(".picture g.marked")).to_have_count(1)
    assert person.page.locator(".picture g.marked").get_attribute("data-site") == "cell[1,1]"
    person.leave()


def after_one_move(browser: Browser, server: Server) -> list[Person]:
    """Two people at tic-tac-toe; the first has taken the corner."""
    links = tables_of(browser, server, "tic_tac_toe")
    people = [Person.of(browser), Person.of(browser)]
    for person, link in zip(people, links, strict=False):
        person.sit(server, link)
    people[0].site("cell[0,0]").click()
    expect(people[1].lit).to_have_count(8, timeout=WAIT)
    return people


def test_the_last_move_moves_unless_somebody_wishes_otherwise(browser: Browser, server: Server) -> None:
    """The man goes from one place to the next: so is the way it comes, one row. Who wants no motion sees none."""
    links = tables_of(browser, server, "breakthrough")
    people = [Person.of(browser), Person.of(browser), Person.of(browser)]
    counts = """window.ways = []; const old = Element.prototype.animate;
        Element.prototype.animate = function (frames, how) {
            window.ways.push(frames[0]);
            return old.call(this, frames, how);
        }"""
    for person, link in zip(people, [links[0], links[1], links[2]], strict=True):
        person.page.add_init_script(counts)
        person.page.emulate_media(reduced_motion="reduce" if person is people[2] else "no-preference")
        person.sit(server, link)
    people[0].page.get_by_role("button", name="Moving pieces").click()
    people[0].site("cell[3,2]").click()
    people[0].site("cell[3,3]").click()
    for person in people:
        expect(person.page.locator(".log .line")).to_have_count(1, timeout=WAIT)
        expect(person.page.locator(".picture g.marked")).to_have_count(2, timeout=WAIT)
    people[1].page.wait_for_function("() => window.ways.length > 0")  # the picture comes after the lines
    still, moved, reduced = (person.page.evaluate("window.ways") for person in people)
    assert still == reduced == []
    assert moved
    for way in moved:
        sideways, down = re.findall(r"-?[0-9.]+", way["transform"])
        assert float(sideways) == 0 < float(down)
    for person in people:
        person.leave()


def test_back_and_forth_in_time(browser: Browser, server: Server) -> None:
    people = after_one_move(browser, server)
    people[1].site("cell[1,1]").click()
    person = people[0]
    expect(person.lit).to_have_count(7, timeout=WAIT)
    expect(person.page.locator(".picture g circle")).to_have_count(2, timeout=WAIT)
    person.page.get_by_role("button", name="One decision back").click()
    expect(person.page.locator(".picture g circle")).to_have_count(1, timeout=WAIT)
    expect(person.lit).to_have_count(0)
    person.looks_right("past")
    assert "?moment=1#" in person.page.url
    person.page.reload()
    expect(person.page.locator(".status")).to_have_text(words_of("en")["past"], timeout=WAIT)
    expect(person.page.locator(".picture g circle")).to_have_count(1, timeout=WAIT)
    person.page.get_by_role("button", name="Now").click()
    expect(person.page.locator(".picture g circle")).to_have_count(2, timeout=WAIT)
    expect(person.lit).to_have_count(7, timeout=WAIT)
    assert "?" not in person.page.url
    for each in people:
        each.leave()


def test_a_decision_is_taken_back_when_the_other_agrees(browser: Browser, server: Server) -> None:
    people = after_one_move(browser, server)
    people[0].page.get_by_role("button", name="Take back").click()
    people[0].page.get_by_role("button", name="Withdraw").click()
    expect(people[0].page.get_by_role("button", name="Withdraw")).to_have_count(0, timeout=WAIT)
    people[0].page.get_by_role("button", name="Take back").click()
    agree = people[1].page.get_by_role("button", name="Agree", exact=True)
    expect(agree).to_be_visible(timeout=WAIT)
    people[1].looks_right("undo_asked")
    agree.click()
    expect(people[0].lit).to_have_count(9, timeout=WAIT)
    for each in people:
        each.leave()


# ---- notes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr", "ja", "es"])
def test_a_note_is_pinned_to_a_moment_and_seen_by_all_at_the_end(
    browser: Browser, server: Server, language: str
) -> None:
    """Of a decision further back; the other sees it when the game is over, and a click leads to its moment."""
    words = words_of(language)
    links = tables_of(browser, server, "tic_tac_toe", language=language)
    people = [Person.of(browser, language), Person.of(browser, language)]
    for person, link in zip(people, links, strict=False):
        person.sit(server, link)
    play = ["cell[0,0]", "cell[1,0]", "cell[0,1]", "cell[1,1]", "cell[0,2]"]
    for n, site in enumerate(play[:2]):
        expect(people[n].lit).to_have_count(9 - n, timeout=WAIT)
        people[n].answers(people[n].site(site))
    me, other = people
    expect(me.lit).to_have_count(7, timeout=WAIT)
    me.page.get_by_role("button", name=words["earlier"]).click()
    field = me.page.get_by_role("textbox", name=words["note.at"].replace("{n}", "1"))
    field.fill("<b>too easy</b>")
    me.page.get_by_role("button", name=words["note.pin"]).click()
    expect(me.page.locator(".noted")).to_have_text("<b>too easy</b>", timeout=WAIT)
    expect(me.page.locator(".notes textarea")).to_have_value("")
    me.looks_right(f"notes_{language}")
    me.page.get_by_role("button", name=words["now"], exact=True).click()
    me.page.locator(".notes textarea").fill("never mind")
    me.page.get_by_role("button", name=words["note.pin"]).click()
    expect(me.page.locator(".noted")).to_have_count(2, timeout=WAIT)
    me.page.locator(".notes li button:not(.line)").last.click()
    expect(me.page.locator(".noted")).to_have_count(1, timeout=WAIT)
    for n, site in enumerate(play[2:], 2):
        assert other.page.locator(".noted").count() == 0
        expect(people[n % 2].lit).to_have_count(9 - n, timeout=WAIT)
        people[n % 2].answers(people[n % 2].site(site))
    expect(other.page.locator(".noted")).to_have_text("<b>too easy</b>", timeout=WAIT)
    other.page.locator(".notes li .line").click()
    expect(other.page.locator(".status")).to_have_text(words["past"], timeout=WAIT)
    other.looks_right(f"notes_over_{language}")
    with other.page.expect_download() as coming:
        other.page.get_by_role("button", name=words["save.log"]).click()
    assert json.loads(coming.value.path().read_text(encoding="utf-8").splitlines()[0])["seat"] == "nought"
    for person in people:
        person.leave()


# ---- far away --------------------------------------------------------------------------------------------------------


def test_a_broken_connection_goes_on_where_it_was(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path / "tables.sqlite")
    server.start()
    links = tables_of(browser, server, "tic_tac_toe")
    person = Person.of(browser)
    person.sit(server, links[0])
    person.site("cell[0,0]").click()
    expect(person.page.locator(".log .line")).to_have_count(1, timeout=WAIT)
    server.stop()
    expect(person.page.locator(".status")).to_contain_text("broken", timeout=WAIT)
    server.start()
    expect(person.page.locator(".status")).to_contain_text("decides", timeout=WAIT)
    expect(person.page.locator(".picture g circle")).to_have_count(1)
    person.leave()
    server.stop()


def test_a_stranger_sees_nothing_and_makes_nothing(browser: Browser, server: Server) -> None:
    link = tables_of(browser, server, "tic_tac_toe")[0]
    stranger = Person.of(browser)
    stranger.page.goto(f"{server.address}/#guessed")
    expect(stranger.page.get_by_role("alert")).to_contain_text("host's key", timeout=WAIT)
    stranger.page.goto(server.address + link[:-4] + "0000")
    expect(stranger.page.locator(".status")).to_contain_text("opens no table", timeout=WAIT)
    assert stranger.page.locator(".picture").count() == 0
    stranger.leave()


def test_a_spectator_sees_and_cannot_choose(browser: Browser, server: Server) -> None:
    links = tables_of(browser, server, "tic_tac_toe")
    person, spectator = Person.of(browser), Person.of(browser)
    person.sit(server, links[0])
    spectator.sit(server, links[2])
    person.site("cell[2,2]").click()
    expect(spectator.page.locator(".picture g circle")).to_have_count(1, timeout=WAIT)
    assert spectator.page.locator(".option, .picture g.lit").count() == 0
    spectator.looks_right("spectator")
    person.leave()
    spectator.leave()


@pytest.mark.parametrize(
    ("wide", "high", "language"),
    [(390, 800, "en"), (390, 800, "ja"), (640, 450, "en")],
    ids=["a phone", "a phone in Japanese", "a window of 1280 pixels at 200 %"],
)
def test_small_windows(browser: Browser, server: Server, wide: int, high: int, language: str) -> None:
    """Nothing is wider than the window, and all can be done: a place is pointed at, gains are told, a rule is read."""
    words = words_of(language)
    for game in ("breakthrough", "metro"):
        kinds = ("human", "random", "random") if game == "metro" else ("human", "random")
        links = tables_of(browser, server, game, *kinds)
        person = Person.of(browser, language, wide=wide, high=high)
        person.sit(server, links[0])
        page = person.page
        page.wait_for_selector(".option")
        person.looks_right(f"small_{game}_{wide}_{language}")
        page.get_by_role("button", name=words["gains"]).click()
        expect(page.locator(".offered .change").first).to_be_visible(timeout=WAIT)
        page.get_by_role("button", name=words["rules"], exact=True).click()
        page.locator(".picture g[data-site]").first.click()
        expect(page.locator("dialog li").first).to_be_visible(timeout=WAIT)
        person.looks_right(f"small_rules_{game}_{wide}_{language}")
        page.locator("dialog").get_by_role("button").click()
        person.answers(page.locator(".option").first)
        person.leave()


# ---- saves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr", "ja", "es"])
def test_a_game_goes_out_as_a_file_and_in_again(
    browser: Browser, server: Server, tmp_path: Path, language: str
) -> None:
    """By choosing the file and by dropping it; a broken one, and one of another game, are refused with the line."""
    words = words_of(language)
    host, person = Person.of(browser, language), Person.of(browser, language)
    host.host(server)
    links = host.make("tic_tac_toe")
    person.sit(server, links[0])
    person.site("cell[1,1]").click()
    expect(person.page.locator(".log .line")).to_have_count(1, timeout=WAIT)
    kept = {}
    for what, word in (("save", "save"), ("log", "save.log")):
        with host.page.expect_download() as coming:
            host.page.locator(".fresh").get_by_role("button", name=f"{words[word]}: ").click()
        assert coming.value.suggested_filename.endswith(f".{what}")
        kept[what] = tmp_path / coming.value.suggested_filename
        coming.value.save_as(kept[what])
    text = kept["save"].read_text(encoding="utf-8")
    bad = [
        ("cut.save", text[:-30], as_pattern(words["error.save.form"])),
        ("broken.log", text.replace('"n": 1', '"n": ', 1), as_pattern(words["error.save.form"])),
        ("other.save", text.replace("tic_tac_toe", "no_such_game"), as_pattern(words["error.save.game"])),
        ("older.save", text.replace('"log": 2', '"log": 1'), as_pattern(words["error.save.version"])),
    ]
    before = host.page.locator(".tables > li").count()
    for name, spoilt, told in bad:
        assert spoilt != text
        (tmp_path / name).write_text(spoilt, encoding="utf-8")
        host.page.set_input_files(".drop input", tmp_path / name)
        expect(host.page.get_by_role("alert")).to_contain_text(told, timeout=WAIT)
    assert host.page.locator(".tables > li").count() == before
    host.complaints.clear()  # the browser names each request that was refused
    host.looks_right(f"refused_{language}")
    host.page.set_input_files(".drop input", kept["save"])
    expect(host.page.locator(".tables > li")).to_have_count(before + 1, timeout=WAIT)
    assert host.page.get_by_role("alert").count() == 0
    drop(host, kept["log"].read_text(encoding="utf-8"))
    expect(host.page.locator(".tables > li")).to_have_count(before + 2, timeout=WAIT)
    fresh = host.page.locator(".fresh .links a")
    expect(fresh).to_have_count(3, timeout=WAIT)
    host.looks_right(f"loaded_{language}")
    second = Person.of(browser, language)
    second.sit(server, str(fresh.nth(1).get_attribute("href")))
    expect(second.page.locator(".log .line")).to_have_count(1, timeout=WAIT)
    expect(second.lit).to_have_count(8, timeout=WAIT)
    for each in (host, person, second):
        each.leave()


def drop(host: Person, text: str) -> None:
    """Lets a file fall where the page takes one."""
    given = host.page.evaluate_handle(
        "text => { const d = new DataTransfer(); d.items.add(new File([text], 'a.log')); return d; }", text
    )
    host.page.dispatch_event(".drop", "drop", {"dataTransfer": given})


# ---- content that means harm -----------------------------------------------------------------------------------------

LONG_WORD = "W" * 600
HARM = "</title><script>window.harm = 1</script><img src=x onerror='window.harm = 1'>"


def test_scripts_in_names_and_messages_do_nothing(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "games" / "tic_tac_toe"
    shutil.copytree(content_root() / "tic_tac_toe", folder)
    shutil.rmtree(folder / "variants")
    (folder / "scenarios.yaml").unlink()
    file = folder / "tic_tac_toe.yaml"
    text = file.read_text(encoding="utf-8")
    changed = re.sub(r'en: "([^"{]*)"', lambda found: f'en: "{found[1]} {HARM} {LONG_WORD}"', text)
    assert changed.count(HARM) >= 3
    file.write_text(changed, encoding="utf-8")
    server = Server(tmp_path / "tables.sqlite", tmp_path / "games")
    server.start()
    host = Person.of(browser)
    host.host(server)
    expect(host.page.locator("form select").first).to_contain_text("onerror")
    links = host.make("tic_tac_toe")
    person = Person.of(browser)
    person.sit(server, links[0])
    person.site("cell[0,0]").click()
    expect(person.page.locator(".log .line")).to_have_count(1, timeout=WAIT)
    person.page.wait_for_timeout(300)
    for each in (host, person):
        assert "onerror" in each.page.content()
        assert each.page.evaluate("window.harm") is None
        assert each.page.locator("img").count() == 0
        assert each.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        each.leave()
    server.stop()
