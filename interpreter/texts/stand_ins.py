"""What a game's figures stand in for: those that no source gives, by the names of their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespec.overlay.sources import sources

if TYPE_CHECKING:
    from interpreter.texts.names import Words
    from rulespec.source.nodes import Mapping

#: What says no figure of play itself: it is about figures.
_ABOUT = frozenset({"rules", "checks", "always", "scenarios", "book", "rulebooks", "messages", "terms", "variant"})


def reconstructed(tree: Mapping, words: Words) -> str:
    """One sentence that names what is reconstructed in a game; empty where nothing is.

    A kind is said by its word in the language, anything else by its id.
    """
    paths = [each.path.split(".") for each in sources(tree) if each.grade == "reconstructed"]
    names = [_name(path, words) for path in paths if path[0] not in _ABOUT]
    if not names:
        return ""
    return words.word("engine.reconstructed", things=" · ".join(dict.fromkeys(names)))


def _name(path: list[str], words: Words) -> str:
    """Of `boards.GROUP.KIND.attributes.COST` that kind and attribute, of `values.NAME` that name."""
    if path[0] in ("tracks", "state") and (said := words.message(f"state.{'.'.join(path[1:3])}", {})):
        return said
    own = [part for part in path[2 if path[0] == "boards" else 1 :] if part not in ("attributes", "values", "rows")]
    return ": ".join(words.message(part, {}) or part.replace("_", " ") for part in own[:2])
