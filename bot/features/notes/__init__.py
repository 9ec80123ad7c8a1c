"""Notes of players on moves of their games."""
