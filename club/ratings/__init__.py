"""Ratings of players."""
