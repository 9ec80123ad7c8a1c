"""Texts for /help."""
