"""Rows about finished games: ratings, records, tournaments, badges.

As in `tests.finished`, the database makes them itself, from the existing games.
"""

from typing import Final

from sqlalchemy import text

from bot.database.connection import AsyncEngine

EACH: Final = 10
"""One of this many finished games was played in a tournament."""
_GAMES: Final = 12
"""Number of games in each tournament: eight people in three rounds."""
_SPAN: Final = EACH * _GAMES
_SEATS: Final = (("white", "black", "W"), ("black", "white", "B"))
_POOLS: Final = ("guild_id", "0")

_RATED = """
UPDATE games SET rated = TRUE, rated_at = ended_at + id WHERE outcome = 'count'
"""
_CHANGES = """
INSERT INTO rating_changes (game_id, guild_id, player_id, pace, at, number, score, opponent_id,
    opponent_rating, opponent_deviation, since, rating_before, deviation_before, volatility_before,
    rating_after, deviation_after, volatility_after)
SELECT id, {pool}, {seat}_id, 'slow', rated_at, 10, CASE WHEN winner = '{colour}' THEN 1 ELSE 0 END,
    {other}_id, 1500, 80, 7, 1500 + id % 211, 80, 0.06, 1500 + (id + 17) % 211, 79, 0.06
FROM games WHERE rated_at IS NOT NULL
"""
_RATINGS = """
INSERT INTO ratings (guild_id, pace, player_id, rating, deviation, volatility, rated_at, settled,
    games, won, drawn, lost, best)
SELECT guild_id, pace, player_id, 1000 + player_id % 1000, 79, 0.06, MAX(at), TRUE, COUNT(*),
    CAST(SUM(score) AS INTEGER), 0, COUNT(*) - CAST(SUM(score) AS INTEGER), 1800
FROM rating_changes GROUP BY guild_id, pace, player_id
"""
_RECORDS = """
INSERT INTO records (guild_id, player_id, machine, colour, start, won, drawn, lost, last_at)
SELECT {pool}, {seat}_id, FALSE, '{colour}', start,
    SUM(CASE WHEN winner = '{colour}' THEN 1 ELSE 0 END), 0,
    SUM(CASE WHEN winner <> '{colour}' THEN 1 ELSE 0 END), MAX(ended_at)
FROM games WHERE outcome = 'count' GROUP BY {pool_key}{seat}_id, start
"""
# Every tenth is a ladder.
_TOURNAMENTS = """
INSERT INTO tournaments (id, guild_id, channel_id, by_id, name, format, start, clock, coordinates,
    rated, rounds, state, version, round, round_began, created_at,
    began_at, ended_at)
WITH RECURSIVE numbers (n) AS
    (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})
SELECT n, (1 + n % {guilds}) * 4194304, 500, 1, 'Cup ' || n,
    CASE n % 10 WHEN 0 THEN 'ladder' ELSE 'swiss' END, 'placement', 'none', 'standard', TRUE, 3,
    'done', 40, 3, 7, 7, 7, 7
FROM numbers
"""
_PLAYED = """
UPDATE games SET tournament_id = 1 + (id - {first}) / {span}
WHERE outcome = 'count' AND (id - {first}) % {each} = 0
"""
_PAIRINGS = """
INSERT INTO pairings (tournament_id, round, board, white, black, result, forfeit, margin, game_id,
    message_id, paired_at)
SELECT tournament_id, 1 + k / 4, 1 + k % 4, 1 + k % 4, 5 + (k % 4 + k / 4) % 4, 'white', FALSE, 3,
    id, id * 1000, 7
FROM (SELECT id, tournament_id, (id - {first}) % {span} / {each} AS k FROM games
      WHERE tournament_id IS NOT NULL) AS played
"""
_ENTRANTS = """
INSERT INTO entrants (tournament_id, number, player_id, seed, rating, joined_round, joined_at,
    checked_in, withdrawn)
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 8)
SELECT id, n, 1 + (id * 8 + n) % (2 * {pairs}), n, 1500, 1, 7, TRUE, FALSE
FROM tournaments, numbers
"""
_BADGES = """
UPDATE entrants SET earned_at = 7 WHERE number = 1
"""
_NEWS = """
INSERT INTO deliveries (kind, key, guild_id, channel_id, way, message_id, data, silent, created_at,
    due_at, tries, tried_at, sent_at)
SELECT 'tournament_news', id || '-{what}', guild_id, channel_id, 'channel', id * 1000, '{{}}',
    FALSE, 7, 7, 1, 7, 7
FROM tournaments
"""
_ANNOUNCED = """
INSERT INTO deliveries (kind, key, guild_id, channel_id, game_id, way, message_id, data, silent,
    created_at, due_at, tries, tried_at, sent_at)
SELECT 'pairing', tournament_id || '-' || pairings.round || '-' || board, guild_id, channel_id,
    game_id, 'channel', message_id, '{}', FALSE, 7, 7, 1, 7, 7
FROM pairings JOIN tournaments ON tournaments.id = tournament_id
"""


async def finished_events(
    engine: AsyncEngine, count: int, *, first: int = 1, guilds: int = 1, pairs: int = 1
) -> None:
    """Add ratings, records, tournaments and badges to a database with finished games.

    All games counted for ratings and records. One in `EACH` was played in a tournament of eight,
    and every tenth of these was a ladder. Tournament standings follow entrant numbers, regardless
    of who played the games.

    Args:
        engine: The database, after `tests.finished.finished_games`.
        count: Number of games, with consecutive ids.
        first: Id of the first game.
        guilds: Like `finished_games`.
        pairs: Like `finished_games`.
    """
    if not count:
        return
    made = {
        "first": first,
        "span": _SPAN,
        "each": EACH,
        "guilds": guilds,
        "pairs": pairs,
        "count": (count - 1) // _SPAN + 1,
    }
    statements = [_RATED, *(_CHANGES.format(**which) for which in _tables_of_ratings()), _RATINGS]
    statements += [_RECORDS.format(**which) for which in _tables_of_ratings()]
    statements += [item.format(**made) for item in (_TOURNAMENTS, _PLAYED, _PAIRINGS)]
    statements += [_ENTRANTS.format(**made), _BADGES]
    statements += [_NEWS.format(what=what) for what in ("created-0", "check_in-0", "ended-0")]
    statements += [_ANNOUNCED]
    async with engine.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement))


def _tables_of_ratings() -> list[dict[str, str]]:
    """Return who had which color, and in which pool it counted."""
    return [
        {
            "pool": pool,
            "pool_key": "" if pool == "0" else f"{pool}, ",
            "seat": seat,
            "other": other,
            "colour": colour,
        }
        for pool in _POOLS
        for seat, other, colour in _SEATS
    ]
