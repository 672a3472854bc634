"""What each measure of how likely a thing is counts for, by the kind of place; made by `python -m bench.weights`."""

from __future__ import annotations

MEASURES = (
    *("last", "key", "argument", "level", "under", "near", "anywhere"),
    *("alike in argument", "alike in level", "alike behind", "alike behind all"),
    *("rank 0", "rank 1", "rank 2", "rank 3", "rank 4", "rank 6", "rank 9", "of fitting", "follows", "used"),
    *("local", "word", "function", "member", "kind", "field", "action"),
    *("topic", "names this", "same file", "named", "section", "like before", "like behind"),
)
WEIGHTS: dict[str, tuple[float, ...]] = {
    "expression": (
        0.21,  # last
        0.06,  # key
        -0.03,  # argument
        0.02,  # level
        -0.02,  # under
        1.26,  # near
        -0.14,  # anywhere
        0.03,  # alike in argument
        0.02,  # alike in level
        0.07,  # alike behind
        0.17,  # alike behind all
        1.55,  # rank 0
        -0.86,  # rank 1
        -0.50,  # rank 2
        -0.36,  # rank 3
        -1.55,  # rank 4
        -1.38,  # rank 6
        0.32,  # rank 9
        0.41,  # of fitting
        0.68,  # follows
        -0.07,  # used
        1.05,  # local
        -2.76,  # word
        0.13,  # function
        0.32,  # member
        -0.60,  # kind
        -0.05,  # field
        0.00,  # action
        0.00,  # topic
        0.00,  # names this
        0.00,  # same file
        0.00,  # named
        0.23,  # section
        0.00,  # like before
        -0.00,  # like behind
    ),
    "move": (
        0.41,  # last
        -0.17,  # key
        -0.14,  # argument
        0.42,  # level
        0.16,  # under
        0.85,  # near
        -0.23,  # anywhere
        0.11,  # alike in argument
        -0.20,  # alike in level
        0.50,  # alike behind
        0.06,  # alike behind all
        0.78,  # rank 0
        -0.63,  # rank 1
        -0.20,  # rank 2
        0.00,  # rank 3
        0.00,  # rank 4
        0.00,  # rank 6
        0.00,  # rank 9
        0.38,  # of fitting
        -0.22,  # follows
        -0.37,  # used
        0.00,  # local
        0.51,  # word
        -0.17,  # function
        0.90,  # member
        -0.92,  # kind
        0.00,  # field
        -0.33,  # action
        0.00,  # topic
        0.00,  # names this
        0.00,  # same file
        0.00,  # named
        0.02,  # section
        0.00,  # like before
        0.00,  # like behind
    ),
    "reference": (
        -0.05,  # last
        0.76,  # key
        -0.07,  # argument
        -0.16,  # level
        -0.74,  # under
        0.92,  # near
        0.56,  # anywhere
        -0.00,  # alike in argument
        -0.00,  # alike in level
        -0.00,  # alike behind
        -0.00,  # alike behind all
        0.17,  # rank 0
        0.00,  # rank 1
        0.00,  # rank 2
        0.00,  # rank 3
        0.00,  # rank 4
        0.00,  # rank 6
        -0.17,  # rank 9
        -0.23,  # of fitting
        2.15,  # follows
        -1.31,  # used
        0.00,  # local
        0.00,  # word
        0.00,  # function
        0.00,  # member
        -0.00,  # kind
        0.00,  # field
        0.00,  # action
        2.72,  # topic
        3.14,  # names this
        2.67,  # same file
        2.66,  # named
        0.58,  # section
        -0.64,  # like before
        -0.54,  # like behind
    ),
    "key": (
        0.28,  # last
        -0.05,  # key
        0.18,  # argument
        -0.14,  # level
        -0.03,  # under
        1.37,  # near
        0.02,  # anywhere
        -0.33,  # alike in argument
        -0.42,  # alike in level
        0.23,  # alike behind
        0.41,  # alike behind all
        3.00,  # rank 0
        -1.05,  # rank 1
        0.00,  # rank 2
        0.00,  # rank 3
        -2.79,  # rank 4
        0.00,  # rank 6
        0.00,  # rank 9
        1.61,  # of fitting
        0.34,  # follows
        1.20,  # used
        0.00,  # local
        -0.01,  # word
        0.00,  # function
        0.00,  # member
        -0.15,  # kind
        2.67,  # field
        0.00,  # action
        0.00,  # topic
        0.00,  # names this
        0.00,  # same file
        0.00,  # named
        0.15,  # section
        2.92,  # like before
        2.67,  # like behind
    ),
}
