"""The lens of a game with which one chooses for which players, options and variants values are told.

add_choosing(server)   # before it serves
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from interpreter.lsp.server import Server
from rulespec.service.chosen import chosen_of, offered, words_of
from rulespec.service.positions import path_of

CHOOSE_SHOWN = "rulespec.chooseShown"


def add_choosing(server: Server) -> None:
    """Has a server let the author choose."""

    @server.command(CHOOSE_SHOWN)
    async def choose(ls: Server, *sent: Any) -> dict[str, str] | None:
        given = sent[0] if sent and isinstance(sent[0], dict) else {}
        game = ls.space.game_of(path_of(str(given.get("uri", ""))) or "")
        if game is None:
            return None
        known = dict(offered(game))
        actions = [lsp.MessageActionItem(words) for words in known]
        about = f"Values are told for {words_of(game, chosen_of(game))}. For what instead?"
        asked = lsp.ShowMessageRequestParams(lsp.MessageType.Info, about, actions)
        chosen = await ls.window_show_message_request_async(asked)
        if chosen is not None and chosen.title in known:
            ls.space.chosen[game.home] = known[chosen.title]
            _show_anew(ls)
        return {"chosen": words_of(game, chosen_of(game))}


def _show_anew(ls: Server) -> None:
    about = ls.client_capabilities.workspace
    if about is not None and about.code_lens is not None and about.code_lens.refresh_support:
        ls.workspace_code_lens_refresh(None)
