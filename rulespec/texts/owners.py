"""Who acts and who gains: what a rule's text, the sentences of rulebooks and the declarations say of it.

Roles are concepts of the languages' words: each player, another player, the next one, the active one, the owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rulespec.texts.signature import Count, Signature

#: Roles that a text names, of which one sentence has one where another has another.
ROLES: Final = ("each_player", "other_player", "next_player", "active_player")
OWNER: Final = "owner"
ACTIVE: Final = "active_player"
#: What else tells that somebody acts whose turn it is not.
_ELSEWHERE: Final = (OWNER, "other_player", "any_player", "each_player")


def exchanged(rule: Signature, book: Sequence[Signature]) -> tuple[str, str] | None:
    """The role that a rule's text names, and the one that stands in its place in a rulebook's sentences."""
    own = {role: rule.counts.get(role, (0, 0)) for role in ROLES}
    there = _counts(book, ROLES)
    lost = [role for role in ROLES if own[role][0] and not there[role][1]]
    gained = [role for role in ROLES if there[role][0] and not own[role][1]]
    return (lost[0], gained[0]) if len(lost) == len(gained) == 1 else None


def misplaced(
    acting: frozenset[str], rule: Mapping[str, Signature], book: Mapping[str, Sequence[Signature]]
) -> tuple[str, str] | None:
    """Who acts by the declarations, and who does by what a rule's text and all rulebooks say: where these differ.

    `acting` are the roles that the bound declarations give; where it is empty nothing is known.
    """
    if not acting:
        return None
    texts = [[said] for language, said in rule.items() if language in book]
    every = [*texts, *book.values()]
    owned = all(_counts(said, (OWNER,))[OWNER][0] for said in texts)
    if OWNER not in acting and owned and all(_is_of_the_owner(said) for said in every):
        return ACTIVE, OWNER
    if acting == {OWNER} and all(_is_of_the_turn(said) for said in every):
        return OWNER, ACTIVE
    return None


def _is_of_the_owner(said: Sequence[Signature]) -> bool:
    """Whether sentences speak of the owner, or to the reader as the owner, and not of the player whose turn it is."""
    counts = _counts(said, (OWNER, "your", ACTIVE))
    return counts[OWNER][0] > 0 or (counts["your"][0] > 0 and not counts[ACTIVE][0])


def _is_of_the_turn(said: Sequence[Signature]) -> bool:
    """Whether sentences name the player whose turn it is, and nobody else."""
    counts = _counts(said, (ACTIVE, *_ELSEWHERE))
    return counts[ACTIVE][0] > 0 and not any(counts[role][0] for role in _ELSEWHERE)


def _counts(said: Iterable[Signature], roles: Sequence[str]) -> dict[str, Count]:
    found = dict.fromkeys(roles, (0, 0))
    for one in said:
        for role in roles:
            least, most = one.counts.get(role, (0, 0))
            found[role] = (found[role][0] + least, found[role][1] + most)
    return found
