"""Kinds of messages that must reach Discord exactly once, and the door to them."""
