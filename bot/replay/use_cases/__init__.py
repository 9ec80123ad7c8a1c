"""Use cases of ended and pasted games."""
