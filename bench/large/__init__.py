"""Boards of any size: games that are the same but for the size, to see what grows with it."""
