"""Lowering of steps to flat instructions: one module for each family of verbs."""
