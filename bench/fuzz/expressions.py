"""Random expressions and steps: of a type that the rich game can use, or of any form that the grammar allows.

words = Words(Random(1))
words.expression("integer", {"cell": "cell"})     # such as `cell.col + count(x1 in cell where x1.rim)`
words.steps({"cell": "cell"}, depth=2)            # lines of YAML
words.anything()                                  # whatever `expr.lark` derives
"""

from __future__ import annotations

import re
from functools import cache
from random import Random

from lark import Lark
from lark.grammar import Rule

from rulespec.expr.parse import grammar_text

#: For each type: texts with holes `<type>` and new names `$name:type`, which the holes behind them may read.
FORMS: dict[str, list[str]] = {
    "integer": [
        "0", "1", "2", "3", "7", "round", "player_count", "bridge_cost", "1000000", "2147483647",
        "<integer> + <integer>", "<integer> - <integer>", "(<integer>) * (<integer>)", "(<integer>) // (<integer>)",
        "(<integer>) % (<integer>)", "-(<integer>)", "abs(<integer>)", "min(<integer>, <integer>)",
        "max(<integer>, <integer>)", "count($x:cell in <cells> where <boolean>)", "(<cells>).count",
        "sum(<integer> for $x:cell in <cells>)", "sum(<integer> for $x:cell in <cells> where <boolean>)",
        "(min(<integer> for $x:cell in <cells> where <boolean>) otherwise <integer>)", "(<cell>).col", "(<cell>).row",
        "(max(<integer> for $p:player in <players> where <boolean>) otherwise 0)", "(<cell>).price", "(<cell>).heat",
        "(<player>).coins", "(<player>).score", "(<zone>).count", "(<card>).worth", "bridges_of(<player>)",
        "if <boolean> then <integer> else <integer>", "(<players>).count", "count($c:card in <zone> where <boolean>)",
        "bridge_points[min(6, max(0, <integer>))]", "bridge_points[<integer>]", "(<player>).index", "figure",
        "cell[<integer>, <integer>].price otherwise 0", "sum(<integer> for $c:card in <zone>)",
        "high.worth_of(<player>)", "sum(k for k in 0..(<integer>))",
        "count(k in 1..(<integer>) where k > <integer>)", "<level>.worth_of(me)",
    ],
    "boolean": [
        "true", "false", "<boolean> and <boolean>", "(<boolean>) or (<boolean>)", "not (<boolean>)",
        "<integer> < <integer>", "<integer> >= <integer>", "<integer> == <integer>", "(<cell>).rim",
        "exists <cell?>", "(<cell>) in (<cells>)", "(<cell>) not in (<cells>)",
        "any($x:cell in <cells> where <boolean>)", "all(<boolean> for $x:cell in <cells>)", "(<zone>).empty",
        "(<player>) == (<player>)", "<ground> == <ground>",
        "<ground> in [<ground>, <ground>]", "exists (<cell>).token", "is_good(<cell>, <integer>)", "(<cells>).empty",
        "all(<boolean> for $p:player in player)", "(<cell>) == (<cell>)", "<cell?> == none", "option.open_hands",
        "any($l:line in line where all(<boolean> for $x:cell in l.cells))", "winners.empty", "game_over",
        "(<cell>).token.owner == <player>", "any($c:card in <zone> where <boolean>)", "<integer> in 0..(<integer>)",
        "(<cell?>) in (<cells>)", "(<cell>).token in [(<cell>).token, (<cell>).token]", "(<cells>) == (<cells>)",
        "(<card>) in (<zone>)", "(<zone>).any in [<card>, <card>]", "none in [(<cell>).token, none]",
        "list(k for k in 0..(<integer>)) == 0..(<integer>)", "(<players>) == (<players>)", "exists (<cell?>).token",
    ],
    "cell": ["cell[0, 0]", "cell[2, 3]", "(<cell?>) otherwise cell[0, 0]", "<cell>.behind otherwise cell[3, 3]"],
    "cell?": [
        "first($x:cell in <cells> where <boolean>)", "cell[<integer>, <integer>]", "(<cells>).first", "(<cells>).last",
        "(<cell>).behind", "none", "<cell>", "(<cell?>).behind", "((<cell?>).beside).first",
    ],
    "cells": [
        "cell", "(<cell>).beside", "list(<cell> for $x:cell in <cells>)", "set(<cell> for $x:cell in <cells>)",
        "reach($x:cell from <cell> via x.beside cost <integer> within <integer>)", "[<cell>, <cell>]",
        "walk($x:cell from <cell> step <cell?>)", "most($x:cell in <cells> by <integer>)",
        "least($x:cell in <cells> by <integer>)", "sort($x:cell in <cells> by <integer>)",
        "longest($x:cell in <cells> where <boolean>)", "stretch($x:cell in <cells> where <boolean> around <cell>)",
        "(<cells>) + (<cells>)", "(<cells>) - (<cell>)", "list(<cell> for $x:cell in <cells> where <boolean>)",
    ],
    "player": ["me", "active", "first_player", "red", "me.left", "(<player>).right"],
    "players": ["player", "clockwise(<player>)", "most($p:player in player by <integer>)", "[<player>]", "winners"],
    "card": ["card(meadow, 1)", "card(hill, 3)"],
    "zone": ["deck", "display", "discard", "me.hand", "(<player>).hand", "box.card"],
    "ground": [
        "water", "meadow", "hill", "(<cell>).ground", "(<card>).ground", "if <boolean> then water else <ground>",
    ],
    "level": ["low", "high"],
    "effect": [
        "coins(1)", "coins(<integer>)", "climb_up(2)", "surprise", "settle", "settle without bridge_cost", "nothing",
        "[coins(1), <effect>]", "if <boolean> then <effect> else coins(1)", "(<level>).gives", "rest", "play_card",
    ],
    "option": ["option.speed"],
}  # fmt: skip

#: Steps: lines of YAML, with the same holes; `{steps}` stands for steps inside, by two columns further in.
STEPS: list[str] = [
    "- gain: {coins: <integer>}",
    "- pay: {coins: <integer>}\n  rule: some_cost",
    "- score: <integer>\n  reason: bridges",
    "- score: <integer>\n  for: <player>\n  reason: bridges",
    "- set: round\n  to: <integer>",
    "- set: me.coins\n  to: <integer>",
    "- set: (<cell>).heat\n  to: <integer>",
    "- set: cell[0, 0].gift\n  to: <effect>",
    "- set: first_player\n  to: <player>",
    "- advance: me.climb\n  by: <integer>",
    "- draw: <integer>\n  from: <zone>\n  to: me.hand",
    "- draw: 1\n  from: deck\n  to: <zone>",
    "- refill: display\n  from: deck",
    "- shuffle: deck",
    "- flip: (<cell>).token\n  face: asleep",
    "- move: take(<integer>, <zone>)\n  to: <zone>",
    "- move: <zone>\n  to: <zone>",
    "- move: deck.top\n  to: <zone>",
    "- move: me.stock.any\n  to: (<cell>).token",
    "- choose: $x:cell\n  where: <boolean>\n- set: cell[0, 0].heat\n  to: <integer>",
    "- choose: $x:cell\n  from: <cells>\n  where: <boolean>\n  else:\n    {steps}\n  then:\n    {steps}",
    "- choose: $p:player\n  from: <players>\n  who: chance",
    "- choose: $p:player\n  from: player\n  who: <player>",
    "- choose: $c:card\n  from: <zone>\n- move: $c\n  to: discard",
    "- choose: $x:cells\n  up_to: <integer>\n  each:\n    a_site: {from: cell}",
    "- choose: {a_one: {from: cell}, a_two: {from: cell}, a_three: {from: cell}}",
    "- choose: {a_one: {from: me.hand}, a_two: {from: 0..9999}}",
    "- for_each: $x:cell\n  in: <cells>\n  do:\n    {steps}",
    "- for_each: $x:cell\n  in: <cells>\n  where: <boolean>\n  order: chosen\n  optional: true\n  do:\n    {steps}",
    "- for_each: $c:card\n  in: me.hand\n  order: chosen\n  alike: <integer>\n  up_to: <integer>\n  do:\n    {steps}",
    "- for_each: $p:player\n  in: <players>\n  do:\n    {steps}",
    "- for_each: $k:integer\n  in: 0..<integer>\n  do:\n    {steps}",
    "- repeat:\n    {steps}\n  times: <integer>",
    "- repeat:\n    {steps}\n  until: <boolean>",
    "- repeat:\n    {steps}\n  while: <boolean>",
    "- if: <boolean>\n  then:\n    {steps}\n  else:\n    {steps}",
    "- let: $n:integer\n  be: <integer>\n- score: <integer>\n  reason: bridges",
    "- let: $x:cell\n  be: <cell>",
    "- let: $x:cells\n  be: <cells>",
    "- require: <boolean>\n  rule: some_rule",
    "- perform: <effect>",
    "- may:\n    {steps}\n  else:\n    {steps}",
    "- try:\n    {steps}\n  else:\n    {steps}",
    "- together:\n    {steps}",
    "- as: <player>\n  do:\n    {steps}",
    "- turns: <players>\n  do:\n    {steps}",
    "- turns: player\n  at_once: true\n  do:\n    - choose: $x:cell\n    - score: 1\n      reason: bridges",
    "- emit: settled(<cell>)",
    "- finish: game",
]

_HOLE = re.compile(r"<([a-z]+\??)>|\$([a-z]+):([a-z]+)|\$([a-z]+)\b")
_GUESSES = {"p": "player", "c": "cell", "n": "integer", "other": "cell", "site": "cell", "option": "option"}


class Words:
    """A source of random expressions."""

    def __init__(self, random: Random):
        self.random = random
        self._names = 0

    # ---- of a type ----

    def expression(self, of: str, scope: dict[str, str] | None = None, depth: int = 3) -> str:
        """An expression that is mostly of a type of the rich game; `scope` gives the names at hand with their types."""
        scope = scope or {}
        at_hand = [name for name, t in scope.items() if t == of]
        if at_hand and self.random.random() < 0.4:
            return self.random.choice(at_hand)
        forms = FORMS.get(of, FORMS["integer"])
        if depth <= 0:
            forms = at_hand or [form for form in forms if "<" not in form.replace("<=", "").replace(" < ", "")] or forms
        return self._filled(self.random.choice(forms), dict(scope), depth)

    def _filled(self, form: str, scope: dict[str, str], depth: int) -> str:
        """A form with its holes filled. All new names are known first: a fold names its member at its end."""
        made: dict[str, str] = {}
        for match in _HOLE.finditer(form):
            if match[2]:
                self._names += 1
                made[match[2]] = f"{match[2]}{self._names}"
                scope[made[match[2]]] = match[3]

        def fill(match: re.Match[str]) -> str:
            if match[1]:
                return self.expression(match[1], scope, depth - 1)
            return made[match[2] or match[4]]

        text = _HOLE.sub(fill, form)
        for name, new in made.items():
            text = re.sub(rf"(?<![\w.]){name}(?=\.)", new, text)
        return text

    # ---- steps ----

    def steps(self, scope: dict[str, str], depth: int = 2) -> list[str]:
        """Lines of YAML: some steps, one below the other."""
        lines: list[str] = []
        scope = dict(scope)
        for _ in range(self.random.randint(1, 3)):
            lines += self._step(scope, depth)
        return lines

    def _step(self, scope: dict[str, str], depth: int) -> list[str]:
        forms = STEPS if depth > 0 else [form for form in STEPS if "{steps}" not in form]
        text = self._filled(self.random.choice(forms), scope, self.random.randint(0, 3))
        lines: list[str] = []
        for line in text.split("\n"):
            if line.strip() != "{steps}":
                lines.append(line)
                continue
            inside = line[: len(line) - len(line.lstrip())]
            lines += [inside + each for each in self.steps(scope, depth - 1)]
        return lines

    # ---- of the grammar ----

    def anything(self, start: str = "expr", depth: int = 6) -> str:
        """A text that the grammar derives from `start`, whatever its type."""
        return " ".join(self._derived(start, depth))

    def _derived(self, symbol: str, depth: int) -> list[str]:
        rules, costs = _grammar()
        if symbol not in rules:
            return [self._token(symbol)]
        choices = rules[symbol]
        if depth <= 0:
            least = min(max((costs[s] for s in c), default=0) for c in choices)
            choices = [c for c in choices if max((costs[s] for s in c), default=0) == least]
        plain: list[tuple[str, ...]] = [c for c in choices if len(c) == 1]
        if plain and self.random.random() < 0.6:  # most levels of precedence are passed by
            choices = plain
        chosen = self.random.choice(choices)
        if len(chosen) == 1 and chosen[0] in rules:  # a chain of precedences is no depth
            return self._derived(chosen[0], depth)
        return [word for part in chosen for word in self._derived(part, depth - 1)]

    def _token(self, name: str) -> str:
        if name in ("NAME", "MEMBER"):
            return self.random.choice([n for n in _NAMES if name == "MEMBER" or n not in _WORDS])
        if name == "INT":
            return self.random.choice(["0", "1", "2", "3", "12", "99999", "2147483647", "99999999999999999999"])
        return self.random.choice(_tokens().get(name, [name.lower()]))


_NAMES = (
    "me active player cell card token ground level deck display discard hand stock coins round heat col row rim price "
    "behind beside lines cells north south red green water hill count empty first last top any index left right score "
    "owner bridges_of is_good settle coins climb climb_up surprise box take abs clockwise winners game_over option "
    "open_hands player_count nothing chance high low gives worth worth_of nosuch x"
).split()


#: words of the language, which are names only after a dot
_WORDS = ("count", "first", "any")


@cache
def _lark() -> Lark:
    return Lark(grammar_text(), parser="lalr", start=["expr", "type"], keep_all_tokens=True, maybe_placeholders=False)


@cache
def _grammar() -> tuple[dict[str, list[tuple[str, ...]]], dict[str, int]]:
    """The productions of each symbol, and how deep the shallowest tree below each is."""
    rules: dict[str, list[tuple[str, ...]]] = {}
    rule: Rule
    for rule in _lark().rules:
        rules.setdefault(str(rule.origin.name), []).append(tuple(s.name for s in rule.expansion))
    symbols = {s for choices in rules.values() for c in choices for s in c}
    costs = {s: 0 for s in symbols if s not in rules} | dict.fromkeys(rules, 10**6)
    for _ in range(len(rules)):
        for name, choices in rules.items():
            costs[name] = 1 + min(max((costs[s] for s in c), default=0) for c in choices)
    return rules, costs


@cache
def _tokens() -> dict[str, list[str]]:
    """The texts of each terminal: of a pattern such as `(count|any)` the words between the bars."""
    found: dict[str, list[str]] = {}
    for terminal in _lark().terminals:
        text = terminal.pattern.value.removesuffix("\\b")
        words = text[1:-1] if len(text) > 1 and text.startswith("(") else text
        found[terminal.name] = [re.sub(r"\\(.)", r"\1", part) for part in words.removeprefix("?:").split("|")]
    return found


def scope_of(names: list[str]) -> dict[str, str]:
    """The types of the names that a hole may read."""
    return {name: _GUESSES.get(name, name) for name in names}
