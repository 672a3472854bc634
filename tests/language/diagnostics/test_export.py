"""Problems for tools."""

from __future__ import annotations

import json

from rulespec.diagnostics.export import render_json, render_sarif
from rulespec.diagnostics.model import MOST_KEPT, Problem, Problems, Related, counts_of
from rulespec.diagnostics.nearest import near_to
from rulespec.diagnostics.render import render_text
from rulespec.kept.problems import as_data, from_data
from rulespec.source.text import SourceFile, Span

FILE = SourceFile.of("content/得点 map.yaml", "得点: 1\nother: [a,\n  b]\n得点: 2\n")


def two_problems() -> tuple[Problem, ...]:
    problems = Problems()
    there = Related("'得点' stands here first", Span(FILE, 0, 2))
    problems.add("RS117", Span(FILE, 22, 24), related=[there], key="得点")
    problems.add("RS301", Span(FILE, 13, 21), near=near_to("a", ["b"]), name="a")
    return problems.items


def test_json_is_as_promised() -> None:
    document = json.loads(render_json(two_problems(), [{"id": "demo", "fingerprint": "f00"}]))
    assert document == {
        "problems": [
            {
                "code": "RS301",
                "severity": "error",
                "message": "Unknown name 'a'.",
                "file": "content/得点 map.yaml",
                "line": 2,
                "column": 8,
                "end_line": 3,
                "end_column": 5,
                "hint": "Did you mean `b`?",
                "related": [],
                "fixes": [
                    {
                        "title": "Change to `b`",
                        "certain": False,
                        "edits": [
                            {
                                "file": "content/得点 map.yaml",
                                "line": 2,
                                "column": 9,
                                "end_line": 2,
                                "end_column": 10,
                                "text": "b",
                            }
                        ],
                    }
                ],
            },
            {
                "code": "RS117",
                "severity": "error",
                "message": "The key '得点' stands twice in this map.",
                "file": "content/得点 map.yaml",
                "line": 4,
                "column": 1,
                "end_line": 4,
                "end_column": 3,
                "hint": None,
                "related": [
                    {"message": "'得点' stands here first", "file": "content/得点 map.yaml", "line": 1, "column": 1}
                ],
                "fixes": [],
            },
        ],
        "games": [{"id": "demo", "fingerprint": "f00"}],
    }


def test_no_problems() -> None:
    assert json.loads(render_json([])) == {"problems": [], "games": []}
    assert json.loads(render_sarif([]))["runs"][0]["results"] == []


def test_sarif_names_rules_and_places() -> None:
    document = json.loads(render_sarif(two_problems()))
    assert document["version"] == "2.1.0"
    [run] = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["RS117", "RS301"]
    assert rules[1]["shortDescription"] == {"text": "Unknown name"}
    assert rules[1]["defaultConfiguration"] == {"level": "error"}
    first, second = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("RS301", 1, "error")
    assert first["message"] == {"text": "Unknown name 'a'.\nDid you mean `b`?"}
    [place] = first["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "content/%E5%BE%97%E7%82%B9%20map.yaml"},
        "region": {"startLine": 2, "startColumn": 8, "endLine": 3, "endColumn": 5},
    }
    assert first["fixes"] == [
        {
            "description": {"text": "Change to `b`"},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "content/%E5%BE%97%E7%82%B9%20map.yaml"},
                    "replacements": [
                        {
                            "deletedRegion": {"startLine": 2, "startColumn": 9, "endLine": 2, "endColumn": 10},
                            "insertedContent": {"text": "b"},
                        }
                    ],
                }
            ],
        }
    ]
    assert "fixes" not in second
    assert run["columnKind"] == "unicodeCodePoints"
    assert second["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 1


def test_of_many_problems_the_gravest_are_told_and_the_rest_is_counted() -> None:
    file = SourceFile.of("a", "word " * 2_000)
    problems = Problems()
    for number in range(1_200):  # notes stand first, errors last
        problems.add("RS301" if number >= 1_100 else "RS524", Span(file, number * 5, number * 5 + 4), name="word")
    document = json.loads(render_json(problems.items))
    severities = [problem["severity"] for problem in document["problems"]]
    assert severities == ["note"] * 100 + ["error"] * 100
    assert document["more"] == {"note": 1_000}
    (run,) = json.loads(render_sarif(problems.items))["runs"]
    assert [result["level"] for result in run["results"]] == severities
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"] == {"text": "… and 1000 notes more."}


def test_of_very_many_problems_the_rest_is_counted_without_being_kept() -> None:
    """Of each severity so many are kept; what comes again is no further one, and every form has all in its count."""
    file = SourceFile.of("a", "word " * 4_000)
    problems = Problems()
    for number in [*range(3_500), *range(3_500)]:
        problems.add("RS301", Span(file, number * 5, number * 5 + 4), name="word")
    problems.add("RS524", Span(file, 1, 2), name="word")
    assert len(problems.items) == MOST_KEPT + 2  # the note, and the one that stands for the rest
    document = json.loads(render_json(problems.items))
    assert [each["severity"] for each in document["problems"]] == ["error"] * 200
    assert document["more"] == {"error": 3_300, "note": 1}
    (run,) = json.loads(render_sarif(problems.items))["runs"]
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"] == {"text": "… and 3300 errors, 1 note more."}
    said = render_text(problems.items)
    assert "… and 3,301 more." in said
    assert said.endswith("3500 errors, 1 note.")


def test_what_was_not_kept_is_counted_through_other_collectors_and_the_disk() -> None:
    file = SourceFile.of("a", "word " * 4_000)
    problems = Problems()
    for number in range(2_600):  # warnings, which a code without a severity of its own has to say
        problems.add("RS110", Span(file, number * 5, number * 5 + 4))
    kept = from_data(as_data(problems.items), {"a": file}.__getitem__)
    assert counts_of(kept) == {"warning": 2_600}
    more = Problems(kept)
    more.extend(problems)
    assert counts_of(more.items) == {"warning": 2_600}
    assert not more.has_errors


def test_a_name_that_is_no_text_is_told() -> None:
    problems = Problems()
    problems.add("RS301", Span(SourceFile.of("caf\udce9/a.yaml", "a: b"), 3, 4), name="b")
    (problem,) = json.loads(render_json(problems.items).encode("utf-8"))["problems"]
    assert problem["file"] == "caf\N{REPLACEMENT CHARACTER}/a.yaml"
    (result,) = json.loads(render_sarif(problems.items))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "caf%E9/a.yaml"
