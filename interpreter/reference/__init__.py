"""The meaning of the instruction form: a plain evaluator of docs/instruction_form.md, obviously right and not quick."""
