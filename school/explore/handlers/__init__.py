"""Boards to try moves on, hints, and /show."""
