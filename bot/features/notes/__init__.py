"""Players' notes on moves in their games."""
