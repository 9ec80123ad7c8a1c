"""Private views of games: a page, a list, a replay, a record, and playing from a position."""
