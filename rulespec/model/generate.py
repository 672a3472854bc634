"""Writes what is made from the registry and the catalogue: schemas, completion data, and the pages of reference.

    python -m rulespec.model.generate

The results are kept with the source, so that editors find them; a test fails when they are not up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rulespec.diagnostics.pages import diagnostics_page
from rulespec.model.colours import expression_grammar
from rulespec.model.reference import language_data, language_page
from rulespec.model.schema import content_schema
from rulespec.program.page import operations_page


def generated() -> dict[str, str]:
    """The text of each file that is made from the registry, by its path in the project."""
    return {
        "schemas/content.schema.json": _json(content_schema()),
        "schemas/language.json": _json(language_data()),
        "docs/reference/language.md": language_page(),
        "docs/diagnostics.md": diagnostics_page(),
        "docs/reference/operations.md": operations_page(),
        "editors/vscode/syntaxes/expressions.tmLanguage.json": _json(expression_grammar()),
    }


def write(project: Path) -> list[Path]:
    """Write every such file into a project's folder; gives their paths."""
    written = []
    for name, text in generated().items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Bring the files of this project up to date."""
    project = Path(__file__).resolve().parents[2]
    for path in write(project):
        print(path.relative_to(project))


if __name__ == "__main__":
    main()
