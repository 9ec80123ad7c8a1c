"""Lessons teach the rules by playing."""
