"""Texts of views of games."""
