"""Texts for /settings and /setup."""
