"""Playing games in a terminal: `session` is where to begin."""
