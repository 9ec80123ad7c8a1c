"""Tournaments as pure functions: pairings, standings and next steps."""
