"""JSON that can be sent, whatever stands in it: answers quote what clients have asked for."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse

from rulespec.source.text import readable


def as_json(data: Any) -> str:
    """The text of data. Halves of characters, which JSON may name and UTF-8 has not, have a mark."""
    return readable(json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


class Answer(JSONResponse):
    """Data as the answer to a request."""

    def render(self, content: Any) -> bytes:
        """Its bytes."""
        return as_json(content).encode("utf-8")
