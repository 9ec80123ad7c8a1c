"""Joins all use cases of the game over one database, and those of features."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import TypeVar

from bot.base.retention import Retention
from bot.play.hooks import GameHook
from bot.play.store.tables import Store
from bot.play.use_cases.archive import Archive
from bot.play.use_cases.blocks import Blocks
from bot.play.use_cases.clocks import GameClocks
from bot.play.use_cases.fair_play import FairPlay
from bot.play.use_cases.games import Games
from bot.play.use_cases.history import History
from bot.play.use_cases.leaving import Leaving
from bot.play.use_cases.ledger import Ledger
from bot.play.use_cases.lobby import Lobby
from bot.play.use_cases.offers import Offers
from bot.play.use_cases.pie import Pie
from bot.play.use_cases.preferences import Choices, Switch
from bot.play.use_cases.previews import Previews
from bot.play.use_cases.privacy import Privacy
from bot.play.use_cases.rematches import Rematches
from bot.play.use_cases.retention import Housekeeping
from bot.play.use_cases.servers import Servers
from bot.play.use_cases.standin import StandIn
from bot.play.use_cases.timekeeper import Timekeeper
from bot.play.use_cases.vacations import Vacations
from bot.play.use_cases.votes import Votes

P = TypeVar("P")


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCases:
    """The use cases of a game, each in its own part, and those of features."""

    store: Store
    archive: Archive
    ledger: Ledger
    now: Callable[[], datetime]
    rng: Random
    has_machine: bool
    """True if there is a machine to play against, and to review games."""
    hooks: list[GameHook] = field(default_factory=list)
    """Features' part in the changes of games."""
    added: list[object] = field(default_factory=list)
    """Use cases of features."""

    lobby: Lobby
    rematches: Rematches
    games: Games
    leaving: Leaving
    previews: Previews
    offers: Offers
    pie: Pie
    votes: Votes
    stand_in: StandIn
    timekeeper: Timekeeper
    clocks: GameClocks
    vacations: Vacations
    choices: Choices
    blocks: Blocks
    servers: Servers
    history: History
    fair_play: FairPlay
    privacy: Privacy
    housekeeping: Housekeeping

    @classmethod
    def over(
        cls,
        store: Store,
        *,
        now: Callable[[], datetime],
        rng: Random,
        archive: Archive | None = None,
        has_machine: bool = False,
        retention: Retention | None = None,
        switches: Sequence[Switch] = (),
    ) -> "UseCases":
        """Return the game's use cases, to which features add theirs.

        Args:
            store: The database.
            now: Tells the time.
            rng: Chance: colours, boards, seeds.
            archive: The games at hand; None: as many as usual.
            has_machine: There is a machine.
            retention: How long a host keeps what; None: all of it, for ever.
            switches: What people can turn on and off for themselves.
        """
        archive = archive or Archive(store)
        hooks: list[GameHook] = []
        ledger = Ledger(store, archive, now=now, hooks=hooks)
        lobby = Lobby(store, ledger, now=now, rng=rng, hooks=hooks)
        games = Games(store, archive, ledger, now=now)
        leaving = Leaving(store, archive, ledger)
        choices = Choices(store, now=now, switches=switches)
        fair_play = FairPlay(store, archive)
        votes = Votes(store, archive, ledger, now=now)
        return UseCases(
            store=store,
            archive=archive,
            ledger=ledger,
            now=now,
            rng=rng,
            has_machine=has_machine,
            hooks=hooks,
            lobby=lobby,
            rematches=Rematches(store, lobby, now=now),
            games=games,
            leaving=leaving,
            previews=Previews(games, choices),
            offers=Offers(archive, ledger, now=now, rng=rng),
            pie=Pie(archive, ledger),
            votes=votes,
            stand_in=StandIn(store, archive, ledger),
            timekeeper=Timekeeper(store, archive, ledger, votes, fair_play, now=now, hooks=hooks),
            clocks=GameClocks(store, games, now=now),
            vacations=Vacations(store, now=now),
            choices=choices,
            blocks=Blocks(store, now=now),
            servers=Servers(store),
            history=History(store, archive),
            fair_play=fair_play,
            privacy=Privacy(store, archive, leaving, now=now),
            housekeeping=Housekeeping(store, archive, retention or Retention(), now=now),
        )

    def add(self, part: P) -> P:
        """Add a feature's part, and return it."""
        self.added.append(part)
        if isinstance(part, GameHook):
            self.hooks.append(part)
            self.hooks.sort(key=lambda hook: hook.locks_people)
        return part

    def get(self, kind: type[P]) -> P | None:
        """Return a feature's part of some type, or None where the feature is not there."""
        return next((part for part in self.added if isinstance(part, kind)), None)

    def of(self, kind: type[P]) -> P:
        """Return a feature's part.

        Raises:
            LookupError: if the feature is not there.
        """
        found = self.get(kind)
        if found is None:
            raise LookupError(kind)
        return found
