"""The Discord client. It handles missed messages first, then events."""
