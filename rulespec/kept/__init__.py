"""Results of the stages of a check, kept by digests of all that they depend on.

A result is used again where its key is the same: keys are made of the texts that a stage reads (with their places), of
what was asked, and of the program itself. Nothing else may reach a stage, so that what is kept equals what would be
found anew.
"""
