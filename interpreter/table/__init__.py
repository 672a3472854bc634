"""One game and those who sit at it, whoever shows it: `table` is where to begin. Nothing here reads or writes."""
