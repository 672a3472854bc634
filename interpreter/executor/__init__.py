"""The Python executor: the meaning of the instruction form."""
