"""Private views of games: a page, a list, a replay, a record, and games from a position."""
