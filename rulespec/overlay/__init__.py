"""Variants: finding, changing and merging declarations, and where each value came from."""
