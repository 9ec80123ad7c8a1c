"""Databases full of finished games, made by the database itself at thousands per second."""

from sqlalchemy import text

from bot.database.connection import AsyncEngine

_GAMES = """
WITH RECURSIVE numbers (i) AS
    (SELECT {first} UNION ALL SELECT i + 1 FROM numbers WHERE i < {first} + {count} - 1)
INSERT INTO games (id, guild_id, channel_id, white_id, black_id, coordinates, start, seed, clock,
                   revision, outcome, winner, margin, own_thread, created_at, ended_at)
SELECT i, CAST(1 + i % {guilds} AS BIGINT) * 4194304, i, 1 + i % {pairs} * 2, 2 + i % {pairs} * 2,
       'standard', 'placement', 0, 'none', {plies}, 'count', 'W', 3, FALSE, 7, 7
FROM numbers
"""
_STARTS = text("""
INSERT INTO events (game_id, revision, kind, data, actor_id, source_id, at)
SELECT id, 0, 'start', '{}', 1, id * 1000, 7 FROM games WHERE outcome = 'count' ORDER BY id
""")
_MOVES = text("""
WITH RECURSIVE plies (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM plies WHERE i < :plies)
INSERT INTO events (game_id, revision, kind, data, actor_id, source_id, at)
SELECT id, i, 'move', '{"move": "a1-b2"}', 1, id * 1000 + i, 7
FROM games, plies WHERE outcome = 'count' ORDER BY id, i
""")
_BOARDS = text("""
INSERT INTO deliveries (kind, key, guild_id, channel_id, game_id, revision, way, message_id, data,
                        silent, created_at, due_at, tries, tried_at, sent_at)
SELECT 'board', game_id || '-' || events.revision, guild_id, channel_id, game_id, events.revision,
       'channel', source_id, '{}', FALSE, 7, 7, 1, 7, 7
FROM events JOIN games ON games.id = events.game_id WHERE outcome = 'count'
ORDER BY game_id, events.revision
""")


async def finished_games(
    engine: AsyncEngine,
    count: int,
    plies: int = 97,
    *,
    first: int = 1,
    guilds: int = 1,
    pairs: int = 1,
) -> None:
    """Fill a database that has only empty tables with `count` finished games.

    All boards of each game were sent. The first pair of players is 1 and 2. A game's channel has
    the game's id, and its sources are below 2**32 for up to 4 million games. Server ids are like
    Discord's, from 4194304 on.

    Args:
        engine: The database.
        count: Number of games.
        plies: Number of moves in each game.
        first: Id of the first game.
        guilds: Number of servers, used in turn.
        pairs: Number of pairs of players, used in turn.
    """
    of_games = _GAMES.format(first=first, count=count, plies=plies, guilds=guilds, pairs=pairs)
    async with engine.begin() as connection:
        if count:
            await connection.execute(text(of_games))
            await connection.execute(_STARTS)
            await connection.execute(_MOVES, {"plies": plies})
            await connection.execute(_BOARDS)
