"""Games that were written to do harm: to hang the program, to fill its memory, to make it fail where nobody looks.

Each is named for what it tries. `CODES` says which error stops it; the others can be played.
"""

from __future__ import annotations

from textwrap import indent

SQUARES = "boards: {map: {cell: {for: {x: 0..60, y: 0..60}}}}\n"
STACK = "pieces: {p: {count: 1000}}\nzones: {z: {shape: stack, holds: p, start: true}, y: {shape: stack, holds: p}}"
FACES = "pieces: {p: {faces: [front, back], count: 1000}}\nzones: {z: {shape: stack, holds: p, start: true}}"
SCORE = "- score: 1\n  reason: x"


def game(flow: str = SCORE, more: str = "", players: str = "1..2", seats: str = "red, green") -> str:
    """The text of a game with these steps and sections."""
    head = f"game: {{id: hostile, language: 1, title: {{en: X}}, players: {players}, seats: [{seats}]}}\n"
    return f"{head}{more}\nflow:\n{indent(flow, '  ')}\nranking: [{{most: player.score}}]\n"


def score(expression: str) -> str:
    """A step that computes an expression."""
    return f"- score: {expression}\n  reason: x"


def inside(head: str, depth: int, steps: str = SCORE) -> str:
    """Steps inside one another; `{}` in `head` is the number of the level."""
    for level in reversed(range(depth)):
        steps = head.format(level) + "\n" + indent(steps, "    ")
    return steps


def nested(form: str, depth: int, last: str) -> str:
    """An expression inside itself; `{0}` in `form` is the level, `{1}` what is inside."""
    for level in reversed(range(depth)):
        last = form.format(level, last)
    return last


def chain(section: str, entry: str, count: int, last: str) -> str:
    """Declarations each of which needs the next, `{0}` and `{1}` in `entry`."""
    lines = [entry.format(i, i + 1) for i in range(count)]
    return f"{section}:\n" + "\n".join(f"  {line}" for line in [*lines, last])


ENDLESS: dict[str, str] = {
    "a loop that never ends": game(
        "- repeat: [{set: n, to: 1}]\n  until: n == 2", "state: {n: {type: 0..5, start: 0}}"
    ),
    "very many passes": game(f"- repeat:\n{indent(SCORE, '    ')}\n  times: 2000000000"),
    "passes of passes": game(
        "- repeat:\n    - repeat: [{set: n, to: 1}]\n      times: 1000000\n  times: 1000000",
        "state: {n: {type: 0..5, start: 0}}",
    ),
    "a long way up a track": game(
        "- advance: active.climb\n  by: 2000000000",
        "tracks: {player.climb: {space: stair, start: 0, spaces: [{}, {}], past_top: [], past_bottom: []}}",
    ),
    "effects that double": game(
        "- perform: a0",
        chain("effects", "a{0}: {{do: [{{perform: a{1}}}, {{perform: a{1}}}]}}", 40, "a40: {do: []}"),
    ),
    "events that double": game(
        "- emit: e0",
        "events: {"
        + ", ".join(f"e{i}: {{}}" for i in range(41))
        + "}\n"
        + chain("triggers", "t{0}: {{when: {{emitted: e{0}}}, do: [{{emit: e{1}}}, {{emit: e{1}}}]}}", 40, ""),
    ),
    "shuffling for ever": game("- repeat: [{shuffle: z}]\n  times: 1000000", STACK),
    "drawing for ever": game(
        "- repeat: [{draw: 999, from: z, to: y}, {draw: 999, from: y, to: z}]\n  times: 1000000",
        STACK.replace("shape: stack", "shape: pool"),
    ),
    "turning for ever": game("- repeat: [{flip: z, face: back}, {flip: z, face: front}]\n  times: 1000000", FACES),
    "moving for ever": game(
        "- repeat:\n    - move: z\n      to: y\n    - move: y\n      to: z\n  times: 1000000", STACK
    ),
    "a unit of thousands of decisions": game(
        "- perform: act",
        "state: {n: {type: 0..9, start: 0}}\nactions:\n  act:\n    do:\n      - repeat:\n"
        "          - {choose: x, from: 1..3}\n          - {set: n, to: x}\n        times: 2100\n"
        "      - require: n == 7",
    ),
    "little by little": game(
        "- repeat:\n" + "    - set: n\n      to: sum(n + k for k in 1..200) % 5\n" * 40 + "  times: 1000000",
        "state: {n: {type: 0..5, start: 0}}",
    ),
    "looking ahead at effects that double": game(
        "- try: [{perform: act}]",
        chain("effects", "a{0}: {{do: [{{perform: a{1}}}, {{perform: a{1}}}]}}", 13, "a13: {do: [{set: n, to: n + 1}]}")
        + "\nstate: {n: {type: 0..100000, start: 0}}\nactions:\n  act:\n    do:\n"
        + "".join(f"      - choose: c{i}\n        from: 1..9\n      - perform: a0\n" for i in range(4))
        + "      - require: n == 7",
    ),
    "an end that ends itself": game("- finish: game", "end: [{finish: game}]"),
}

LARGE: dict[str, tuple[str, str]] = {
    "a sum over a huge range": ("RS611", game(score("sum(k for k in 0..2000000000)"))),
    "sums inside sums": ("RS611", game(score(nested("sum({1} for v{0} in 0..999)", 3, "1")))),
    "a board without end": ("RS705", game(more="boards: {map: {cell: {for: {x: 0..2000000, y: 0..2000000}}}}")),
    "an enum without end": ("RS705", game(more="enums: {e: [" + ", ".join(f"m{i}" for i in range(9000)) + "]}")),
    "a table without end": ("RS705", game(more="values: {v: {type: integer by 0..2000000000, is: [1]}}")),
    "a relation of all with all": (
        "RS713",
        game(more=SQUARES + "relations: {cell.near: {to: cell, as: o, where: cell.x % 9 == o.x % 9}}"),
    ),
    "a choice of three cells": (
        "RS617",
        game("- choose: {a: {from: cell}, b: {from: cell}, c: {from: cell}}", SQUARES),
    ),
    "a list that doubles": (
        "RS611",
        game(
            "- let: l0\n  be: list(c for c in cell)\n"
            + "\n".join(f"- let: l{i + 1}\n  be: l{i} + l{i}" for i in range(20)),
            SQUARES,
        ),
    ),
    "a number that doubles": ("RS314", game(score("v0"), chain("values", "v{0}: v{1} + v{1}", 60, "v60: 1"))),
    "functions that double": (
        "RS611",
        game(
            score("f0"),
            chain(
                "functions", "f{0}: {{type: integer, is: f{1} + f{1}}}", 40, "f40: {type: integer, is: active.index}"
            ),
        ),
    ),
    "a long chain of functions": (
        "RS720",
        game(
            score("f0"),
            chain("functions", "f{0}: {{type: integer, is: f{1} + 1}}", 900, "f900: {type: integer, is: active.index}"),
        ),
    ),
    "a long chain of constants": ("RS720", game(score("v0"), chain("values", "v{0}: v{1} + 1", 900, "v900: 1"))),
    "many loops inside one another": (
        "RS616",
        game(inside("- for_each: v{}\n  in: 0..1\n  do:", 15)),
    ),
    "many conditions inside one another": (
        "RS616",
        game(score("if " + nested("any(v{0} in player where {1})", 40, "true") + " then 1 else 0")),
    ),
    "units inside one another": (
        "RS613",
        game("- perform: a", "actions: {a: {nests: 70, do: [{may: [{perform: a}]}]}}"),
    ),
    "a program without end": (
        "RS620",
        game("- perform: a", "actions: {a: {nests: 1000000, do: [{may: [{perform: a}]}]}}"),
    ),
    "stacks of everything": (
        "RS614",
        game(
            more=SQUARES
            + "pieces: {p: {count: 500}}\n"
            + "zones: {cell.z: {shape: stack, holds: p}, y: {shape: pool, holds: p, start: true}}"
        ),
    ),
    "lines in all directions": (
        "RS701",
        game(
            more=SQUARES.replace("}}}}", "}}, line: {lines_of: cell, directions: [")
            + ", ".join(f"[{x}, {y}]" for x in range(1, 40) for y in range(1, 40))
            + "], at_least: 50}}}\n"
        ),
    ),
    "relations by the dozen": (
        "RS701",
        game(
            more="boards: {map: {cell: {for: {x: 0..21, y: 0..21}}}}\nrelations:\n"
            + "".join(f"  cell.r{i}: {{to: cell, as: o, where: cell.x != o.x + {i}}}\n" for i in range(30))
        ),
    ),
    "functions wide and deep": (
        "RS720",
        game(
            score("f0(active)"),
            chain(
                "functions",
                f"f{{0}}: {{{{params: {{{{p: player}}}}, type: integer, is: {'(' * 12}f{{1}}(p){' + 1)' * 12}}}}}",
                80,
                "f80: {params: {p: player}, type: integer, is: p.index}",
            ),
        ),
    ),
    "large pictures one over the other": (
        "RS726",
        game(more=SQUARES.replace("0..60}}}}", "0..60}, draw: {x: cell.x, y: cell.y, width: 200, height: 60}}}}")),
    ),
    "names without end": (
        "RS634",
        game("- as: red\n  do:\n" + "".join(f"    - {{choose: x{i}, from: 1..3}}\n" for i in range(2000))),
    ),
    "an option with many values": (
        "RS721",
        game().replace("title:", "options: {o: {type: 0..2000000000, start: 0}}, title:"),
    ),
    "very many players": ("RS722", game(players="1..70", seats=", ".join(f"s{i}" for i in range(70)))),
    "an effect with many arguments": (
        "RS319",
        game(
            "- set: k\n  to: f(active.index, 1 + active.index, 2)",
            "effects: {f: {params: {a: 0..600, b: 0..600, c: 0..600}, do: []}}\n"
            "state: {k: {type: effect, start: nothing}}",
        ),
    ),
}

STEEP: dict[str, str] = {
    "conditions with loops inside one another": game(
        score(nested("if active.score == {0} then 1 else {1}", 50, "count(x in cell where x.x > active.score)")),
        SQUARES,
    ),
    "and and or with loops": game(
        score(
            "if "
            + nested("(active.score == {0} or {1})", 30, "any(x in cell where x.x > active.score)")
            + " then 1 else 0"
        ),
        SQUARES,
    ),
    "what to take otherwise": game(score(nested("(cell[active.score, {0}].x otherwise {1})", 40, "0")), SQUARES),
    "absolutely": game(score(nested("abs({1})", 50, "active.score"))),
    "steps inside one another": game(inside("- together:", 25)),
    "asking inside asking": game(inside("- may:", 25)),
    "a long chain of effects": game(
        "- perform: a0", chain("effects", "a{0}: {{do: [{{perform: a{1}}}]}}", 900, "a900: {do: []}")
    ),
    "numbers below zero where they count": game(
        "- choose: q\n  exactly: 0 - 5\n  from: player\n- choose: k\n  up_to: active.score - 1\n  from: player\n"
        "- repeat: [{choose: w, from: player}]\n  times: active.score - 5"
    ),
    "far too much of everything": game(
        "- move: take(2000000000, z)\n  to: y\n- draw: 2000000000\n  from: z\n  to: y\n"
        "- for_each: q\n  in: player\n  order: chosen\n  up_to: 2000000000 * (active.score + 1)\n  do: []",
        "pieces: {p: {count: 10}}\nzones: {z: {shape: stack, holds: p, start: true}, y: {shape: pool, holds: p}}",
    ),
    "a search that cannot succeed": game(
        "- try: [{perform: act}]",
        "boards: {map: {cell: {for: {x: 0..9, y: 0..9}}}}\nactions:\n  act:\n    do:\n"
        + "".join(f"      - choose: a{i}\n        from: cell\n" for i in range(4))
        + "      - require: sum(count(q in cell where q.x > r.x) for r in cell) + a0.x + a1.x + a2.x + a3.x == 99999",
    ),
    "a drawing of millions": game(
        "- choose: cell",
        "boards: {map: {cell: {for: {x: 0..5, y: 0..5}, draw: {x: cell.x * 90000000, y: cell.y * 90000000}}}}",
    ),
    "points without end": game("- repeat:\n    - score: 999999\n      reason: x\n  times: 100"),
    "a number that does not fit": game(
        "- let: n\n  be: 2000000000 * (active.score + 9)\n- choose: q\n  from: player\n" + score("n - n")
    ),
}

#: What takes longest to play until a bound ends it; the other processes show the same in the quick tests.
DEAR = {name for name in (*ENDLESS, *STEEP) if name.endswith("for ever")} | {
    "a search that cannot succeed",
    "looking ahead at effects that double",
    "little by little",
    "a unit of thousands of decisions",
}
