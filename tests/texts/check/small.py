"""A small game with rules in three languages, and what `texts check` says of it once its texts are changed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import GameSource, read_game
from rulespec.texts.check.everything import check_texts
from tests.language.diagnostics.fragments import FLOW, GAME

RULES = """\
values:
  hand_size: 5
  rounds: 3
enums:
  level:
    attributes: {cost: 1..9}
    values: {low: {cost: 2}, high: {cost: 7}}
terms:
  card: {en: {one: card, other: cards}, fr: {one: carte, other: cartes}, ja: カード}
  money: {en: money, fr: monnaie, ja: お金}
  coin: {parent: money, en: {one: coin, other: coins}, fr: {one: pièce, other: pièces}, ja: コイン}
  token: {parent: money, en: {one: token, other: tokens}, fr: {one: jeton, other: jetons}, ja: トークン}
rules:
  hands:
    text:
      en: Each player holds {hand_size} cards.
      fr: Chaque joueur a {hand_size} cartes.
      ja: 各プレイヤーはカードを{hand_size}枚持ちます。
    binds: [values.hand_size]
  rounds:
    text:
      en: The game lasts {rounds} rounds.
      fr: La partie dure {rounds} manches.
      ja: ゲームは{rounds}ラウンド続きます。
    binds: [values.rounds]
  levels:
    text:
      en: The low level costs {level.low.cost} coins and a player may leave it out.
      fr: Le niveau bas coûte {level.low.cost} pièces et un joueur peut s'en passer.
      ja: 低い階層は{level.low.cost}コインで、プレイヤーは省いてもかまいません。
    binds: [enums.level]
  order:
    text:
      en: The cards are not shown.
      fr: Les cartes ne sont pas montrées.
      ja: カードは見せません。
    binds: [flow]
"""


def game(folder: Path, *changes: tuple[str, str], lock: str | None = None) -> GameSource:
    """The game in a folder, with pieces of text replaced, each of which stands there once."""
    folder.mkdir(exist_ok=True)
    text = GAME + FLOW + RULES
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    if lock is not None:
        (folder / "texts.lock").write_text(lock, encoding="utf-8")
    problems = Problems()
    source = read_game(str(folder), problems)
    assert problems.items == ()
    assert source is not None
    return source


def problems_of(source: GameSource) -> tuple[Problem, ...]:
    """Everything that `texts check` says."""
    problems = Problems()
    check_texts(source, problems)
    return problems.items


def told(source: GameSource) -> Counter[str]:
    """The codes, and how often each is told."""
    return Counter(problem.code for problem in problems_of(source))
