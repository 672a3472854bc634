"""What a game's figures stand in for: those that no source gives, by the names of their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespec.overlay.sources import sources
from rulespec.source.nodes import Mapping

if TYPE_CHECKING:
    from interpreter.texts.names import Words

#: What says no figure of play itself: it is about figures.
_ABOUT = frozenset({"rules", "checks", "always", "scenarios", "book", "rulebooks", "messages", "terms", "variant"})


def reconstructed(tree: Mapping, words: Words) -> str:
    """One sentence that names what is reconstructed in a game; empty where nothing is.

    A thing is said by its word in the language. Ids are said in the first language of the game's title alone, whose
    writers chose them; elsewhere things without words are counted.
    """
    played = Mapping(tree.span, tuple(pair for pair in tree.pairs if pair[0].text not in _ABOUT))
    paths = [each.path.split(".") for each in sources(played) if each.grade == "reconstructed"]
    named = [_name(path, words, with_ids=_is_first(tree, words)) for path in paths]
    if not named:
        return ""
    things = list(dict.fromkeys(name for name in named if name))
    if more := named.count(""):
        things.append(words.word("engine.reconstructed.others" if things else "engine.reconstructed.all", n=more))
    return words.word("engine.reconstructed", things=" · ".join(things))


def _is_first(tree: Mapping, words: Words) -> bool:
    game = tree.get("game")
    title = game.get("title") if isinstance(game, Mapping) else None
    return not isinstance(title, Mapping) or next(iter(title.keys()), None) == words.language


def _name(path: list[str], words: Words, *, with_ids: bool) -> str:
    """Of `boards.GROUP.KIND.attributes.COST` that kind and attribute, of `values.NAME` that name; what has no word is
    left out, all of it where nothing has one.
    """
    if path[0] in ("tracks", "state") and (said := words.message(f"state.{'.'.join(path[1:3])}", {})):
        return said
    own = [part for part in path[2 if path[0] == "boards" else 1 :] if part not in ("attributes", "values", "rows")]
    said_parts = [words.message(part, {}) or (part.replace("_", " ") if with_ids else "") for part in own[:2]]
    found = [part for part in said_parts if part]
    return words.word("engine.part", whole=found[0], part=found[1]) if len(found) == 2 else "".join(found)
