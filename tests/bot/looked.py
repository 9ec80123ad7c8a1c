"""Helpers that check games with clocks when a test says so."""

from datetime import datetime, timedelta

from bot.base.ids import ChannelId, GameId, GuildId, Shards, UserId
from bot.database.delivery_rows import BOARD, THREAD
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game
from bot.play.model.terms import ColorChoice, Start
from bot.play.store.store import Store
from dvonn import format_move
from tests.bot.table import ANN, BOB, CHANNEL, GUILD, Table

ALL = Shards((0,), 1)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
THREE_DAYS = TimeControl(bank=3 * DAY, increment=DAY, cap=3 * DAY)


async def start(
    table: Table, channel: ChannelId = CHANNEL, *, clock: TimeControl | None = THREE_DAYS
) -> Game:
    """A game between Ann, who is to move, and Bob."""
    challenge = await table.challenge(clock=clock, channel=channel)
    return (await table.accept(challenge)).game


async def look(table: Table) -> None:
    """Check all games that are due, as the bot does regularly."""

    async def heard_until() -> datetime:
        return table.clock()

    for game, seen in (await table.timekeeper.due(ALL)).items():
        await table.timekeeper.check(game, seen, received_until=heard_until)


async def due_games(store: Store, now: datetime, shards: Shards = ALL) -> list[GameId]:
    """Return the games with a board or thread that is due at a moment, in order."""
    rows = await store.deliveries.due([BOARD, THREAD], shards, now)
    return list(dict.fromkeys(row.event_key[0] for row in rows))


async def begun(
    table: Table,
    white: UserId = ANN,
    black: UserId = BOB,
    *,
    channel: ChannelId = CHANNEL,
    turns: int = 5,
    clock: TimeControl | None = None,
    level: int | None = None,
    rated: bool | None = True,
    guild: GuildId = GUILD,
) -> Game:
    """A game on a balanced board in which both players have moved a number of times."""
    challenge = await table.challenge(
        black,
        challenger=white,
        colour=ColorChoice.WHITE,
        start=Start.BALANCED,
        clock=clock,
        level=level,
        channel=channel,
        guild=guild,
        rated=rated,
    )
    game = (await table.accept(challenge, black)).game
    while min(game.turns_of(white), game.turns_of(black)) < turns:
        assert game.to_move is not None
        move = game.position.legal_moves()[0]
        game = (await table.play(game.to_move, format_move(move), channel)).game
    return game
