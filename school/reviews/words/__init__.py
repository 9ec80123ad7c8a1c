"""Texts, pictures and buttons of reviews."""
