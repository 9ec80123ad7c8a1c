"""Tournament messages that are delivered exactly once."""
