"""What holds for all tests: none fails because the machine is busy, and how far they are is told from the beginning."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Whoever runs the tests may have language packs of their own: they are no part of what is tested.
os.environ.pop("RULESPEC_CONTENT", None)
os.environ["XDG_DATA_HOME"] = str(Path(tempfile.gettempdir()) / "rulespec-tests-have-no-content")

# How long an example takes, and how long it takes to be made, depends on what else runs.
# What fails for one must fail for all, so the cases are the same each time. Others: `--hypothesis-profile=moving`; and
# `bench.games` and `bench.differential` have seeds that move on.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("rulespec", _PATIENT, derandomize=True)
settings.register_profile("moving", _PATIENT)
settings.load_profile("rulespec")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: Sequence[Any]) -> None:
    """Nothing else is shown while the processes collect the tests."""
    _tell(config, f"{len(specs)} processes collect the tests, for about ten seconds.")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: Sequence[str]) -> None:
    """As above."""
    _tell(node.config, f"{node.gateway.id} has collected {len(ids)} tests.")


def _tell(config: pytest.Config, line: str) -> None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(line)
