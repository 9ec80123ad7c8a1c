"""Tournaments as they are made, entered, and brought to their end."""
