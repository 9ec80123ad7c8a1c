"""Reminders that a player's time is running out."""
