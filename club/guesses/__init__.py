"""Spectators' guesses of the next move."""
