"""What a game is when names are numbers: its operations, and what a well-formed program is."""
