"""What is declared and where it comes from: `show`, `why`, `diff`, `sources`, `code`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.diagnostics.catalogue import entry
from rulespec.diagnostics.model import Problems
from rulespec.game_source import read_game, resolve
from rulespec.source.shipped import games
from tests.language.overlays.overlay_cases import plain, tree


def _rows(text: str) -> list[list[str]]:
    """Lines as their columns, which two blanks or more part."""
    return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]


def test_show_gives_values_with_their_places(run, islands: Path) -> None:
    assert _rows(run("show", "islands", "values").out) == [
        ["bridge_cost: {is: 2, source: {reconstructed: the total is known}}", "# islands/islands.yaml:11"],
        ["hand_size: 5", "# islands/islands.yaml:12"],
    ]


def test_show_with_a_variant_names_the_variant_as_the_place(run, islands: Path) -> None:
    done = run("show", "islands", "values", "--variant", "floods")
    assert _rows(done.out) == [
        ["bridge_cost:", "# islands/islands.yaml:11"],
        ["is: 4", "# islands/variants/floods.yaml:6"],
        ["source:", "# islands/islands.yaml:11"],
        ["variant: floods", "# islands/variants/floods.yaml:2"],
        ["water: 7", "# islands/variants/floods.yaml:11"],
    ]
    assert done.status == 0


def test_an_option_switches_its_variant_on(run, islands: Path) -> None:
    on = run("show", "islands", "values", "--option", "weather=true")
    assert on.out == run("show", "islands", "values", "--variant", "floods").out
    off = run("show", "islands", "values", "--option", "weather=false")
    assert off.out == run("show", "islands", "values").out


def test_show_of_one_member_of_a_list(run, islands: Path) -> None:
    done = run("show", "islands", "pieces.card.rows[worth=1]")
    assert _rows(done.out) == [
        ["worth: 1", "# islands/cards/cards.yaml:5"],
        ["count: 3", "# islands/cards/cards.yaml:5"],
    ]


@pytest.mark.parametrize("game", games())
def test_what_show_prints_reads_back_as_the_same_tree(run, game: str) -> None:
    source = read_game(game, Problems())
    assert source is not None
    text = re.sub(r"(?m) {2,}# \S+\.yaml:\d+$", "", run("show", game).out)
    sections = re.split(r"(?m)^(?=\w)", text)  # the whole may be larger than a file may be
    shown = [pair for section in sections if section.strip() for pair in plain(tree(section))]
    assert sorted(shown) == sorted(plain(resolve(source, [], Problems())))


def test_texts_that_need_quotes_get_them(run, islands: Path) -> None:
    texts = [
        "a: b",
        "# no comment",
        "- x",
        "'",
        '"',
        "true",
        "12",
        "~",
        "",
        " x ",
        "a #b",
        "{a}",
        "[a",
        "@x",
        "a\nb",
        "x:",
    ]
    quoted = "".join(f"  t{number}: {{en: {_json(text)}}}\n" for number, text in enumerate(texts))
    (islands / "texts.yaml").write_text(f"messages:\n{quoted}", encoding="utf-8")
    shown = plain(tree(run("show", "islands", "messages").out))
    assert [pairs[0][1] for _, pairs in shown] == texts


def _json(text: str) -> str:
    import json

    return json.dumps(text)


def test_content_cannot_turn_the_terminal_around(run, islands: Path) -> None:
    """Control characters are refused in files; marks that change the direction of writing are not obeyed."""
    text = "\u202e hidden"
    (islands / "evil.yaml").write_text(
        'variant: {id: evil, title: {en: "Evil"}}\n'
        'rules: {evil: {text: {en: "\\u202e hidden"}, binds: [], source: "\\u202e hidden"}}\n',
        encoding="utf-8",
    )
    shown = run("show", "islands", "rules.evil", "--variant", "evil").out
    assert dict(plain(tree(shown)))["source"] == text
    commands = [("diff", "islands"), ("sources", "islands"), ("why", "islands", "rules.evil")]
    for out in [shown, *(run(*words, "--variant", "evil").out for words in commands)]:
        assert "hidden" in out
        assert "\u202e" not in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "island"), "no game 'island'"),
        (("show", "islands/islands.yaml"), "it is a file"),
        (("show", "islands", "values.bridge_costs"), "Did you mean `values.bridge_cost`?"),
        (("show", "islands", "values..x"), "should be a path"),
        (("show", "islands", "--variant", "flods"), "Did you mean `floods`?"),
        (("show", "islands", "--variant", "./floods.yaml"), "cannot be read"),
        (("show", "islands", "--option", "weather"), "NAME=VALUE"),
        (("show", "islands", "--option", "whether=true"), "Did you mean `weather`?"),
        (("why", "islands", "values.bridge_costs"), "Did you mean `values.bridge_cost`?"),
        (("code", "RS999"), "no code RS999"),
        (("diff", "islands"), "Name the variants"),
    ],
)
def test_what_is_not_there_gives_2_and_one_line(run, islands: Path, words: tuple[str, ...], said: str) -> None:
    done = run(*words)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"rulespec {words[0]}: ")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_shipped_game_is_found_from_anywhere(run) -> None:
    done = run("show", "tic_tac_toe", "game.id")
    assert done.status == 0
    assert done.out.startswith("tic_tac_toe ")
    assert (games()["tic_tac_toe"] / "tic_tac_toe.yaml").as_posix() in done.out


def test_a_folder_without_a_game(run, here: Path) -> None:
    (here / "empty").mkdir()
    done = run("show", "empty")
    assert done.status == 2
    assert "no file of the folder has a section `game`" in done.err


def test_problems_are_shown_with_paths_that_can_be_opened(run, islands: Path) -> None:
    (islands / "more.yaml").write_text("values: {hand_size: 6}\n", encoding="utf-8")
    done = run("show", "islands", "values.hand_size")
    assert done.out.split() == ["5", "#", "islands/islands.yaml:12"]
    assert "islands/more.yaml:1:10: error RS401" in done.err
    assert "islands/islands.yaml:12:3: 'hand_size' is declared here too" in done.err


def test_why(run, islands: Path) -> None:
    done = run("why", "islands", "pieces.card.rows[count=3].worth", "--variant", "floods")
    assert _rows(done.out) == [
        ["pieces.card.rows[count=3].worth"],
        ["declared by the game: 1", "islands/cards/cards.yaml:5"],
    ]
    done = run("why", "islands", "values.bridge_cost.is", "--variant", "floods")
    assert _rows(done.out) == [
        ["values.bridge_cost.is"],
        ["declared by the game: 2", "islands/islands.yaml:11"],
        ["set by variant floods at values.bridge_cost: 4", "islands/variants/floods.yaml:5"],
    ]


def test_why_of_what_is_removed_and_added(run, islands: Path) -> None:
    assert _rows(run("why", "islands", "values.hand_size", "--variant", "floods").out)[1:] == [
        ["declared by the game: 5", "islands/islands.yaml:12"],
        ["removed by variant floods", "islands/variants/floods.yaml:9"],
    ]
    assert _rows(run("why", "islands", "values.water", "--variant", "floods").out)[1:] == [
        ["added by variant floods: 7", "islands/variants/floods.yaml:11"],
    ]


def test_diff(run, islands: Path) -> None:
    done = run("diff", "islands", "--variant", "floods", "--lang", "fr")
    assert done.status == 0
    assert done.out.splitlines() == [
        "Declarations",
        "  ~ values.bridge_cost: 2 -> 4  (islands/variants/floods.yaml:5)",
        "  ~ pieces.card.rows[worth=3].worth: 3 -> 2  (islands/variants/floods.yaml:7)",
        "  - values.hand_size: 5  (islands/variants/floods.yaml:9)",
        "  + values.water: 7  (islands/variants/floods.yaml:11)",
        "",
        "Rule texts",
        "  bridges (fr)",
        "    - Un pont coûte 2.",
        "    + Un pont coûte 4.",
    ]


@pytest.mark.parametrize("lang", ["FR", "fr-CA", "fr,fr"])
def test_diff_knows_a_language_by_its_region(run, islands: Path, lang: str) -> None:
    plain = run("diff", "islands", "--variant", "floods", "--lang", "fr")
    assert "bridges (fr)" in plain.out
    assert run("diff", "islands", "--variant", "floods", "--lang", lang).out == plain.out


def test_diff_refuses_a_language_that_the_game_has_not(run, islands: Path) -> None:
    done = run("diff", "islands", "--variant", "floods", "--lang", "de")
    assert done.status == 2
    assert "The game has no texts in 'de'; it has en, fr." in done.err


def test_diff_gives_all_languages(run, islands: Path) -> None:
    out = run("diff", "islands", "--variant", "floods").out
    assert "+ A bridge costs 4." in out
    assert "+ Un pont coûte 4." in out


def test_diff_with_a_variant_that_is_a_file(run, islands: Path, here: Path) -> None:
    text = 'variant: {id: rich, title: {en: "Rich"}, changes: [{set: values.hand_size, to: 9}]}\n'
    (here / "rich.yaml").write_text(text, encoding="utf-8")
    out = run("diff", "islands", "--variant", "./rich.yaml").out
    assert "~ values.hand_size: 5 -> 9  (rich.yaml:1)" in out
    assert out.endswith("Rule texts\n  nothing changes\n")


PLOTS = """
game: {id: plots, language: 1, title: {en: "Plots"}, players: 2, seats: [red, green]}
values: {room: 2}
boards: {field: {plot: {for: {place: 1..3}}}}
checks: [room == 2]
ranking: [{most: player.score}]
rules:
  plots: {text: {en: "There are {plot.count} plots for {room} tokens each."}, binds: [boards.field, values.room]}
"""


def test_diff_tells_what_a_variant_breaks_instead_of_texts(run, here: Path) -> None:
    """The texts of a game that cannot be loaded have no figures, so that all would seem to change."""
    (here / "plots").mkdir()
    (here / "plots" / "plots.yaml").write_text(PLOTS, encoding="utf-8")
    text = 'variant: {id: more, title: {en: "More"}, changes: [{set: values.room, to: 3}]}\n'
    (here / "more.yaml").write_text(text, encoding="utf-8")
    done = run("diff", "plots", "--variant", "./more.yaml")
    assert done.status == 1
    declarations = "Declarations\n  ~ values.room: 2 -> 3  (more.yaml:1)\n"
    assert done.out.startswith(declarations + "\nplots/plots.yaml:5:10: error RS718: ")
    assert "Rule texts" not in done.out
    (here / "plots" / "plots.yaml").write_text(PLOTS.replace("checks: [room == 2]\n", ""), encoding="utf-8")
    done = run("diff", "plots", "--variant", "./more.yaml")
    assert (done.status, done.out.splitlines()[-1]) == (0, "    + There are 3 plots for 3 tokens each.")


def test_sources(run, islands: Path) -> None:
    assert _rows(run("sources", "islands").out) == [
        ["values.bridge_cost", "reconstructed", "the total is known", "(islands/islands.yaml:11)"],
        ["pieces.card", "rulebook", "rulebook, cards", "(islands/cards/cards.yaml:7)"],
    ]


def test_reconstructed_sources(run, islands: Path) -> None:
    [row] = _rows(run("sources", "islands", "--reconstructed").out)
    assert row[0] == "values.bridge_cost"
    assert run("sources", "islands", "--reconstructed", "--variant", "floods").out == "Nothing is reconstructed.\n"


def test_code_gives_its_page(run) -> None:
    out = run("code", "rs410").out
    page = entry("RS410")
    assert out.startswith(f"RS410: {page.title} (error)\n")
    assert page.about in out
    assert all(f"  {line}".rstrip() in out for line in (page.bad + page.good).splitlines())


def test_code_alone_lists_all(run) -> None:
    out = run("code").out
    assert f"RS410  error    {entry('RS410').title}\n" in out
    assert f"RS411  note     {entry('RS411').title}\n" in out
