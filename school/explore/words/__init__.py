"""Texts of studies and hints."""
