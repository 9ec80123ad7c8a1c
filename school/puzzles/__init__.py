"""Puzzles, including the puzzle of the day."""
