"""Bounds that all executors keep to, so that they stop at the same places or before them."""

#: how many blocks may run between two decisions
MOST_BLOCKS = 200_000
#: decisions one after the other that a unit may take: each is looked behind by a recursion
MOST_DEEP = 200
