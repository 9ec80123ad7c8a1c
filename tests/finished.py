"""Databases full of games that have ended, made by the database itself: thousands in a second."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

_GAMES = text("""
WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < :count)
INSERT INTO games (id, guild_id, channel_id, white_id, black_id, coordinates, start, seed, clock,
                   revision, state, own_thread, created_at, ended_at)
SELECT i, 4194304, i, 1, 2, 'standard', 'placement', 0, 'none', :plies, 'finished', FALSE, 7, 7
FROM numbers
""")
_EVENTS = text("""
WITH RECURSIVE plies (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM plies WHERE i < :plies)
INSERT INTO events (game_id, revision, kind, move, actor_id, source_id, at)
SELECT id, i, CASE i WHEN 0 THEN 'start' ELSE 'move' END, CASE i WHEN 0 THEN NULL ELSE 'a1-b2' END,
       1, id * 1000 + i, 7
FROM games, plies WHERE state = 'finished' ORDER BY id, i
""")
_BOARDS = text("""
INSERT INTO deliveries (kind, key, guild_id, channel_id, game_id, revision, way, message_id, data,
                        silent, created_at, due_at, tries, tried_at, sent_at)
SELECT 'board', game_id || '-' || revision, 4194304, game_id, game_id, revision, 'channel',
       source_id, '{}', FALSE, 7, 7, 1, 7, 7
FROM events
""")


async def finished_games(engine: AsyncEngine, count: int, plies: int = 97) -> None:
    """Fill an empty database, whose tables are there, with so many games that are over.

    Each has so many moves, and each of their boards was sent. They were played by 1 and 2, in
    channels whose numbers are theirs, and their sources are below 2**32 for up to 4 million games.
    """
    numbers = {"count": count, "plies": plies}
    async with engine.begin() as connection:
        if count:
            await connection.execute(_GAMES, numbers)
            await connection.execute(_EVENTS, {"plies": plies})
            await connection.execute(_BOARDS)
