"""Tables behind links: a server for people who sit far away. `server` is where to begin."""
