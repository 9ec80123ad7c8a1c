"""Sequences of moves, and texts that contain them."""
