"""What a comparison is shown as, and accepted differences."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from rulespec.source.shipped import schemas_root
from rulespec.texts.baseline import UnreadableBaseline, read_baseline, suppression
from rulespec.texts.reports import FORMATS
from tests.texts.compare.books import changed, compared

COMPARISON = compared(changed("fr", "5 pièces", "6 pièces"))


def report(name: str) -> str:
    return FORMATS[name](COMPARISON, list(COMPARISON.findings))


def test_text() -> None:
    [finding] = COMPARISON.findings
    lines = report("text").splitlines()
    assert lines[0] == f"text:5:3: play number: {finding.message}  ({finding.id})"
    assert lines[2] == "    fr 5: Chaque joueur prend 6 pièces dans la boîte."
    assert lines[-2:] == ["1 difference: 1 play.", "  number: fr 1"]


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
    head, row = csv.reader(io.StringIO(report("csv")))
    cells = dict(zip(head, row, strict=True))
    assert (cells["en line"], cells["fr"]) == ("5", "Chaque joueur prend 6 pièces dans la boîte.")
    assert cells["remark"] == ""


def test_a_page_that_needs_no_network() -> None:
    page = report("html")
    assert re.findall(r'(?:src|href)="(?!#)', page) == []
    assert "prend <mark>6</mark> pièces" in page
    assert f'id="{COMPARISON.findings[0].id}"' in page
    assert "<!--" not in page


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
    assert baseline.new(COMPARISON.findings) == []
    assert baseline.gone(COMPARISON.findings) == ["number-0"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("accepted:\n  - id: number-1\n", "without a reason"),
        ("accepted:\n  - id: number-1\n    reason: ' '\n", "without a reason"),
        ("accepted:\n  - reason: why\n", "`id`"),
        ("accepted: [\n", "accepted.yaml"),
    ],
)
def test_a_baseline_gives_reasons(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "accepted.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableBaseline, match=words):
        read_baseline(file)
