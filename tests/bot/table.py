"""The use cases and the people that tests drive them with."""

from collections.abc import Awaitable
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from bot.base import ids
from bot.composition import use_cases
from bot.people.use_cases.blocks import Blocks
from bot.people.use_cases.choices import PersonalSettings
from bot.people.use_cases.personal_data import Privacy
from bot.people.use_cases.servers import ServerSettings
from bot.play.game_changes import BoardAddition, GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.conduct import Venue
from bot.play.model.events import AppliedEvent, Moved
from bot.play.model.game import Game, Offer
from bot.play.model.pauses import Pauses
from bot.play.model.terms import ChallengeRow, ChallengeTerms, ColorChoice, EndReason, Place, Start
from bot.play.store.store import Store
from bot.play.store.timers import PauseTable
from bot.play.use_cases.game_cache import GameCache
from dvonn import Coordinates, Move, Position, format_move
from dvonn._records.position_text import PrintedPosition
from dvonn.machine import LEVELS, NO_LEVELS

if TYPE_CHECKING:
    from tests.bot.conftest import Clock

T = TypeVar("T")
E = TypeVar("E", bound=Exception)

ANN, BOB, CID = ids.UserId(101), ids.UserId(102), ids.UserId(103)
ALL = ids.Shards((0,), 1)
GUILD, CHANNEL, MESSAGE = ids.GuildId(1 << 22), ids.ChannelId(500), ids.MessageId(600)


def venue(channel: ids.ChannelId = CHANNEL, *, has_threads: bool = True) -> Venue:
    """A channel in which the bot has all permissions."""
    return Venue(channel=channel, home=channel, has_threads=has_threads)


async def raises(kind: type[E], doing: Awaitable[object]) -> E:
    """Expect a refusal, and return it."""
    with pytest.raises(kind) as caught:
        await doing
    return caught.value


def how(game: Game) -> EndReason | None:
    """Return the outcome of an ended game, or None."""
    return None if game.outcome is None else game.outcome.reason


def moved(told: AppliedEvent) -> Moved:
    """Return the placement or movement that an update announces."""
    assert isinstance(told.event.data, Moved), told.event
    return told.event.data


class BoardsArrive(PauseTable):
    """Return the pauses as if every board was delivered at once. Nothing sends boards here."""

    async def since(self, *args: Any, **about: Any) -> Pauses:
        about.pop("board", None)
        return await super().since(*args, **about)

    async def delays(self, *_: Any, **_about: Any) -> list[Any]:
        return []


class Table:
    """The use cases, with a new source for every action, and without waiting between challenges."""

    def __init__(
        self,
        store: Store,
        clock: "Clock",
        *,
        kept_games: int = 1_000,
        reviews: bool = False,
        boards_arrive: bool = True,
    ) -> None:
        if boards_arrive:
            store.pauses = store.queries(BoardsArrive)
        self.store = store
        self.clock = clock
        self.reviews = reviews
        self.game_cache = game_cache = GameCache(store, size=kept_games)
        does = use_cases(
            store,
            now=clock,
            rng=Random(7),
            game_cache=game_cache,
            levels=LEVELS if reviews else NO_LEVELS,
        )
        self.does = does
        self.lobby = does.lobby
        self.rematches = does.rematches
        self.games = does.games
        self.leaving = does.leaving
        self.offers = does.offers
        self.stand_in = does.stand_in
        self.timekeeper = does.timekeeper
        self.clocks = does.clocks
        self.vacations = does.vacations
        self.choices = does.require(PersonalSettings)
        self.blocks = does.require(Blocks)
        self.servers = does.require(ServerSettings)
        self.styles = does.store.styles
        self.privacy = does.require(Privacy)
        self.fair_play = does.fair_play
        self.last_source = 1_000
        self._channels: dict[ids.ChallengeId, ids.ChannelId] = {}

    def of(self, kind: type[T]) -> T:
        """Return the use cases of a feature."""
        return self.does.require(kind)

    def source(self) -> ids.SourceId:
        self.last_source += 1
        return ids.SourceId(self.last_source)

    async def challenge(
        self,
        opponent: ids.UserId | None = BOB,
        *,
        challenger: ids.UserId = ANN,
        guild: ids.GuildId = GUILD,
        colour: ColorChoice = ColorChoice.WHITE,
        coordinates: Coordinates = Coordinates.STANDARD,
        start: Start = Start.PLACEMENT,
        position: Position | None = None,
        clock: TimeControl | None = None,
        level: int | None = None,
        place: Place = Place.HERE,
        channel: ids.ChannelId = CHANNEL,
        where: Venue | None = None,
        rated: bool | None = False,
        strict: bool = True,
    ) -> ids.ChallengeId:
        terms = ChallengeTerms(
            guild=guild,
            channel=channel,
            challenger=challenger,
            opponent=opponent,
            colour=colour,
            coordinates=coordinates,
            start=start if position is None else Start.POSITION,
            position=None if position is None else PrintedPosition(position),
            clock=clock,
            level=level,
            place=place,
            rated=rated,
            strict=strict,
        )
        self.clock.advance(seconds=12)
        row = await self.lobby.challenge(
            terms, opponent_is_bot=False, venue=where or venue(channel), source=self.source()
        )
        self._channels[row.id] = channel
        return row.id

    async def accept(
        self,
        challenge: ids.ChallengeId,
        user: ids.UserId = BOB,
        *,
        message: ids.MessageId = MESSAGE,
        where: Venue | None = None,
    ) -> GameUpdate:
        _, update = await self.lobby.accept(
            challenge,
            user,
            message=message,
            venue=where or venue(self._channels.get(challenge, CHANNEL)),
            source=self.source(),
        )
        return update

    async def begin(self, opponent: ids.UserId | None = BOB, **terms: Any) -> Game:
        """Challenge a user who accepts. Return the game."""
        challenge = await self.challenge(opponent, **terms)
        where = terms.get("where")
        return (await self.accept(challenge, opponent or BOB, where=where)).game

    async def resign(self, game: Game, user: ids.UserId = ANN) -> GameUpdate:
        """Resign with *Resign* and *Yes* under a board."""
        row = game.row
        return await self.leaving.resign(row.id, row.revision, user, source=self.source())

    async def end(self, user: ids.UserId = CID, channel: ids.ChannelId = CHANNEL) -> GameUpdate:
        """End a game as a moderator."""
        return await self.leaving.abort_here(channel, user, source=self.source())

    async def ask(
        self, user: ids.UserId, what: Offer, channel: ids.ChannelId = CHANNEL
    ) -> GameUpdate:
        """Make an offer, or accept the same one."""
        return await self.offers.ask(channel, user, what, source=self.source())

    async def agree(self, game: Game, user: ids.UserId) -> GameUpdate:
        """Press Accept under a board."""
        row = game.row
        return await self.offers.accept(row.id, row.revision, user, source=self.source())

    async def decline(self, game: Game, user: ids.UserId) -> GameUpdate:
        """Press Decline under a board."""
        row = game.row
        return await self.offers.decline(row.id, row.revision, user, source=self.source())

    async def abort(self, user: ids.UserId) -> GameUpdate:
        """Press Abort and Yes under the newest board."""
        row = (await self.game_cache.running_in(CHANNEL)).row
        return await self.leaving.abort(row.id, row.revision, user, source=self.source())

    async def play(
        self, user: ids.UserId, text: str, channel: ids.ChannelId = CHANNEL
    ) -> GameUpdate:
        return await self.games.play(channel, user, text, source=self.source())

    async def move(self, game: Game, move: object = None) -> GameUpdate:
        """Play the first legal move, or another one, as the player to move."""
        assert game.to_move is not None
        chosen = game.position.legal_moves()[0] if move is None else move
        return await self.play(game.to_move, str(chosen), game.row.channel)

    async def play_out(self, moves: list[Move], upto: int | None = None) -> GameUpdate:
        """Play moves in turn, as the player to move."""
        for move in moves[:upto]:
            game = await self.game_cache.running_in(CHANNEL)
            assert game.to_move is not None
            update = await self.play(game.to_move, format_move(move, game.row.coordinates))
        return update

    async def ended(self) -> Game:
        """A game that Ann has lost to Bob."""
        game = (await self.accept(await self.challenge())).game
        update = await self.leaving.resign(game.row.id, ids.Revision(0), ANN, source=self.source())
        return update.game

    async def rematch(self, game: Game, user: ids.UserId) -> tuple[ChallengeRow, GameUpdate | None]:
        """Ask for a rematch under the last board."""
        return await self.rematches.ask(
            game, user, message=ids.MessageId(601), venue=venue(), source=self.source()
        )

    async def look(self, *, heard: datetime | None = None) -> list[GameUpdate]:
        """Check all games that are due, with all events received up to a moment, by default now."""

        async def surely() -> datetime:
            return heard or self.clock()

        found = []
        for game, seen in (await self.timekeeper.due(ALL)).items():
            update = await self.timekeeper.check(game, seen, received_until=surely)
            found += [] if update is None else [update]
        return found


A = TypeVar("A", bound=BoardAddition)


def aftermath(update: GameUpdate, kind: type[A]) -> A | None:
    """Return the values of one kind in an update."""
    return next((addition for addition in update.additions if isinstance(addition, kind)), None)
