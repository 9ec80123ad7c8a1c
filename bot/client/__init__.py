"""The Discord client: receives events, after processing missed messages."""
