"""The connection with Discord, without games."""
