"""What an editor asks of deep and wide content, by the functions of `rulespec.service`.

served({"game.yaml": text}, timed)      # `timed(part, run)` runs each question
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from rulespec.service.completion import complete
from rulespec.service.folding import folds, selections
from rulespec.service.highlights import highlights
from rulespec.service.inlays import inlays
from rulespec.service.lenses import lenses
from rulespec.service.links import links
from rulespec.service.looking import definition, hover, references
from rulespec.service.outline import outline
from rulespec.service.problems import problems_of, quick_problems, snapshot_of
from rulespec.service.signatures import signature
from rulespec.service.symbols_of_file import document_symbols, workspace_symbols
from rulespec.service.tokens import tokens
from rulespec.service.workspace import Workspace

SHOWN = 2_000  #: characters of a window, for which an editor asks what is in sight

Timed = Callable[[str, Callable[[], Any]], Any]
Asked = Callable[[Workspace, str, int], Any]


def _all(asked: Callable[..., Iterable[Any]], *given: Any) -> list[Any]:
    return list(asked(*given))


#: What is asked at a place.
AT_PLACES: dict[str, Asked] = {
    "completion": complete,
    "hover": hover,
    "definition": definition,
    "references": references,
    "highlights": highlights,
    "signature": signature,
    "selections": selections,
}


def served(files: dict[str, str], timed: Timed) -> None:
    """Asks everything of each file: once of the whole, and at its middle and its end of places."""
    space = Workspace()
    space.hold("deep")  # also where no file says so, as these may not
    for name, text in files.items():
        timed("put", partial(space.put, f"deep/{name}", text))
    for name, text in files.items():
        path = f"deep/{name}"
        timed("outline", partial(outline, text))
        timed("quick problems", partial(quick_problems, path, text))
        timed("folds", partial(folds, text))
        timed("symbols", partial(document_symbols, space, path))
        timed("links", partial(_all, links, space, path))
        timed("lenses", partial(_all, lenses, space, path))
        middle = len(text) // 2
        timed("tokens", partial(_all, tokens, space, path, middle, middle + SHOWN))
        timed("inlays", partial(_all, inlays, space, path, middle, middle + SHOWN))
        for part, asked in AT_PLACES.items():
            for place in (middle, len(text.rstrip())):
                timed(part, partial(asked, space, path, place))
    timed("all symbols", partial(_all, workspace_symbols, space, "a"))
    game = space.game_of(next(f"deep/{name}" for name in files))
    if game is not None:
        timed("problems", partial(problems_of, snapshot_of(game)))
