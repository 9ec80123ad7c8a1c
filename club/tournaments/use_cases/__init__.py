"""The use cases of tournaments, and their periodic work."""
