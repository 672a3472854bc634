r"""JSON for tools that a person may see too: what a terminal would obey, or would not show, is written as `\uXXXX`.

json_text({"file": name})
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from rulespec.source.characters import HIDDEN

#: Controls of seven bits JSON writes so anyway. All of it can stand only in texts.
_HIDDEN: Final = re.compile(f"[{HIDDEN}]")


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON, in the characters of its texts; it is read back as the same value."""
    return _HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], json.dumps(value, ensure_ascii=False, indent=indent))
