"""Texts, pictures and buttons of lessons."""
