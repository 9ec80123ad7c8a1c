"""The Discord client. It receives events, and processes missed messages first."""
