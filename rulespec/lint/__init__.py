"""Checks of a whole game that go beyond types: what is never used, never differs, or names what there is not."""
