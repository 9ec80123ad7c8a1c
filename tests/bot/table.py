"""The use cases as tests drive them, and the people in them."""

from datetime import datetime
from random import Random
from typing import TYPE_CHECKING, TypeVar

from bot.base.ids import (
    ChallengeId,
    ChannelId,
    GuildId,
    MessageId,
    Revision,
    Shards,
    SourceId,
    UserId,
)
from bot.composition import use_cases
from bot.features.guesses.hook import Revealed
from bot.features.guesses.model import Reveal
from bot.features.guesses.use_cases import Guessing
from bot.features.plans.use_cases import Planning
from bot.features.practice.use_cases import Practising
from bot.features.profiles.use_cases.leaderboards import Leaderboards
from bot.features.profiles.use_cases.profiles import Profiles
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.features.ratings.hook import Rated
from bot.features.ratings.model.rated import Verdict
from bot.features.ratings.use_cases import Ratings
from bot.features.reminders.use_cases import Reminders
from bot.features.reviews.use_cases import Reviews
from bot.features.tournaments.hook import InTournament
from bot.features.tournaments.model.results import Brought
from bot.features.tournaments.use_cases.director import Director
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.play.hooks import Aftermath
from bot.play.model.clock import TimeControl
from bot.play.model.conduct import Venue
from bot.play.model.events import Moved, Told
from bot.play.model.game import Game
from bot.play.model.outcome import How
from bot.play.model.terms import ChallengeRow, ChallengeTerms, ColourChoice, Place, Start
from bot.play.store.tables import Store
from bot.play.use_cases.archive import Archive
from bot.play.use_cases.update import Update
from dvonn import Coordinates, Move, format_move

if TYPE_CHECKING:
    from tests.bot.conftest import Clock

ANN, BOB, CID = UserId(101), UserId(102), UserId(103)
ALL = Shards((0,), 1)
GUILD, CHANNEL, MESSAGE = GuildId(1 << 22), ChannelId(500), MessageId(600)


def venue(channel: ChannelId = CHANNEL, *, has_threads: bool = True) -> Venue:
    """A channel where the bot may do everything."""
    return Venue(channel=channel, home=channel, has_threads=has_threads)


def how(game: Game) -> How | None:
    """By what a game has ended, if it has."""
    return None if game.outcome is None else game.outcome.how


def moved(told: Told) -> Moved:
    """The placement or movement that is told."""
    assert isinstance(told.event.what, Moved), told.event
    return told.event.what


class Table:
    """The use cases, with every source a new one, and challenges made without haste."""

    def __init__(
        self, store: Store, clock: "Clock", *, kept_games: int = 1_000, reviews: bool = False
    ) -> None:
        self.store = store
        self.clock = clock
        self.archive = archive = Archive(store, size=kept_games)
        does = use_cases(store, now=clock, rng=Random(7), archive=archive, has_machine=reviews)
        self.does = does
        self.lobby = does.lobby
        self.rematches = does.rematches
        self.games = does.games
        self.leaving = does.leaving
        self.offers = does.offers
        self.ratings = does.of(Ratings)
        self.pie = does.pie
        self.planning = does.of(Planning)
        self.calling = does.of(Guessing)
        self.stand_in = does.stand_in
        self.timekeeper = does.timekeeper
        self.reminders = does.of(Reminders)
        self.reviews = does.of(Reviews)
        self.practising = does.of(Practising)
        self.clocks = does.clocks
        self.vacations = does.vacations
        self.choices = does.choices
        self.previews = does.previews
        self.blocks = does.blocks
        self.servers = does.servers
        self.styles = does.store.styles
        self.puzzles = does.of(Puzzles)
        self.privacy = does.privacy
        self.votes = does.votes
        self.fair_play = does.fair_play
        self.dailies = does.of(Dailies)
        self.tournaments = does.of(Tournaments)
        self.director = does.of(Director)
        self.seasons = does.of(Seasons)
        self.profiles = does.of(Profiles)
        self.leaderboards = does.of(Leaderboards)
        self.last_source = 1_000
        self._channels: dict[ChallengeId, ChannelId] = {}

    def source(self) -> SourceId:
        self.last_source += 1
        return SourceId(self.last_source)

    async def challenge(
        self,
        opponent: UserId | None = BOB,
        *,
        challenger: UserId = ANN,
        guild: GuildId = GUILD,
        colour: ColourChoice = ColourChoice.WHITE,
        coordinates: Coordinates = Coordinates.STANDARD,
        start: Start = Start.PLACEMENT,
        clock: TimeControl | None = None,
        level: int | None = None,
        place: Place = Place.HERE,
        channel: ChannelId = CHANNEL,
        where: Venue | None = None,
        rated: bool | None = False,
    ) -> ChallengeId:
        terms = ChallengeTerms(
            guild=guild,
            channel=channel,
            challenger=challenger,
            opponent=opponent,
            colour=colour,
            coordinates=coordinates,
            start=start,
            clock=clock,
            level=level,
            place=place,
            rated=rated,
        )
        self.clock.advance(seconds=12)
        row = await self.lobby.challenge(
            terms, opponent_is_bot=False, venue=where or venue(channel), source=self.source()
        )
        self._channels[row.id] = channel
        return row.id

    async def accept(
        self,
        challenge: ChallengeId,
        user: UserId = BOB,
        *,
        message: MessageId = MESSAGE,
        where: Venue | None = None,
    ) -> Update:
        _, update = await self.lobby.accept(
            challenge,
            user,
            message=message,
            venue=where or venue(self._channels.get(challenge, CHANNEL)),
            source=self.source(),
        )
        return update

    async def abort(self, user: UserId) -> Update:
        """Press Abort, and Yes, under the newest board."""
        row = (await self.games.here(CHANNEL)).row
        return await self.leaving.abort(row.id, row.revision, user, source=self.source())

    async def play(self, user: UserId, text: str, channel: ChannelId = CHANNEL) -> Update:
        return await self.games.play(channel, user, text, source=self.source())

    async def play_out(self, moves: list[Move], upto: int | None = None) -> Update:
        """Play moves in turn, by whoever is to move."""
        for move in moves[:upto]:
            game = await self.games.here(CHANNEL)
            assert game.to_move is not None
            update = await self.play(game.to_move, format_move(move, game.row.coordinates))
        return update

    async def ended(self) -> Game:
        """A game that Ann has lost to Bob."""
        game = (await self.accept(await self.challenge())).game
        update = await self.leaving.resign(game.row.id, Revision(0), ANN, source=self.source())
        return update.game

    async def rematch(self, game: Game, user: UserId) -> tuple[ChallengeRow, Update | None]:
        """Ask for a rematch under the last board."""
        return await self.rematches.ask(
            game, user, message=MessageId(601), venue=venue(), source=self.source()
        )

    async def look(self, *, heard: datetime | None = None) -> list[Update]:
        """Look at all games that are due, having heard everything until a moment: until now."""

        async def surely() -> datetime:
            return heard or self.clock()

        found = []
        for game, seen in (await self.timekeeper.due(ALL)).items():
            update = await self.timekeeper.look(game, seen, heard=surely)
            found += [] if update is None else [update]
        return found


A = TypeVar("A", bound=Aftermath)


def aftermath(update: Update, kind: type[A]) -> A | None:
    """What an update has brought, of one kind."""
    return next((one for one in update.aftermath if isinstance(one, kind)), None)


def reveals_of(update: Update) -> tuple[Reveal, ...]:
    found = aftermath(update, Revealed)
    return () if found is None else found.reveals


def verdict_of(update: Update) -> Verdict | None:
    found = aftermath(update, Rated)
    return None if found is None else found.verdict


def brought_of(update: Update) -> Brought | None:
    found = aftermath(update, InTournament)
    return None if found is None else found.brought
