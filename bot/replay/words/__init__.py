"""Texts for views of games."""
