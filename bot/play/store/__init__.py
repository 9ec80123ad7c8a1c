"""The store of games: SQLite or PostgreSQL, through one schema."""
