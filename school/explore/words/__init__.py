"""Texts, pictures and buttons of studies and hints."""
