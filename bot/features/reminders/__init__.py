"""Reminders that a time runs out."""
