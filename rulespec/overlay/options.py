"""Options of a game: what a value switches on."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf

from rulespec.diagnostics.model import Problems
from rulespec.diagnostics.nearest import near_to
from rulespec.overlay.variant import Variant, names
from rulespec.source.tree import Mapping, Node, Scalar


def declared_options(tree: Mapping) -> dict[str, Mapping]:
    """The options of a game by name."""
    game = tree.get("game")
    options = game.get("options") if isinstance(game, Mapping) else None
    pairs = options.pairs if isinstance(options, Mapping) else ()
    return {key.text: value for key, value in pairs if isinstance(value, Mapping)}


def option_key(tree: Mapping, name: str) -> Scalar | None:
    """Where an option's name stands."""
    game = tree.get("game")
    options = game.get("options") if isinstance(game, Mapping) else None
    return options.key_node(name) if isinstance(options, Mapping) else None


def switched_on(tree: Mapping, options: MappingOf[str, object]) -> tuple[str, ...]:
    """The ids of the variants that the options' values switch on, sorted. Options that are not given have their start.

    Values are compared as they are written: true is `true`, 3 is `3`.
    """
    found: set[str] = set()
    for name, option in declared_options(tree).items():
        value = as_written(options[name]) if name in options else _text(option.get("start"))
        found |= {variant.text for variant in _switches(option).get(value or "", ())}
    return tuple(sorted(found))


def all_switched(tree: Mapping) -> frozenset[str]:
    """The ids of all variants that some value of an option switches on."""
    options = declared_options(tree).values()
    return frozenset(v.text for option in options for variants in _switches(option).values() for v in variants)


def as_written(value: object) -> str:
    """An option's value as content writes it."""
    return str(value).lower() if isinstance(value, bool) else "none" if value is None else str(value)


def check_switches(tree: Mapping, known: MappingOf[str, Variant], problems: Problems) -> None:
    """Report variants that there are not, in `switches` of options, and `switches` where nobody reads them."""
    for option in declared_options(tree).values():
        for variants in _switches(option).values():
            for name in variants:
                if name.text not in known:
                    problems.add("RS423", name.span, near=near_to(name.text, known), name=name.text)
    for variant in known.values():
        _check_own_options(tree, variant, problems)


def _check_own_options(tree: Mapping, variant: Variant, problems: Problems) -> None:
    """Report `switches` of the variant's own options: which variants are on is known before its options are."""
    declared = declared_options(tree)
    for name, option in declared_options(variant.tree).items():
        key = option.key_node("switches")
        if key is not None:
            hint = "Declare the option in the game." if name not in declared else "Write it at the option in the game."
            problems.add("RS425", key.span, hint=hint, variant=variant.id, name=name)


def _switches(option: Mapping) -> dict[str, tuple[Scalar, ...]]:
    switches = option.get("switches")
    pairs = switches.pairs if isinstance(switches, Mapping) else ()
    return {key.text: names(value) for key, value in pairs}


def _text(node: Node | None) -> str | None:
    return node.text if isinstance(node, Scalar) else None
