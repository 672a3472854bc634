"""Games of people as the same records that many games of automatic players leave. `gather` is where to begin."""
