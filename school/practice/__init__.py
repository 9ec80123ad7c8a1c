"""Practice of a user's own mistakes, which come back at intervals."""
