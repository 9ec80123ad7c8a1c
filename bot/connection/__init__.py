"""The connection to Discord. It is independent of games."""
