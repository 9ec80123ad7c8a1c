"""Spectators guess the next move."""
