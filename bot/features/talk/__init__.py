"""Requests to the bot in plain words."""
