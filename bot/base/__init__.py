"""Helpers that depend on neither the game, the database nor Discord."""
