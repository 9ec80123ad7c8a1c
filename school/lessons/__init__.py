"""Lessons, which teach the rules through play."""
