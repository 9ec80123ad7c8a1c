"""Use cases for ended and pasted games."""
