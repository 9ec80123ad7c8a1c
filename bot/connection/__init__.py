"""Communication with Discord, independent of games."""
