"""Numbers in words, by the spell-out rules of CLDR: the rules write every number, and what they write is looked up.

`words/cldr/` holds the rules of each language as they are published (the npm package `cldr-rbnf`). Each rule says how
numbers from its base on are written: `20: twenty[-→→]` is "twenty", and behind it, where there is a rest, a hyphen and
the rest by the same rules.

    spelled = spelled_of("en")
    spelled.read(("two", "hundred", "and", "six"))  ->  (4, Word(206))
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

from rulespec.texts.folding import fold
from rulespec.texts.regions import bases

_FOLDER: Final = "words/cldr"
#: Substitutions: `→→` the rest, `←←` how many times the base, `=%other=` the same number by other rules; each may name
#: rules; a part in brackets stands only where there is a rest.
_PART: Final = re.compile(r"→(?P<rest>[^→]*)→→?|←(?P<times>[^←]*)←|=(?P<same>[^=]*)=")
_OPTIONAL: Final = re.compile(r"\[([^\]]*)\]")
#: A word, or one character of a script that parts no words.
_TOKEN: Final = re.compile(r"[\u3007\u4e00-\u9fff]|[^\W_\u3007\u4e00-\u9fff]+")
_CARDINAL: Final = re.compile(r"%spellout-(?:cardinal(?!-financial)|numbering(?!-year)).*")
_ORDINAL: Final = re.compile(r"%spellout-ordinal.*")
#: Rules that write years also write "fifteen hundred".
_HUNDREDS: Final = "%spellout-numbering-year"
_THOUSAND: Final = 1_000
_HUNDRED: Final = 100
_AND: Final = ("and", "et", "y")
#: Where rules part thousands by commas, one stands before hundreds alone.
_COMMA: Final = (",",)
_SOFT_HYPHEN: Final = "\u00ad"

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """What words say: a number, or which one in a row."""

    value: int
    is_ordinal: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    base: int
    divisor: int
    text: str


class Rules:
    """The rules of one language, which write numbers below a million."""

    def __init__(self, code: str):
        path = files("rulespec.texts").joinpath(_FOLDER, f"{code}.json")
        data = json.loads(path.read_text(encoding="utf-8"))["rbnf"]["rbnf"]["SpelloutRules"]
        self._rules = {name: tuple(_rules(rows)) for name, rows in data.items() if name.startswith("%")}
        self._written: dict[tuple[str, int], str] = {}
        self.has_commas = any(rule.text.startswith(", ") for rules in self._rules.values() for rule in rules)

    def names(self, form: re.Pattern[str]) -> list[str]:
        """The sets of rules whose name is of a form."""
        return [name for name in self._rules if form.fullmatch(name)]

    def write(self, name: str, number: int) -> str:
        """A number by a set of rules."""
        at = (name, number)
        if at not in self._written:
            self._written[at] = self._write(name, number)
        return self._written[at]

    def _write(self, name: str, number: int) -> str:
        rule = next((rule for rule in reversed(self._rules[name]) if rule.base <= number), None)
        if rule is None:
            return ""
        times, rest = divmod(number, rule.divisor)
        text = _OPTIONAL.sub(lambda part: part[1] if rest else "", rule.text)

        def value(part: re.Match[str]) -> str:
            if part["same"] is not None:
                return self.write(part["same"], number) if part["same"].startswith("%") else str(number)
            if part["times"] is not None:
                return self.write(part["times"] or name, times)
            return self.write(part["rest"] or name, rest)

        return _PART.sub(value, text).removeprefix("'").replace(_SOFT_HYPHEN, "")


def _rules(rows: Sequence[Sequence[str]]) -> Iterator[_Rule]:
    for base, text in rows:
        number, _, radix = base.partition("/")
        if number.isdigit():
            yield _Rule(int(number), _divisor(int(number), int(radix or 10)), text.removesuffix(";"))


def _divisor(base: int, radix: int) -> int:
    """The highest power of the radix that is not above the base."""
    power = 1
    while power * radix <= base:
        power *= radix
    return power


# ---- reading ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Spelled:
    """All numbers of a language below a million by their words: those below a thousand, and how many thousand.

    `joints` are the words that may stand between the two, `first` those that a number begins with.
    """

    small: dict[Tokens, Word] = field(default_factory=dict)
    thousands: dict[Tokens, int] = field(default_factory=dict)
    joints: set[Tokens] = field(default_factory=set)
    longest: int = 0
    first: frozenset[str] = frozenset()

    def may_begin(self, token: str) -> bool:
        """Whether a number can begin with a word: most words of a text are looked at no further."""
        return fold(token) in self.first

    def read(self, tokens: Sequence[str]) -> tuple[int, Word] | None:
        """The longest number at the beginning of some words: how many of them it takes, and what it is."""
        folded = tuple(fold(token) for token in tokens[: 2 * self.longest + 1])
        for length in range(min(len(folded), self.longest), 0, -1):
            thousand = self.thousands.get(folded[:length])
            if thousand is not None:
                return self._with_rest(folded, length, thousand)
            word = self.small.get(folded[:length])
            if word is not None:
                return length, word
        return None

    def _with_rest(self, tokens: Tokens, at: int, thousand: int) -> tuple[int, Word]:
        """A number of thousands with what stands behind it."""
        for joint in (*self.joints, ()):
            start = at + len(joint)
            if tokens[at:start] != joint:
                continue
            for length in range(min(len(tokens) - start, self.longest), 0, -1):
                rest = self.small.get(tokens[start : start + length])
                if rest is not None and rest.value >= (_HUNDRED if joint == _COMMA else 1):
                    return start + length, Word(thousand + rest.value, rest.is_ordinal)
        return at, Word(thousand)

    def add(self, rules: Rules, name: str, *, is_ordinal: bool) -> None:
        """Takes in what a set of rules writes."""
        for number in range(_THOUSAND):
            self._keep(_tokens(rules.write(name, number)), Word(number, is_ordinal))
        if is_ordinal:
            self._add_places(rules, name)
            return
        for number in range(1, _THOUSAND):
            tokens = _tokens(rules.write(name, number * _THOUSAND))
            self.thousands.setdefault(tokens, number * _THOUSAND)
            self.longest = max(self.longest, len(tokens))
        self.joints.add(self._joint(rules, name))
        if rules.has_commas:
            self.joints.add(_COMMA)

    def _add_places(self, rules: Rules, name: str) -> None:
        """Which one in a row: whole thousands, and the short forms without *and*, as in `cent unième`."""
        for number in range(_THOUSAND, 10 * _THOUSAND + 1, _THOUSAND):
            self._keep(_tokens(rules.write(name, number)), Word(number, is_ordinal=True))
        for number in range(_THOUSAND):
            tokens = _tokens(rules.write(name, number))
            self._keep(tuple(token for token in tokens if token not in _AND), Word(number, is_ordinal=True))

    def _joint(self, rules: Rules, name: str) -> Tokens:
        whole, thousand, rest = (_tokens(rules.write(name, number)) for number in (1_002, 1_000, 2))
        return whole[len(thousand) : len(whole) - len(rest)]

    def add_hundreds(self, rules: Rules) -> None:
        """Takes in eleven hundred to ninety-nine hundred, where the language says so."""
        for number in range(1_100, 10_000, 100):
            tokens = _tokens(rules.write(_HUNDREDS, number))
            if number % _THOUSAND and tokens not in self.thousands:
                self.thousands.setdefault(tokens, number)

    def _keep(self, tokens: Tokens, word: Word) -> None:
        if tokens:
            self.small.setdefault(tokens, word)
            self.longest = max(self.longest, len(tokens))

    def also(self, usual: str, other: str) -> None:
        """Takes in numbers that begin with another word: `a hundred` for `one hundred`."""
        for tokens, word in list(self.small.items()):
            if tokens[0] == usual and len(tokens) > 1:
                self.small.setdefault((other, *tokens[1:]), word)
        for tokens, number in list(self.thousands.items()):
            if tokens[0] == usual:
                self.thousands.setdefault((other, *tokens[1:]), number)


def _tokens(text: str) -> Tokens:
    """The words of a number as they are compared, without capitals and accents."""
    return tuple(_TOKEN.findall(fold(text)))


@cache
def spelled_of(code: str, articles: tuple[str, ...] = ()) -> Spelled | None:
    """The numbers of a language in words, with those of its regions; None where there are no rules for it.

    `articles` stand for *one* at the beginning: a hundred.
    """
    folder = files("rulespec.texts").joinpath(_FOLDER)
    names = sorted(path.name.removesuffix(".json") for path in folder.iterdir() if path.name.endswith(".json"))
    base = next((base for base in bases(code) if base in names), None)
    if base is None:
        return None
    found = Spelled()
    for name in (base, *(name for name in names if name.startswith(f"{base}-"))):
        rules = Rules(name)
        for form, is_ordinal in ((_CARDINAL, False), (_ORDINAL, True)):
            for each in rules.names(form):
                found.add(rules, each, is_ordinal=is_ordinal)
        if _HUNDREDS in rules.names(re.compile(".*")):
            found.add_hundreds(rules)
        for article in articles:
            found.also(_tokens(rules.write(rules.names(_CARDINAL)[0], 1))[0], article)
    found.first = frozenset(tokens[0] for tokens in (*found.small, *found.thousands) if tokens)
    return found
