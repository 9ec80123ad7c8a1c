"""The machine as an opponent and advisor."""
