"""What a comparison is shown as: text for the terminal, JSON, HTML, SARIF, CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rulespec.texts.compare import Comparison
from rulespec.texts.findings import Finding
from rulespec.texts.reports.as_json import as_json
from rulespec.texts.reports.page import page
from rulespec.texts.reports.sarif import sarif
from rulespec.texts.reports.table import table
from rulespec.texts.reports.terminal import terminal

#: Each format with what writes it: the comparison, and the findings that are not accepted.
FORMATS: Final[dict[str, Callable[[Comparison, Sequence[Finding]], str]]] = {
    "text": terminal,
    "json": as_json,
    "html": page,
    "sarif": sarif,
    "csv": table,
}
