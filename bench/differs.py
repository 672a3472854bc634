"""What two systems say differently, for the commands that play one beside the other."""

from __future__ import annotations


class Differs(Exception):
    """Something that two say differently."""
