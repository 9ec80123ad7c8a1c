"""Queries over all that is kept about people."""
