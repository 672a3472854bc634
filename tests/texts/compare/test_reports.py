"""What a comparison is shown as, and accepted differences."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from rulespec.source.shipped import schemas_root
from rulespec.texts.baseline import read_baseline, suppression
from rulespec.texts.declared import Rule
from rulespec.texts.findings import SEVERITIES
from rulespec.texts.kept_files import UnreadableFile
from rulespec.texts.reports import FORMATS
from rulespec.texts.reports.marking import line_in_words
from rulespec.texts.reports.sheet import csv_text
from tests.processes import PATIENCE
from tests.texts.book.screens import CHROMIUM
from tests.texts.compare.books import BOOKS, changed, compared

COMPARISON = compared(changed("fr", "5 pièces", "6 pièces"))


def report(name: str) -> str:
    return FORMATS[name](COMPARISON, list(COMPARISON.findings))


def test_text() -> None:
    [finding] = COMPARISON.findings
    lines = report("text").splitlines()
    assert lines[0] == f"text:5:3: play number: {finding.message}  ({finding.id})"
    assert lines[3:5] == [
        "    fr 5: Chaque joueur prend 6 pièces dans la boîte.",
        "                              ^",
    ]
    # in a Japanese sentence each character is two cells wide: 14 stand before the figure, behind the line's number
    assert lines[5:7] == ["    ja 5: 各プレイヤーは箱からコインを5枚取ります。", " " * (10 + 2 * 14) + "^"]
    assert lines[7] == "    sure: A number differs: 6 against 5."
    assert lines[-3:-1] == ["1 difference: 1 play.", "  number 1, alone: fr 1"]
    assert lines[-1] == COMPARISON.notes[0]


def test_of_a_long_sentence_the_part_at_fault_is_shown() -> None:
    """French wants one coin more at the end of a sentence that is longer than a line."""
    long = "Chaque joueur prend dans la boîte, " + "lentement et " * 16 + "calmement, 6 pièces."
    comparison = compared(changed("fr", "Chaque joueur prend 5 pièces dans la boîte.", long))
    [finding] = [finding for finding in comparison.findings if finding.kind == "number"]
    shown = FORMATS["text"](comparison, [finding]).splitlines()[3]
    assert shown.startswith("    fr 5: …")
    assert shown.endswith("6 pièces.")
    assert len(shown) <= 130


def test_json_has_its_schema() -> None:
    schema = json.loads((schemas_root() / "texts_compare.schema.json").read_text(encoding="utf-8"))
    data = json.loads(report("json"))
    jsonschema.validate(data, schema)
    assert data["aligned"] == 14  # 3 headings, 3 entries, 8 sentences
    assert [finding["odd_one_out"] for finding in data["findings"]] == ["fr"]


def test_sarif_has_fingerprints_and_places() -> None:
    data = json.loads(report("sarif"))
    [result] = data["runs"][0]["results"]
    assert result["level"] == "error"
    assert result["partialFingerprints"] == {"rulespecFinding/v1": COMPARISON.findings[0].id}
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
    assert len(result["relatedLocations"]) == 2


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("mes règles (2).txt", "mes%20r%C3%A8gles%20%282%29.txt"),
        ("a%b#c:d.txt", "a%25b%23c%3Ad.txt"),
        ("folder/a.txt", "folder/a.txt"),
        ("/a folder/b.txt", "file:///a%20folder/b.txt"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="names of files are others there")
def test_sarif_names_files_as_references(file: str, uri: str) -> None:
    documents = tuple(replace(document, file=file) for document in COMPARISON.documents)
    data = json.loads(FORMATS["sarif"](replace(COMPARISON, documents=documents), list(COMPARISON.findings)))
    [result] = data["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_table_for_translators() -> None:
    head, row, note = csv.reader(io.StringIO(report("csv")))
    assert (note[head.index("kind")], note[head.index("message")]) == ("note", COMPARISON.notes[0])
    cells = dict(zip(head, row, strict=True))
    assert (cells["en line"], cells["fr"]) == ("5", "Chaque joueur prend 6 pièces dans la boîte.")
    assert cells["remark"] == ""


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠", " ="])
def test_no_cell_is_a_formula(sign: str) -> None:
    [[cell]] = csv.reader(io.StringIO(csv_text([[f"{sign}1+1"]])))
    assert cell == f"'{sign}1+1"


def test_cells_are_as_long_as_spreadsheets_take_them_and_have_no_controls() -> None:
    [[long, short, figure]] = csv.reader(io.StringIO(csv_text([["x" * 40_000, "a\x07b\nc", 0.5]], ";")), delimiter=";")
    assert len(long) == 32_000
    assert long.endswith("x…")
    assert (short, figure) == ("a b\nc", "0.5")


def test_a_page_that_needs_no_network() -> None:
    page = report("html")
    assert re.findall(r'(?:src|href)="(?!#)', page) == []
    assert "prend <mark>6</mark> pièces" in page
    assert f'id="{COMPARISON.findings[0].id}"' in page
    assert "<!--" not in page


CARD = re.compile(r'<article class="finding \w+" id="([^"]+)"')
TOWERS, BRIDGES = "- 塔をボードの左側に置きます。\n", "- それぞれの道に橋を1つ置きます **A**。\n"
#: A figure (play), a letter of a picture (text), entries of a list in another order (cosmetic).
SEVERAL = compared(
    {
        "en": BOOKS["en"].replace("**A**", "**C**"),
        "fr": BOOKS["fr"].replace("5 pièces", "6 pièces"),
        "ja": BOOKS["ja"].replace(TOWERS, "").replace(BRIDGES, f"{BRIDGES}{TOWERS}"),
    }
)


def test_the_page_begins_with_what_matters() -> None:
    page = FORMATS["html"](SEVERAL, list(SEVERAL.findings))
    severities = [finding.severity for finding in SEVERAL.findings]
    assert severities == sorted(severities, key=SEVERITIES.index)
    assert set(severities) == set(SEVERITIES)
    assert re.findall(r'<article class="finding \w+" id="([^"]+)"', page) == [
        finding.id for finding in SEVERAL.findings
    ]
    opened = dict(re.findall(r'<details class="part" id="(\w+)"( open)?>', page))
    assert {name: bool(opened[name]) for name in SEVERITIES} == {"play": True, "text": True, "cosmetic": False}
    assert page.rindex("<article") < page.index('<tr class="clause')
    for cluster in re.findall(r'href="#(c\d+)"', page):
        assert re.search(f'<tr class="clause \\w+" id="{cluster}"', page)


def test_rules_that_a_rulebook_lacks_are_listed() -> None:
    """No rulebook speaks of lightning."""
    said = Rule("start_coins", {"en": "Each player begins with 5 coins from the box."})
    lacking = Rule("round_length", {"en": "Lightning strikes sleeping dragons."})
    comparison = compared(rules=(said, lacking))
    page = FORMATS["html"](comparison, list(comparison.findings))
    assert "<b>en</b> rules that are not found: <code>round_length</code><br>" in page
    assert '<a href="#rules">' in page
    assert '<a href="#rules">' not in report("html")  # where no rules are compared with


def test_the_columns_stay_in_the_order_of_the_text() -> None:
    page = FORMATS["html"](SEVERAL, list(SEVERAL.findings))
    columns = re.findall(r'<td lang="en"><span class="line">(\d+)</span>', page)
    assert columns == sorted(columns, key=int)
    assert len(columns) == 14


def test_a_place_in_a_pdf_is_told_by_its_page() -> None:
    assert line_in_words(3012, "rules.PDF") == "page 3, line 12"
    assert line_in_words(3012, "rules.txt") == "line 3012"


@pytest.mark.skipif(CHROMIUM is None, reason="there is no browser")
def test_filters_hide_what_they_say(tmp_path: Path) -> None:
    page = FORMATS["html"](SEVERAL, list(SEVERAL.findings))
    kept = [finding for finding in SEVERAL.findings if finding.severity != "text" and finding.kind != "number"]
    unticked = "for (const box of boxes) if (['text', 'number'].includes(box.value)) box.checked = false; apply();"
    file = tmp_path / "page.html"
    file.write_text(page.replace("apply();\nreveal();", unticked), encoding="utf-8")
    command = [
        str(CHROMIUM),
        "--headless",
        "--no-sandbox",
        f"--user-data-dir={tmp_path}/c",
        "--dump-dom",
        file.as_uri(),
    ]
    shown = subprocess.run(
        command, check=True, capture_output=True, timeout=PATIENCE, text=True, encoding="utf-8"
    ).stdout
    assert f'<span id="shown">{len(kept)}</span>' in shown
    assert CARD.findall(shown) == [finding.id for finding in kept]


def test_text_from_a_rulebook_is_no_markup() -> None:
    comparison = compared(changed("fr", "5 pièces", "6 pièces <script>alert(1)</script>"))
    assert "<script>alert" not in FORMATS["html"](comparison, list(comparison.findings))


# ---- accepted differences -------------------------------------------------------------------------------------------


def test_what_is_accepted_is_told_no_more(tmp_path: Path) -> None:
    [finding] = COMPARISON.findings
    file = tmp_path / "accepted.yaml"
    file.write_text(
        f"accepted:\n{suppression(finding)}as printed\n  - id: number-0\n    reason: old\n", encoding="utf-8"
    )
    baseline = read_baseline(file)
    assert baseline.told(COMPARISON.findings) == []
    assert [state.id for state in baseline.gone(COMPARISON.findings)] == ["number-0"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("accepted:\n  - id: number-1\n", "has a field `reason`"),
        ("accepted:\n  - id: number-1\n    reason: ' '\n", "without a reason"),
        ("accepted:\n  - reason: why\n", "`id`"),
        ("accepted: [\n", "accepted.yaml"),
    ],
)
def test_a_baseline_gives_reasons(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "accepted.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=words):
        read_baseline(file)
