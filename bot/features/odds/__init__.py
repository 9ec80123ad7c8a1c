"""Boards with odds: by ratings, and as a ladder against the machine."""
