"""Use cases of tournaments, and their periodic work."""
