"""Where the games are kept: SQLite or PostgreSQL, through one schema."""
