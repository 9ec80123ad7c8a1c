"""Combines all use cases of the game and of features on one database."""

from collections.abc import Callable, Sequence
from datetime import datetime
from random import Random
from typing import TypeVar

from bot.base.retention import Retention
from bot.play.foresight import Foresight
from bot.play.game_changes import GameEvent, GameHook
from bot.play.model.game import GameRow
from bot.play.opponent import Opponent
from bot.play.store.store import Store
from bot.play.switches import Switch
from bot.play.teams import Teams
from bot.play.use_cases.clocks import GameClocks, Vacations
from bot.play.use_cases.endings import Endings
from bot.play.use_cases.fair_play import FairPlay
from bot.play.use_cases.game_cache import GameCache
from bot.play.use_cases.games import Games
from bot.play.use_cases.ledger import Ledger
from bot.play.use_cases.lobby import Lobby
from bot.play.use_cases.offers import Offers
from bot.play.use_cases.own_games import OwnGames
from bot.play.use_cases.rematches import Rematches
from bot.play.use_cases.takeovers import MachineTakeover
from bot.play.use_cases.timekeeper import Timekeeper
from bot.play.use_cases.undelivered import StuckGameNotices
from dvonn.machine import NO_LEVELS, STRONGEST

P = TypeVar("P")


class UseCases:
    """The use cases of the game, and those that features add.

    Ann challenges Bob, he accepts, and she places her first piece:

    >>> import asyncio, tempfile
    >>> from datetime import UTC
    >>> from bot.base import ids
    >>> from bot.base.database_address import database_address
    >>> from bot.database.opening import create_engine, migrate
    >>> from bot.play.model.conduct import Venue
    >>> from bot.play.model.terms import ChallengeTerms, ColorChoice, Place
    >>> from dvonn import Coordinates
    >>> ann, bob, channel = ids.UserId(1), ids.UserId(2), ids.ChannelId(3)
    >>> venue = Venue(channel=channel, home=channel, has_threads=True)
    >>> terms = ChallengeTerms(
    ...     guild=ids.GuildId(4),
    ...     channel=channel,
    ...     challenger=ann,
    ...     opponent=bob,
    ...     colour=ColorChoice.WHITE,
    ...     coordinates=Coordinates.STANDARD,
    ...     place=Place.HERE,
    ... )
    >>> async def play(folder):
    ...     engine = create_engine(database_address(f"sqlite:///{folder}/games.db"))
    ...     await migrate(engine)
    ...     store = Store(engine)
    ...     does = UseCases(store, now=lambda: datetime.now(UTC), rng=Random(1))
    ...     challenge = await does.lobby.challenge(
    ...         terms, opponent_is_bot=False, venue=venue, source=ids.SourceId(5)
    ...     )
    ...     await does.lobby.accept(
    ...         challenge.id, bob, message=ids.MessageId(6), venue=venue, source=ids.SourceId(7)
    ...     )
    ...     update = await does.games.play(channel, ann, "d2", source=ids.SourceId(8))
    ...     await store.close()
    ...     return update.game
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     game = asyncio.run(play(folder))
    >>> game.last, game.to_move == bob
    (Move(target='d2'), True)

    Each use case takes a `source`, the ID of a message or interaction. If Discord delivers it
    twice, the second call raises AlreadyHandled, and nothing is done twice.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], datetime],
        rng: Random,
        game_cache: GameCache | None = None,
        opponent: Opponent | None = None,
        levels: range = NO_LEVELS,
        retention: Retention | None = None,
        switches: Sequence[Switch] = (),
        foresight: Callable[[], Foresight] | None = None,
        teams: Callable[["UseCases"], Teams] | None = None,
        factories: Sequence[Callable[["UseCases"], object]] = (),
    ) -> None:
        """Create the use cases of the game on a database.

        `levels` are the ones that the machine can play (none without a machine). Without
        `game_cache`, one of the default size is created. Without `retention`, all data is kept
        forever.
        """
        self.store, self.now, self.rng = store, now, rng
        self.opponent, self.levels = opponent, levels
        self.switches, self.retention = tuple(switches), retention or Retention()
        self.game_cache = game_cache = game_cache or GameCache(store)
        self.hooks: list[GameHook] = []
        self.added: list[object] = []
        self.foresight = (foresight or Foresight)()
        self.ledger = ledger = Ledger(
            store, game_cache, now=now, hooks=self.hooks, foresight=self.foresight
        )
        self.teams = Teams(store, now=now) if teams is None else teams(self)
        self.fair_play = FairPlay(store, game_cache)
        self.lobby = Lobby(
            store, ledger, self.teams, now=now, rng=rng, hooks=self.hooks, levels=levels
        )
        self.rematches = Rematches(store, self.lobby, now=now)
        self.games = Games(store, game_cache, ledger, now=now)
        self.leaving = Endings(store, game_cache, ledger, now=now)
        self.offers = Offers(game_cache, ledger, now=now, rng=rng)
        self.stand_in = MachineTakeover(store, game_cache, ledger, now=now)
        self.vacations = Vacations(store, now=now)
        self.timekeeper = Timekeeper(
            store, game_cache, ledger, self.teams, self.vacations, now=now, hooks=self.hooks
        )
        self.undelivered = StuckGameNotices(store, game_cache, now=now, hooks=self.hooks)
        self.clocks = GameClocks(store, game_cache, now=now)
        self.own_games = OwnGames(store, game_cache, ledger, now=now)
        for make in factories:
            self.add(make(self))

    @property
    def has_machine(self) -> bool:
        return bool(self.levels)

    @property
    def has_reviews(self) -> bool:
        """True if games can be reviewed here.

        Reviews need an engine that can play the strongest level.
        """
        return STRONGEST in self.levels

    async def event_of(self, row: GameRow) -> GameEvent | None:
        """Return the event that a game belongs to, such as a tournament, or None."""
        events = [await hook.event_of(row) for hook in self.hooks]
        return next((event for event in events if event is not None), None)

    def add(self, part: P) -> P:
        self.added.append(part)
        if isinstance(part, GameHook):
            self.hooks.append(part)
            self.hooks.sort(key=lambda hook: hook.locks_people)
        return part

    def require(self, kind: type[P]) -> P:
        """Return a feature's part. Raise LookupError if there is none."""
        for part in self.added:
            if isinstance(part, kind):
                return part
        raise LookupError(kind)
