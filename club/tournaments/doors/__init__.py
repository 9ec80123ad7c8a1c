"""Commands, buttons and forms."""
