"""The reference page of messages is what the rules of their keys say."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.messages.keys import RULES, KeyRule
from rulespec.messages.reference import PAGE, messages_page

PROJECT = Path(__file__).parents[3]


def test_the_page_is_up_to_date() -> None:
    assert (PROJECT / PAGE).read_text(encoding="utf-8") == messages_page()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.form)
def test_an_example_has_the_form_of_its_rule(rule: KeyRule) -> None:
    """Capital words of a form stand for names, all else for itself."""
    forms = [form.split(".") for form in rule.form.split(", ")]
    words = rule.example.split(".")
    fitting = [form for form in forms if len(form) <= len(words)]
    assert any(all(f.isupper() or f == w for f, w in zip(form, words, strict=False)) for form in fitting)
