"""What each measure of how likely a name is should count for, found from the names of shipped content.

    python -m bench.weights --every 41                  # prints the table of rulespec/service/weights.py
    python -m bench.weights --every 41 --without metro  # found without one game, and measured on it alone

Lines are cut at names as `bench.typing` does, with no letter typed. The weights are those with which the names that
stood there are as likely as can be, among all that is offered (a regression of choices). What is known of each is read
of its own game, without the line that is cut.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.typing import FIRST, Cut, cuts, is_name, workspace
from rulespec.service.completion import habits_at
from rulespec.service.weights import MEASURES, WEIGHTS

#: How much large weights are held back; how often the weights are changed, and by how much.
_HELD_BACK, _STEPS, _STEP = 0.5, 200, 0.05


@dataclass(frozen=True, slots=True)
class Choice:
    """One name: the measures of all that was offered, and which of it was meant."""

    measures: Any
    meant: Any


def main() -> None:
    """Finds the weights and prints them, or how well they do on what they were not found from."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=41, help="each so-manieth name")
    parser.add_argument("--without", nargs="+", default=[], help="games that nothing is found from, only measured")
    arguments = parser.parse_args()
    found: dict[str, list[Choice]] = defaultdict(list)
    held: dict[str, list[Choice]] = defaultdict(list)
    space = workspace()
    for cut in cuts(space, [], arguments.every):
        away = cut.name.partition("/")[0] in arguments.without
        for group, choice in _choices(space, cut):
            (held if away else found)[group].append(choice)
    weights = {group: _fitted(found[group]) for group in WEIGHTS}
    if not arguments.without:
        print(_as_table(weights))
        return
    hits = sum(_is_among(each, weights[group]) for group, choices in held.items() for each in choices)
    count = sum(map(len, held.values()))
    print(f"{', '.join(arguments.without)}: {hits / max(1, count):.1%} of {count} names among the first {FIRST}")


def _choices(space: Any, cut: Cut) -> list[tuple[str, Choice]]:
    space.put(cut.name, cut.cut(""))
    asked = habits_at(space, cut.name, cut.start)
    space.put(cut.name, cut.text)
    if asked is None:
        return []
    habits, start = asked
    lead = cut.text[start : cut.start]
    meant = np.array([is_name(label, lead, cut.word) for label in habits.labels])
    measures = np.array([habits.measures(label) for label in habits.labels])
    return [(habits.group, Choice(measures, meant))]


def _fitted(choices: list[Choice]) -> Any:
    """The weights with which what was meant is likeliest."""
    known = [each for each in choices if each.meant.any()]
    weights = np.zeros(len(MEASURES))
    if not known:
        return weights
    table = np.concatenate([each.measures for each in known])
    meant = np.concatenate([each.meant for each in known])
    sizes = [len(each.measures) for each in known]
    starts = np.cumsum([0, *sizes[:-1]])
    whose: Any = np.repeat(np.arange(len(known)), sizes)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        scores = table @ weights
        shares = np.exp(scores - np.maximum.reduceat(scores, starts)[whose])
        wanted = np.where(meant, shares, 0.0)
        wanted /= np.maximum(np.add.reduceat(wanted, starts), 1e-30)[whose]
        shares /= np.add.reduceat(shares, starts)[whose]
        slope = (wanted - shares) @ table - _HELD_BACK * weights
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        weights += _STEP * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights


def _is_among(choice: Choice, weights: Any) -> bool:
    scores = choice.measures @ weights
    return bool(choice.meant.any()) and int((scores > scores[choice.meant].max()).sum()) < FIRST


def _as_table(weights: dict[str, Any]) -> str:
    lines = ["WEIGHTS: dict[str, tuple[float, ...]] = {"]
    for group, each in weights.items():
        lines += [f'    "{group}": (']
        for name, value in zip(MEASURES, each, strict=True):
            lines += [f"        {float(value):.2f},  # {name}"]
        lines += ["    ),"]
    return "\n".join([*lines, "}"])


if __name__ == "__main__":
    main()
