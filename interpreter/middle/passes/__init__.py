"""From a program to another one that means the same."""
