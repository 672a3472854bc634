"""The reference page of messages, made from the rules of their keys.

python -m rulespec.messages.reference
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rulespec.diagnostics.model import Problems
from rulespec.game_source import engine_trees
from rulespec.messages.engine import engine_messages, placeholders
from rulespec.messages.keys import RULES
from rulespec.source.nodes import Mapping, Scalar

PAGE: Final = "docs/reference/messages.md"

_HEAD: Final = """\
# Messages

Made from the rules of their keys (`rulespec/messages/keys.py`) by `python -m rulespec.messages.reference`.

Everything that a person reads is a message: a whole sentence or a name, by language, under a key that says where it is
shown.

```yaml
messages:
  settle.prompt: {en: "Settle on an island.", fr: "Colonisez une île.", ja: "島に移り住んでください。"}
  settle.log:
    select: island.worth
    en: {one: "{me} settles on {island}: 1 point.", other: "{me} settles on {island}: {island.worth} points."}
    fr: {one: "{me} colonise {island}\\u202f: 1 point.", other: "{me} colonise {island}\\u202f: {island.worth} points."}
    ja: {other: "{me}は{island}に移り住みました（{island.worth}点）。"}
```

- `{…}` holds an expression; braces that people should read are written twice. A value is shown by its own message: a
  site, a piece or a player by its name, a list by the names in it, none by `engine.none`. Pieces are shown as whoever
  reads sees them: by their backs where the front is hidden.
- Where a text depends on a number there is one for each plural form of the language, or for an exact number (`0:`); the
  forms are those of [CLDR](https://cldr.unicode.org/index/cldr-spec/plural-rules). `select` says which number chooses;
  without it the only number that the text shows. Every language has `other`.
- The same placeholders stand in every language. A text stands in every language of `game.languages`, or else of the
  game's title. What a language lacks is shown in English.
- A language is added by files anywhere in the content; `rulespec new language CODE --from GAME` begins them.

## Keys of a game

| key | what it says | placeholders see | must be there | for example |
| --- | --- | --- | --- | --- |
"""

_ENGINE: Final = """
## The engine's own words

Menus, answers, results and log lines of things that no game describes itself. A game can say any of them otherwise,
under the same key. Placeholders are bare names.

| key | placeholders | in English |
| --- | --- | --- |
"""


def messages_page() -> str:
    """The page, as Markdown."""
    rows = [_row(rule.form_text, rule.means, rule.sees, rule.needed, f"`{rule.example}`") for rule in RULES]
    return _HEAD + "".join(rows) + _ENGINE + "".join(_engine_rows())


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def _engine_rows() -> Iterable[str]:
    for key, message in engine_messages(engine_trees(Problems())).items():
        names = ", ".join(f"`{name}`" for name in sorted(placeholders(message)))
        yield _row(f"`{key}`", names, _english(message).replace("|", "\\|"))


def _english(message: Mapping) -> str:
    """The English text; of plural forms the one for all other numbers."""
    node = message.get("en")
    found = node.get("other") if isinstance(node, Mapping) else node
    return found.text if isinstance(found, Scalar) else ""


def main() -> None:
    """Bring the page of this project up to date."""
    path = Path(__file__).resolve().parents[2] / PAGE
    path.write_text(messages_page(), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
