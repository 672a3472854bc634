"""What `rulespec studio` is told at its start, and what it tells."""

from __future__ import annotations

import argparse
import ipaddress

import pytest

from interpreter.cli.commands import studio


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    studio.add_arguments(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("http://table.test/", "such as table.test"),
        ("table.test:8371", "such as table.test"),
        ("https://[", "such as example.org"),
        ("", "such as example.org"),
    ],
)
def test_a_name_that_no_browser_sends_is_refused(name: str, way_out: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed("--name", name)
    assert way_out in capsys.readouterr().err


def test_names_are_taken_as_they_are() -> None:
    assert parsed("--name", "table.test", "--name", "attic").name == ["table.test", "attic"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_address_that_is_told_is_one_that_can_be_opened(host: str) -> None:
    assert not ipaddress.ip_address(studio.reached_at(host)).is_unspecified
    assert studio.reached_at("192.168.1.7") == "192.168.1.7"
