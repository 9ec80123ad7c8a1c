"""Sentences, pictures and buttons of messages."""
