"""Texts of /settings and /setup."""
