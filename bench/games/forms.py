"""Forms of expressions of a type, and texts made of them: each hole of a form is filled with an expression of its type.

    words = Words(Random(1), forms)
    words.make("integer", Scope({"c": "cell"}))       # such as `count(c1 in cell where c1.price > c.price)`

Types are written as the language writes them where it can: `integer`, `cell`, `cell?` (or none), `maybe cell` (what
really may be none), `many cell` (a kind, list, set or zone of such), `list cell`, `zone card` (a place), `effect`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

#: `<type>`, `<type ^x>` (the form's name x, written `$x`, may be read there), `<type @a>` (written again for `@a`)
_HOLE = re.compile(r"<([a-z][a-z0-9_ ]*\??)((?: \^[a-z])*)((?: @[a-z])?)>|\$([a-z])|@([a-z])")
#: where an expression stands: constants alone, the state of a game, steps (which know `me` and `active`)
CONSTANT, PLAY, STEPS = 0, 1, 2
FAR = 1000


@dataclass(frozen=True, slots=True)
class Form:
    """A text with holes; `names` are the types of the names that it binds, `level` is where it may stand.

    `hides`: it reads what somebody may not see. `row` is what the registry calls it.
    """

    text: str
    level: int = CONSTANT
    names: tuple[tuple[str, str], ...] = ()
    hides: bool = False
    weight: float = 1.0
    #: the types of the expressions in it
    holes: tuple[str, ...] = ()


def _holes(text: str) -> tuple[str, ...]:
    return tuple(match[1] for match in _HOLE.finditer(text) if match[1])


@cache
def _rarer(form: Form) -> Form:
    return replace(form, weight=0.3 * form.weight)


@dataclass(frozen=True, slots=True)
class Scope:
    """The names at hand with their types, where the expression stands, and whether it may read what is hidden."""

    names: dict[str, str] = field(default_factory=dict)
    level: int = STEPS
    hides: bool = False
    taken: frozenset[str] = frozenset()

    def having(self, **names: str) -> Scope:
        """This scope with more names."""
        return replace(self, names={**self.names, **names})


class NothingFits(Exception):
    """No expression of a type can stand in a scope."""


class Forms:
    """The forms of each type. A `cell` will do where `cell?` is wanted, and a list where `many` are."""

    def __init__(self) -> None:
        self.by_type: dict[str, list[Form]] = {}
        self._heights: dict[tuple[int, bool], dict[str, int]] = {}
        self._found: dict[tuple[str, int, bool, bool], list[Form]] = {}

    def add(self, of: str, *texts: str, level: int = CONSTANT, hides: bool = False, weight: float = 1.0) -> None:
        """Forms of a type; names that they bind stand before a colon in front: `x:cell|count($x in ...)`."""
        for text in texts:
            head, bar, body = text.partition("|")
            binds = bar and re.fullmatch(r"[a-z]:[a-z0-9_ ?]+(, [a-z]:[a-z0-9_ ?]+)*", head)
            pairs = [part.split(":") for part in head.split(", ")] if binds else []
            names = tuple((name, t.strip()) for name, t in pairs)
            self._heights.clear()
            self._found.clear()
            body = body if binds else text
            self.by_type.setdefault(of, []).append(Form(body, level, names, hides, weight, _holes(body)))

    def of(self, wanted: str, scope: Scope, *, sure: bool = False) -> list[Form]:
        """The forms that may stand in a scope."""
        key = (wanted, scope.level, scope.hides, sure)
        if key not in self._found:
            self._found[key] = self._of(wanted, scope, sure=sure)
        return self._found[key]

    def _of(self, wanted: str, scope: Scope, *, sure: bool) -> list[Form]:
        if wanted.startswith("maybe "):  # one that may really be none
            return [form for form in self.of(wanted[6:] + "?", scope, sure=True) if form.text != "none"]
        found = [
            form
            for form in self.by_type.get(wanted, ())
            if form.level <= scope.level and (scope.hides or not form.hides)
        ]
        if wanted.endswith("?") and not sure:
            found += map(_rarer, self.of(wanted[:-1], scope))
        return found

    def height(self, form: Form, scope: Scope) -> int:
        """How deep the shallowest expression of a form is."""
        heights = self._heights.setdefault((scope.level, scope.hides), {}) or self._measured(scope)
        named = scope.names.values()
        return 1 + max([0 if hole in named else heights.get(hole, FAR) for hole in form.holes], default=0)

    def _measured(self, scope: Scope) -> dict[str, int]:
        found = self._heights[scope.level, scope.hides]
        plainly = {of.removesuffix("?") for of in self.by_type}
        types = {name for of in plainly for name in (of, of + "?", f"maybe {of}")}
        forms = {of: {form.holes for form in self.of(of, scope)} for of in types}
        found.update(dict.fromkeys(types, FAR))
        for _ in range(6):
            before = dict(found)
            for of, ways in forms.items():
                least = min([max([found.get(h, FAR) for h in holes]) if holes else 0 for holes in ways], default=FAR)
                found[of] = min(FAR, 1 + least)
            if found == before:
                break
        return found


class Words:
    """A source of expressions: the same for the same random numbers."""

    def __init__(self, random: Random, forms: Forms) -> None:
        self.random, self.forms, self._made = random, forms, 0

    def fresh(self, prefix: str) -> str:
        """A name that nothing has."""
        self._made += 1
        return f"{prefix}{self._made}"

    def make(self, wanted: str, scope: Scope, depth: int = 2) -> str:
        """An expression of a type."""
        asked = wanted[6:] + "?" if wanted.startswith("maybe ") else wanted
        at_hand = [name for name, t in scope.names.items() if t in (asked, wanted.removesuffix("?"))]
        if at_hand and self.random.random() < (0.35 if depth > 0 else 0.8):
            return self.random.choice(at_hand)
        reached = [(form, self.forms.height(form, scope)) for form in self.forms.of(wanted, scope)]
        most = FAR - 1 if depth > 0 else min((height for _, height in reached), default=0)
        forms = [form for form, height in reached if height <= most < FAR]
        if not forms:
            if at_hand:
                return self.random.choice(at_hand)
            raise NothingFits(wanted)
        weights = [form.weight for form in forms]
        return self._filled(self.random.choices(forms, weights)[0], scope, depth)

    def fill(self, text: str, scope: Scope, depth: int = 2) -> str:
        """A text whose holes are filled."""
        return self._filled(Form(text, holes=_holes(text)), scope, depth)

    def _filled(self, form: Form, scope: Scope, depth: int) -> str:
        made = {name: self.fresh(name) for name, _ in form.names}
        kinds, kept = dict(form.names), dict[str, str]()

        def fill(match: re.Match[str]) -> str:
            if match[4]:
                return made[match[4]]
            if match[5]:
                return kept[match[5]]
            read = re.findall(r"\^([a-z])", match[2])
            text = self.make(match[1], scope.having(**{made[x]: kinds[x] for x in read}), depth - 1)
            if re.search(r"\b(if|otherwise)\b", text) and form.text != match[0]:
                text = f"({text})"
            if match[3]:
                kept[match[3].strip(" @")] = text
            return text

        return _HOLE.sub(fill, form.text)


def plain(forms: Forms) -> None:
    """The forms that every game has."""
    forms.add("integer", "0", "1", "2", "3", "player_count", weight=0.5)
    forms.add(
        "integer",
        "<integer> + <integer>", "<integer> - <integer>", "2 * (<integer>)", "(<integer>) // 2", "(<integer>) % 3",
        "(<integer>) * (<integer>)", "(<integer>) // (1 + abs(<integer>))", "abs(<integer>)", "-(<integer>)",
        "min(<integer>, <integer>)", "max(<integer>, <integer>)", "if <boolean> then <integer> else <integer>",
        "k:integer|sum(<integer ^k> for $k in 0..<small>)", "k:integer|count($k in 0..<small> where <boolean ^k>)",
        "(<maybe integer>) otherwise <integer>", "(<player>).index", "if <integer @a> > 0 then 6 // (@a) else 0",
        "<table>",
    )  # fmt: skip
    forms.add("small", "1", "2", "3", "player_count")
    forms.add("integer?", "k:integer|min(<integer ^k> for $k in 1..<small> where <boolean ^k>)", "none")
    forms.add("integer?", "k:integer|max(<integer ^k> for $k in 1..<small> where <boolean ^k>)")
    forms.add("integer?", "k:integer|list(<integer ^k> for $k in 0..<small>)[<integer>]")
    forms.add(
        "boolean",
        "<boolean> and <boolean>", "(<boolean>) or (<boolean>)", "not (<boolean>)", "<integer> < <integer>",
        "<integer> >= <integer>", "<integer> == <integer>", "<integer> != <integer>", "<integer> in 0..<small>",
        "<integer> not in [<integer>, <integer>]", "(<player>) == (<player>)", "(<player>) in (<list player>)",
        "p:player|all(<boolean ^p> for $p in <many player>)", "p:player|any($p in <many player> where <boolean ^p>)",
        "exists (<maybe integer>)", "if <boolean> then <boolean> else <boolean>", "(<maybe player>) == (<player>)",
        "(<maybe integer>) == none",
    )  # fmt: skip
    forms.add("boolean", "true", "false", weight=0.2)
    forms.add("player", "red")
    forms.add("player", "me", "active", level=STEPS, weight=2)
    forms.add("player", "(<player>).left", "(<player>).right", "(<maybe player>) otherwise <player>")
    forms.add("integer", "(<player>).score", level=PLAY)
    forms.add("many player", "player", weight=2)
    members(forms, "player", "player")
    forms.add("list player", "clockwise(<player>)", "p:player|walk($p from <player> step (<player ^p>).left)")


def members(forms: Forms, kind: str, whole: str | None) -> None:
    """The forms for things of a kind, and for many of them; `whole` is the kind's own name where it stands for all."""
    m, k = f"many {kind}", f"list {kind}"
    forms.add("integer", f"x:{kind}|count($x in <{m}> where <boolean ^x>)", f"(<{k}>).count", weight=0.7)
    forms.add("integer", f"x:{kind}|sum(<integer ^x> for $x in <{m}>)", weight=0.7)
    forms.add("integer", f"x:{kind}|sum(<integer ^x> for $x in <{m}> where <boolean ^x>)", weight=0.4)
    for word in ("min", "max"):
        forms.add("integer?", f"x:{kind}|{word}(<integer ^x> for $x in <{m}> where <boolean ^x>)", weight=0.7)
    forms.add(f"{kind}?", f"x:{kind}|first($x in <{m}> where <boolean ^x>)", f"(<{k}>).first", f"(<{k}>).last", "none")
    forms.add(f"{kind}?", f"(<{k}>)[<integer>]", f"if <boolean> then <{kind}> else none", weight=0.6)
    forms.add("boolean", f"(<{k}>).empty", f"x:{kind}|any($x in <{m}> where <boolean ^x>)", weight=0.7)
    forms.add("boolean", f"x:{kind}|all(<boolean ^x> for $x in <{m}>)", f"(<{kind}>) in (<{k}>)", weight=0.7)
    forms.add(
        "boolean",
        f"exists (<maybe {kind}>)",
        f"(<maybe {kind}>) == (<{kind}>)",
        f"(<{kind}>) not in (<{k}>)",
        weight=0.7,
    )
    forms.add(
        k,
        f"x:{kind}|list($x for $x in <{m}>)", f"x:{kind}|list($x for $x in <{m}> where <boolean ^x>)",
        f"x:{kind}|sort($x in <{m}> by <integer ^x>)", f"x:{kind}|most($x in <{m}> by <integer ^x>)",
        f"x:{kind}|least($x in <{m}> by <integer ^x>)", f"x:{kind}|longest($x in <{k}> where <boolean ^x>)",
        f"(<{k}>) + (<{k}>)", f"(<{k}>) - (<{kind}>)",
    )  # fmt: skip
    forms.add(m, f"<{k}>", weight=2)
    if whole is not None:
        forms.add(m, whole, weight=3)
        forms.add(m, f"x:{kind}|set(<{kind} ^x> for $x in <{m}>)", weight=0.5)
        forms.add(kind, f"(<maybe {kind}>) otherwise <{kind}>", weight=0.5)
        forms.add(k, f"x:{kind}|stretch($x in <{k}> where <boolean ^x> around <{kind}>)", weight=0.5)
        forms.add("boolean", f"(<{kind}>) == (<{kind}>)", f"(<{kind}>) != (<{kind}>)", weight=0.7)
        forms.add("integer", f"(<{kind}>).index", weight=0.5)
        forms.add(k, f"x:{kind}|walk($x from <{kind}> step <{kind}? ^x>)", weight=0.5)
