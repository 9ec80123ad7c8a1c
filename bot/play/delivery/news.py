"""The base of the messages about a game's events: boards, and short words about offers."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog

from bot.base.errors import StoreError
from bot.base.ids import BEFORE_START, MessageId
from bot.connection.channels import Channels
from bot.connection.delivery_kinds import Kind, Parcel
from bot.connection.names import Names
from bot.connection.posts import Post
from bot.connection.requests import TROUBLE, as_courtesy
from bot.connection.work import Work
from bot.database.rows import AWAY, Delivery
from bot.play.deleted_channels import DeletedChannels
from bot.play.model.preferences import Bell
from bot.play.readers import Readers
from bot.play.store.tables import Store
from bot.play.use_cases.cases import UseCases
from bot.play.use_cases.fair_play import FairPlay
from bot.play.use_cases.games import Games
from bot.play.use_cases.preferences import Choices
from bot.play.use_cases.update import Update
from bot.play.words.buttons import BoardPart

_log = structlog.get_logger()

_NONCES = 100_000
"""A nonce has room for 25 characters."""


@dataclass(frozen=True, slots=True)
class NewsServices:
    """The services with which messages about a game are made."""

    channels: Channels
    store: Store
    games: Games
    choices: Choices
    fair_play: FairPlay
    readers: Readers
    deleted_channels: DeletedChannels
    work: Work
    board_parts: Sequence[BoardPart]

    async def untold(self, row: Delivery) -> Update:
        """Return all untold news when a row goes out."""
        game, revision = row.turn
        deliveries = self.store.deliveries
        told = (
            await deliveries.newest_told(game, revision, by=[AWAY])
            if row.kind == AWAY
            else await deliveries.newest_told(game, revision)
        )
        update = await self.games.untold(game, revision, BEFORE_START if told is None else told)
        return replace(update, is_held=await self.fair_play.holds(update.game))


class NewsKind(Kind):
    """News of a game go out in order, and tell all that was not told before."""

    in_order = True

    def __init__(self, services: NewsServices) -> None:
        super().__init__(services.channels)
        self.services = services

    @abstractmethod
    def news(self, row: Delivery, update: Update) -> Parcel:
        """Return the message of an update that is at hand."""

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Prepare one message with all untold news."""
        (row,) = rows
        return self.news(row, await self.services.untold(row))

    async def find(self, row: Delivery) -> MessageId | None:
        """Find the message in the channel, unless the bot is not in it and may read nothing."""
        return None if await self.is_visiting(row) else await super().find(row)

    async def is_visiting(self, row: Delivery) -> bool:
        """Tell whether the game of a row is played in a place that the bot is not in."""
        game = await self.services.store.games.get(row.turn[0])
        return game is not None and game.visiting

    async def whole(self, row: Delivery, update: Update) -> Update:
        """Return an update with the news that waited for it, up to the machine's answer."""
        return update if update.game.row.machine is None else await self.services.untold(row)

    async def refused(self, row: Delivery) -> None:
        """Deal with a refusal: perhaps the place of the game is no more."""
        await self.services.deleted_channels.look(row.turn[0])

    async def as_heard(self, post: Post) -> Post:
        """Return a post as those whom it calls want to hear of it at this hour."""
        return await as_heard(self.services.choices, post)

    def be_courteous(self, row: Delivery, courtesy: Coroutine[Any, Any, None]) -> None:
        """Tidy up beside the turn: tried once, and nothing depends on it."""
        self.services.work.start(_tried(row, courtesy))


async def as_heard(choices: Choices, post: Post) -> Post:
    """Return a post as those whom it calls want to hear of it at this hour.

    Where it rings for one, whoever has quiet hours is only named.
    """
    bells = {player: await choices.bell(player) for player in post.pings}
    for bell in (Bell.RINGS, Bell.SILENT):
        if called := tuple(player for player in post.pings if bells[player] is bell):
            return replace(post, pings=called, silent=bell is Bell.SILENT)
    return replace(post, pings=())


def nonce_of(update: Update) -> str:
    """Return the number by which Discord knows the news again for a few minutes."""
    event = update.told[-1].event
    # After a restored backup, another event may have the same game and revision.
    return f"{event.game}-{event.revision}-{int(event.at.timestamp()) % _NONCES}"


async def _tried(row: Delivery, courtesy: Coroutine[Any, Any, None]) -> None:
    try:
        with as_courtesy():
            await courtesy
    except TROUBLE as error:
        _log.info("a courtesy was refused", game=row.game, error=str(error))
    except StoreError:  # the store has told the host of it
        pass
    except Exception:
        _log.exception("a courtesy failed", game=row.game)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryContext:
    """The services from which a feature makes its kinds of deliveries."""

    cases: UseCases
    channels: Channels
    services: NewsServices
    names: Names
    readers: Readers
    render: Callable[[Post], Awaitable[bytes | None]]
    publish: Callable[[Update], Awaitable[bool]]
    now: Callable[[], datetime]
