"""What each measure of how likely a thing is counts for, by the kind of place.

Made by `python -m bench.weights --every 41`.
"""

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
        0.23,  # last
        0.07,  # key
        0.02,  # argument
        -0.02,  # level
        -0.09,  # under
        1.43,  # near
        -0.16,  # anywhere
        0.01,  # alike in argument
        0.14,  # alike in level
        0.21,  # alike behind
        0.03,  # alike behind all
        1.49,  # rank 0
        -0.33,  # rank 1
        -0.20,  # rank 2
        -0.23,  # rank 3
        -1.57,  # rank 4
        -1.16,  # rank 6
        0.27,  # rank 9
        0.32,  # of fitting
        1.25,  # follows
        -0.15,  # used
        1.07,  # local
        -2.96,  # word
        -0.51,  # function
        0.16,  # member
        -0.56,  # kind
        -0.01,  # field
        0.00,  # action
        0.00,  # topic
        0.00,  # names this
        0.00,  # same file
        0.00,  # named
        0.00,  # section
        0.00,  # like before
        -0.00,  # like behind
    ),
    "move": (
        0.32,  # last
        -0.04,  # key
        -0.07,  # argument
        0.60,  # level
        0.08,  # under
        1.01,  # near
        -0.47,  # anywhere
        0.15,  # alike in argument
        -0.40,  # alike in level
        0.32,  # alike behind
        0.46,  # alike behind all
        0.50,  # rank 0
        -0.13,  # rank 1
        -0.34,  # rank 2
        0.00,  # rank 3
        0.00,  # rank 4
        0.00,  # rank 6
        0.00,  # rank 9
        0.27,  # of fitting
        0.02,  # follows
        -0.42,  # used
        0.00,  # local
        0.30,  # word
        -0.28,  # function
        0.20,  # member
        0.57,  # kind
        0.00,  # field
        -0.76,  # action
        0.00,  # topic
        0.00,  # names this
        0.00,  # same file
        0.00,  # named
        0.00,  # section
        0.00,  # like before
        0.00,  # like behind
    ),
    "reference": (
        -0.06,  # last
        0.78,  # key
        -0.08,  # argument
        -0.03,  # level
        -0.94,  # under
        0.64,  # near
        0.83,  # anywhere
        0.00,  # alike in argument
        0.00,  # alike in level
        0.00,  # alike behind
        0.00,  # alike behind all
        0.29,  # rank 0
        0.00,  # rank 1
        0.00,  # rank 2
        0.00,  # rank 3
        0.00,  # rank 4
        0.00,  # rank 6
        -0.29,  # rank 9
        -0.11,  # of fitting
        2.22,  # follows
        -1.82,  # used
        0.00,  # local
        0.00,  # word
        0.00,  # function
        0.00,  # member
        0.00,  # kind
        0.00,  # field
        0.00,  # action
        2.07,  # topic
        3.48,  # names this
        3.03,  # same file
        2.45,  # named
        0.85,  # section
        -0.18,  # like before
        -0.01,  # like behind
    ),
    "key": (
        0.30,  # last
        -0.05,  # key
        0.01,  # argument
        -0.24,  # level
        0.05,  # under
        1.33,  # near
        0.20,  # anywhere
        0.47,  # alike in argument
        -0.55,  # alike in level
        -0.30,  # alike behind
        0.87,  # alike behind all
        2.93,  # rank 0
        -1.11,  # rank 1
        0.00,  # rank 2
        0.00,  # rank 3
        -2.85,  # rank 4
        0.00,  # rank 6
        0.00,  # rank 9
        1.51,  # of fitting
        0.31,  # follows
        1.40,  # used
        0.00,  # local
        -0.00,  # word
        0.00,  # function
        0.00,  # member
        0.01,  # kind
        2.42,  # field
        0.00,  # action
        0.00,  # topic
        0.00,  # names this
        0.00,  # same file
        0.00,  # named
        0.00,  # section
        2.71,  # like before
        3.19,  # like behind
    ),
}
