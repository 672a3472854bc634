"""Rules that say figures which variants change, with what was found before where nothing of it has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import GameSource
from rulespec.kept.digests import Digests
from rulespec.kept.memo import Memo
from rulespec.kept.problems import as_data
from rulespec.overlay.variant import Variant
from rulespec.source.store import digest
from rulespec.source.tree import Mapping

#: The one problem found before that is looked at: a variant is warned already.
_LOOKED_AT = "RS430"


def check_outdated_kept(
    source: GameSource,
    tree_of: Callable[[Variant], Mapping | None],
    problems: Problems,
    memo: Memo,
    digests: Digests,
) -> None:
    """As `check_outdated` for all texts of a game, whose `problems` so far have no errors."""
    warned = [problem for problem in problems.items if problem.code == _LOOKED_AT]
    key = None if digests.has_twins else digest("outdated", digests.figures, str(as_data(warned)))
    kept = None if key is None else memo.get(key)
    told = None if kept is None else _told_again(kept["problems"], digests)
    if kept is not None and told is not None:
        for name in kept["figures"]:
            memo.get(name)  # it is needed as long as this is
        problems.extend(told)
        return
    from rulespec.kept.figures import KeptFigures  # here, since what is kept needs nothing that reads texts
    from rulespec.texts.check.entries import texts_of
    from rulespec.texts.check.outdated import check_outdated
    from rulespec.texts.check.reports import Reports

    found, figures = Problems(warned), KeptFigures(source, memo, digests)
    check_outdated(texts_of(source), figures, tree_of, Reports(found))
    found.drop(_LOOKED_AT)
    if key is not None and all(map(digests.knows, found.items)):
        memo.put(key, {"problems": digests.wordings.as_data(found.items), "figures": figures.names})
    problems.extend(found)


def _told_again(data: list[Any], digests: Digests) -> list[Problem] | None:
    """What was found before; None where a text that it is about is not as it was."""
    try:
        return digests.wordings.problems(data)
    except LookupError:
        return None
