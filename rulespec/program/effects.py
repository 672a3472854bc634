"""What operations make of a cell of a region: for play by the reference, and for the rehearsal of a set-up."""

from __future__ import annotations

from rulespec.lower.ir import Region


def gained(of: Region, before: int, amount: int) -> int:
    """What a cell holds after `gain`: it stops at both ends of the range."""
    return min(max(before + amount, of.low), of.high)


def paid(of: Region, before: int, price: int) -> int | None:
    """What a cell holds after `pay`; None where there is too little. Less than nothing is a gain."""
    after = min(before - price, of.high)
    return after if after >= of.low else None
