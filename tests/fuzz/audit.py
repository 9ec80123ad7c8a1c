"""A model of permissions, compared with the database.

- Every action was requested: each event, challenge and setting goes back to an interaction that
Discord vouched for, with its id and user. - Only players change games, only the player to move
moves, and each game's events are legal. - A challenge is accepted by the person it asks, never by
its challenger. - Settings for moderators never change, because no moderator has asked.
"""

import json
import sqlite3
from contextlib import closing
from typing import Any

from dvonn import Color, IllegalMoveError, Position, parse_move
from dvonn.even_boards import even_start
from tests.e2e.bot_process import BotProcess
from tests.e2e.conftest import Club

_BY_ITSELF = {"listed", "only"}
"""The reasons of automatic moves."""
_STARTS = {"balanced": even_start}


class Claims:
    """The sender of each interaction."""

    def __init__(self) -> None:
        self._by_source: dict[int, int] = {}
        self.people: set[int] = set()

    def note(self, whole: dict[str, Any]) -> None:
        """Remember the sender of an interaction, which Discord vouches for."""
        sender = int((whole["member"]["user"] if "member" in whole else whole["user"])["id"])
        self._by_source[int(whole["id"])] = sender
        self.people.add(sender)

    def sender(self, source: int) -> int | None:
        """Return the sender of an interaction, if it was one of these."""
        return self._by_source.get(source)


def untouchable(bot: BotProcess, club: Club) -> list[object]:
    """The rows that nobody who asks may change."""
    with closing(sqlite3.connect(bot.folder / "dvonn.sqlite3")) as database:
        return _untouchable(database, club)


def _untouchable(database: sqlite3.Connection, club: Club) -> list[object]:
    players = (club.ann.id, club.bob.id)
    quiet = "SELECT id FROM games WHERE id = 1"
    return [
        database.execute("SELECT * FROM guild_settings").fetchall(),
        database.execute("SELECT * FROM game_channels").fetchall(),
        database.execute("SELECT * FROM channel_settings").fetchall(),
        database.execute("SELECT * FROM games WHERE id = 1").fetchall(),
        database.execute(f"SELECT * FROM events WHERE game_id IN ({quiet})").fetchall(),  # noqa: S608 - the words above
        database.execute("SELECT * FROM plans WHERE player_id IN (?, ?)", players).fetchall(),
        database.execute("SELECT * FROM players WHERE player_id IN (?, ?)", players).fetchall(),
        database.execute("SELECT * FROM vacations WHERE player_id IN (?, ?)", players).fetchall(),
    ]


def audit(bot: BotProcess, club: Club, claims: Claims) -> tuple[list[object], int, list[str]]:
    """Return the untouchable rows, the number of events from interactions, and all faults."""
    with closing(sqlite3.connect(bot.folder / "dvonn.sqlite3")) as database:
        database.row_factory = sqlite3.Row
        games = {row["id"]: row for row in database.execute("SELECT * FROM games")}
        events = database.execute("SELECT * FROM events ORDER BY game_id, revision").fetchall()
        challenges = database.execute("SELECT * FROM challenges").fetchall()
        faults = [
            *_actors(events, claims, games),
            *(fault for game in games.values() for fault in _rules(game, events)),
            *_challenges(challenges, events, claims),
            *_own(database, claims),
        ]
        database.row_factory = None
        asked = sum(claims.sender(row["source_id"] or 0) is not None for row in events)
        return _untouchable(database, club), asked, faults


def _actors(events: list[sqlite3.Row], claims: Claims, games: dict[int, sqlite3.Row]) -> list[str]:
    """Find events in the name of another user, or of a user who doesn't play."""
    found = []
    for row in events:
        sender = claims.sender(row["source_id"] or 0)
        what = f"game {row['game_id']} revision {row['revision']} ({row['kind']})"
        if sender not in (None, row["actor_id"]):
            found.append(f"{what}: {sender} acted as {row['actor_id']}")
        game = games[row["game_id"]]
        if row["actor_id"] not in (game["white_id"], game["black_id"]):
            found.append(f"{what}: {row['actor_id']} does not play")
    return found


def _rules(game: sqlite3.Row, events: list[sqlite3.Row]) -> list[str]:
    """Find games with illegal moves, or moves out of turn.

    Games with takebacks or a random placement are left to the bot's own tests.
    """
    own = [row for row in events if row["game_id"] == game["id"]]
    if {"takeback", "finish"} & {row["kind"] for row in own}:
        return []
    position = Position.initial()
    for move in _STARTS[game["start"]](game["seed"]) if game["start"] in _STARTS else ():
        position = position.play(move)
    for row in own:
        if row["kind"] != "move":
            continue
        data = json.loads(row["data"])
        mover = game["white_id"] if position.turn is Color.WHITE else game["black_id"]
        if row["actor_id"] != mover:
            told = [tuple(item) for item in own if item["revision"] <= row["revision"]][-4:]
            return [f"game {tuple(game)}: {row['actor_id']} moved out of turn: {told}"]
        if row["source_id"] is None and data.get("why") not in _BY_ITSELF:
            return [f"game {game['id']}: a move that nobody asked for"]
        try:
            position = position.play(parse_move(data["move"]))
        except IllegalMoveError as error:
            return [f"game {game['id']}: {error}"]
    return []


def _challenges(
    challenges: list[sqlite3.Row], events: list[sqlite3.Row], claims: Claims
) -> list[str]:
    starts = {row["game_id"]: row["actor_id"] for row in events if row["kind"] == "start"}
    found = []
    for row in challenges:
        sender = claims.sender(row["source_id"])
        if sender not in (None, row["challenger_id"]):
            found.append(f"challenge {row['id']}: {sender} challenged as {row['challenger_id']}")
        if row["state"] != "accepted":
            continue
        acceptor = starts[row["game_id"]]
        if acceptor == row["challenger_id"] or row["opponent_id"] not in (None, acceptor):
            found.append(f"challenge {row['id']}: accepted by {acceptor}")
    return found


def _own(database: sqlite3.Connection, claims: Claims) -> list[str]:
    """Find settings of people who never asked for them."""
    rows = database.execute(
        "SELECT player_id FROM players UNION SELECT player_id FROM vacations"
    ).fetchall()
    return [f"{row[0]} has never chosen that" for row in rows if row[0] not in claims.people]
