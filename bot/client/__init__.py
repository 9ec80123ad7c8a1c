"""The client: it receives Discord's events, and processes missed messages first."""
