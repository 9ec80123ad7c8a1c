"""Finished games, and pasted ones."""
