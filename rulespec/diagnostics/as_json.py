r"""JSON for tools that a person may see too: what a terminal would obey, or would not show, is written as `\uXXXX`.

json_text({"file": name})
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

#: Controls of eight bits, marks that are not seen or turn the direction of writing, and halves of characters. Those of
#: seven bits JSON writes so anyway. All of it can stand only in texts.
_HIDDEN: Final = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


def json_text(value: Any, indent: int | None = None) -> str:
    """A value as JSON, in the characters of its texts; it is read back as the same value."""
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False, indent=indent))
