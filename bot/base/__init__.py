"""Helpers that don't depend on the game, the database or Discord."""
