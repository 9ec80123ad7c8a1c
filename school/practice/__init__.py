"""Practice with a user's own mistakes, which come back at intervals."""
