"""Use cases for tournaments, and their periodic work."""
