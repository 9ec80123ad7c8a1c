"""Tournaments and seasons."""
