"""Handlers for messages that must reach Discord exactly once, and the publisher."""
