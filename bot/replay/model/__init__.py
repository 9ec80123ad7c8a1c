"""Courses of moves, and texts that hold them."""
