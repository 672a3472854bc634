"""The game's own rules about what is pointed at: a kind of sites with all that lies there, or an action.

A rule `binds` declarations; those that are about the thing are its rules, in the order of the content. What is told
follows from declarations alone, so that everybody may read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from interpreter.book.telling import Telling
from rulespec.lower.domains import site_text
from rulespec.overlay.paths import bound_by_rules
from rulespec.source.tree import Mapping

if TYPE_CHECKING:
    from interpreter.game import Game

#: So many rules are told at once.
MOST_RULES: Final = 20


class Rules:
    """The rules of one game in one language."""

    def __init__(self, game: Game, language: str):
        self._game = game
        self._telling = Telling(game, language)
        self._bound = {rule.text: [path.text for path in paths] for rule, paths in bound_by_rules(game.tree)}

    def about_site(self, site: str) -> list[str]:
        """The rules about a site, by the name that keys write; none where there is no such site."""
        found = self._site(site)
        if found is None:
            return []
        return self._texts(tuple(self._of_kind(found[0])), found[1])

    def about_action(self, action: str) -> list[str]:
        """The rules about an action or a choice, by its id."""
        return self._texts((f"actions.{action}", f"choices.{action}"), None)

    def _texts(self, prefixes: tuple[str, ...], member: str | None) -> list[str]:
        rules = (rule for rule, paths in self._bound.items() if any(is_in(p, prefixes, member) for p in paths))
        texts = (self._telling.rule(rule)[0] for rule in rules)
        return [text for text in texts if text][:MOST_RULES]

    def _site(self, site: str) -> tuple[str, str | None] | None:
        """The kind of a site, and its own name where it has one."""
        for name, domain in self._game.world.domains.items():
            if site in domain.members:
                return name, site
            if site == name or site.startswith(f"{name}["):
                known = (site_text(self._game.world, name, at) for at in range(domain.size))
                return (name, None) if site in known else None
        return None

    def _of_kind(self, kind: str) -> Iterator[str]:
        """The declarations of a kind of sites, and of what lies at them."""
        world = self._game.world
        yield from (f"boards.{group}.{kind}" for group, kinds in _boards(self._game) if kind in kinds)
        yield f"relations.{kind}"
        yield from (f"state.{var.key}" for var in world.states.values() if var.domain == kind)
        zones = [zone for zone in world.zones.values() if zone.domain == kind]
        for zone in zones:
            yield f"zones.{zone.key}"
            yield f"pieces.{zone.holds}"


def is_in(path: str, prefixes: tuple[str, ...], member: str | None) -> bool:
    """Whether a path leads to one of the declarations or into it; to one site of it only where that is the member."""
    for prefix in prefixes:
        rest = path.removeprefix(prefix)
        if path.startswith(prefix) and rest[:1] in ("", ".", "["):
            named = rest.removeprefix(".rows.").partition(".")[0] if rest.startswith(".rows.") else member
            return named == member
    return False


def _boards(game: Game) -> list[tuple[str, list[str]]]:
    """Each group of boards with its kinds of sites."""
    boards = game.tree.get("boards")
    pairs = boards.pairs if isinstance(boards, Mapping) else ()
    return [(group.text, [key.text for key, _ in kinds.pairs]) for group, kinds in pairs if isinstance(kinds, Mapping)]
