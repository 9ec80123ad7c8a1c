"""Texts of /help."""
