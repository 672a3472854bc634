"""A small rulebook in three languages, in words of no game, and the glossary that goes with it."""

from __future__ import annotations

from rulespec.diagnostics.model import Problems
from rulespec.source.nodes import read_yaml
from rulespec.source.text import SourceFile
from rulespec.texts.compare import Comparison, compare
from rulespec.texts.declared import Rule
from rulespec.texts.glossary import Glossary
from rulespec.texts.readers import document_of_text

TERMS = """
terms:
  coin:
    en: {one: coin, other: coins, also: [gold coin], avoid: [dubloon]}
    fr: {one: pièce, other: pièces}
    ja: {other: コイン}
  cloth:
    en: {one: cloth, other: cloths}
    fr: {one: tissu, other: tissus}
    ja: {other: 布, also: [布地]}
  bridge:
    en: {one: bridge, other: bridges}
    fr: {one: pont, other: ponts}
    ja: {other: 橋}
  road:
    en: {one: road, other: roads}
    fr: {one: route, other: routes, also: [{text: Voie, case: exact, not_before: ferrée}]}
    ja: {other: 道}
  stone_road:
    parent: road
    en: {one: stone road, other: stone roads}
    fr: {one: route pavée, other: routes pavées}
    ja: {other: 石の道}
  market:
    en: {one: market, other: markets}
    fr: {one: marché, other: marchés}
    ja: {other: 市場, also: [マーケット・タイル]}
  tower:
    en: {one: tower, other: towers}
    fr: {one: tour de guet, other: tours de guet}
    ja: {other: 塔}
"""

BOOKS = {
    "en": """# GAME SETUP

Shuffle the market tiles and place 4 of them face up.

- Each player takes 5 coins from the box.
- Place the towers on the left side of the board.
- Put one bridge on each road **A**.

# TAKING A TURN

You may build a bridge on an empty road. You must pay 2 coins to the box.

If you cannot pay, you do not build anything. The tower on the leftmost space blocks the road.

Gain 3 cloths for each market that is adjacent to your bridge.

# END OF THE GAME

The game ends when the last tower is built. All players count their cloths.
""",
    "fr": """# MISE EN PLACE

Mélangez les tuiles Marché et placez-en 4 face visible.

- Chaque joueur prend 5 pièces dans la boîte.
- Placez les tours de guet à gauche du plateau.
- Posez un pont sur chaque route **A**.

# TOUR DE JEU

Vous pouvez construire un pont sur une route vide. Vous devez payer 2 pièces à la boîte.

Si vous ne pouvez pas payer, vous ne construisez rien. La tour de guet de la case la plus à gauche bloque la route.

Gagnez 3 tissus pour chaque marché adjacent à votre pont.

# FIN DE LA PARTIE

La partie se termine quand la dernière tour de guet est construite. Tous les joueurs comptent leurs tissus.
""",
    "ja": """# ゲームの準備

市場タイルを混ぜ、4枚を表向きに置きます。

- 各プレイヤーは箱からコインを5枚取ります。
- 塔をボードの左側に置きます。
- それぞれの道に橋を1つ置きます **A**。

# 手番

空いている道に橋を建設することができます。箱に2コインを支払わなければなりません。

支払うことができない場合は、何も建設しません。左端のスペースの塔は道をふさぎます。

あなたの橋に隣接する市場ごとに布を3枚獲得します。

# ゲームの終了

最後の塔が建設されるとゲームが終了します。すべてのプレイヤーは布を数えます。
""",
}


def glossary(text: str = TERMS) -> Glossary:
    """The terms of a text."""
    tree = read_yaml(SourceFile.of("terms.yaml", text), Problems())
    assert tree is not None
    return Glossary.of(tree)


def compared(books: dict[str, str] | None = None, rules: tuple[Rule, ...] = ()) -> Comparison:
    """The comparison of the books, or of others."""
    texts = BOOKS if books is None else books
    return compare([document_of_text(text, language) for language, text in texts.items()], glossary(), rules)


def changed(language: str, was: str, now: str) -> dict[str, str]:
    """The books with one change in one of them."""
    assert BOOKS[language].count(was) == 1, was
    return {**BOOKS, language: BOOKS[language].replace(was, now)}
