"""What all executors share: facts about a program, passes over it, and how a state lies in cells."""
