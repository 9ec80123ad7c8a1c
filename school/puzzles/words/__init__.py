"""Texts, pictures and buttons of puzzles."""
