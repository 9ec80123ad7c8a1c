"""Texts, pictures and buttons of tournaments."""
