"""Many games of automatic players: what is played, by which processes, and what comes of it."""
