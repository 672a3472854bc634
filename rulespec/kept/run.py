"""What one check of a game knows so far, and how much work it may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rulespec.diagnostics.model import Problem, Problems
from rulespec.game_source import GameSource, resolve_fully
from rulespec.kept.builds import Build
from rulespec.kept.digests import Digests
from rulespec.kept.former import Former
from rulespec.kept.memo import Memo
from rulespec.lint.once import Once
from rulespec.lower.context import Parsed
from rulespec.lower.steps.shared import Shared
from rulespec.model.without import Faultless, without
from rulespec.source.nodes import Mapping
from rulespec.source.text import Span

#: How much work all combinations for one number of players may be together, in steps of computing tables, where an
#: instruction or a cell counts as some of them; else fewer are checked. The variants, each of which is checked by
#: itself too, share as much among them.
MOST_WORK = 2_100_000

#: How much work a whole check may be, with all variants, numbers of players, combinations and scenarios together: a
#: third of a minute to a minute. What is left out then is told (RS437). No shipped game takes three fifths of it.
MOST_WHOLE = 50_000_000
EACH_TREE, EACH_VARIANT, CHARACTERS = 1_000, 5_000, 10  #: of putting variants on, and of reading what is there

FORMER = "former"  #: under which name the builds of the last check are kept


@dataclass(slots=True)
class Run:
    """One check: trees by the variants that are on, and what was found so far."""

    source: GameSource
    problems: Problems
    memo: Memo
    digests: Digests
    tell: Callable[[Problem], None] | None = None
    parsed: Parsed = field(default_factory=Parsed)
    shared: Shared = field(default_factory=Shared)
    trees: dict[frozenset[str], Mapping | None] = field(default_factory=dict)
    faultless: Faultless = field(default_factory=Faultless)
    terms: set[tuple[int, bool]] = field(default_factory=set)  #: the sections that were looked at
    most_work: int = MOST_WORK
    work: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    filters: dict[Span, set[bool | None]] = field(default_factory=dict)
    builds: dict[tuple[frozenset[str], int], Build] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    shown: set[Span] = field(default_factory=set)
    #: the combinations of options and numbers of players, with those variants on with which there are most; how many
    #: were checked, with any variants; whether some were left out
    total: int = 0
    word_errors: int = 0  #: how many errors were found in words
    checked: int = 0
    sampled: bool = False
    former: Former | None = None  #: the builds of the last check, from which others may follow
    once: Once = field(init=False)
    size: int = field(init=False)  #: characters of the game's own files

    def __post_init__(self) -> None:
        self.once = Once(self.problems)
        self.size = sum(len(tree.span.file.text) for tree in self.source.trees)
        if not self.digests.has_twins:
            self.former = Former(self.memo.get(FORMER), self.digests.own, self.shared)

    def tree(self, variants: Sequence[str]) -> Mapping | None:
        """The declarations with these variants on; None where the variants do not fit, which is reported."""
        key = frozenset(variants)
        if key not in self.trees:
            self.work += EACH_TREE + EACH_VARIANT * len(key) + self.size // CHARACTERS
            before = len(self.problems.errors)
            resolved = resolve_fully(self.source, sorted(key), self.problems)
            fits = len(self.problems.errors) == before
            self.trees[key] = without(resolved.tree, resolved.bad, self.faultless) if fits or not key else None
        return self.trees[key]

    @property
    def is_spent(self) -> bool:
        """Whether as much was done as one check may do: what is left is left out."""
        return self.work >= MOST_WHOLE

    def tell_first(self) -> None:
        """Tells an error, once, as soon as there is one."""
        if self.tell is not None and self.problems.has_errors:
            self.tell(self.problems.errors[0])
            self.tell = None
