"""Messages that are delivered exactly once."""
