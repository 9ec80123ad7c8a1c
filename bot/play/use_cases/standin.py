"""The machine takes the place of a player who has left a game."""

from dataclasses import replace

from bot.base.ids import BEFORE_START, GameId, Revision, SourceId, UserId
from bot.play.model.events import Continued, Event
from bot.play.model.game import Game
from bot.play.model.outcome import How
from bot.play.model.refusals.playing import NotAPlayer, TurnOver
from bot.play.model.refusals.starting import ChannelBusy
from bot.play.store.tables import Store
from bot.play.use_cases.archive import Archive
from bot.play.use_cases.ledger import UNNUMBERED, Deed, Ledger, NewGame
from bot.play.use_cases.protocol import attempt
from bot.play.use_cases.update import Update
from dvonn.machine import VERSION

LEVEL = 6
"""Level at which the machine plays in place of somebody: a fair opponent for most."""

_LEFT = (How.RESIGNATION, How.TIME, How.ABORT)


class StandIn:
    """Goes on with games that somebody has left. The result of the game that was left stays."""

    def __init__(self, store: Store, archive: Archive, ledger: Ledger) -> None:
        self._store = store
        self._archive = archive
        self._ledger = ledger

    async def go_on(
        self, game: GameId, revision: Revision, user: UserId, machine: UserId, *, source: SourceId
    ) -> Update:
        """Play a game on against the machine, in a game of its own without a clock.

        Args:
            game: A game that the other player resigned, lost on time, or let lie.
            revision: Its last one.
            user: Who asks: the player who is left.
            machine: The machine's own number.
            source: The interaction.

        Raises:
            AlreadyDone: if this source has been carried out before.
            GameGone: if there is no such game.
            NotAPlayer: if the user only watched, or left of their own accord.
            TurnOver: if it cannot be gone on with: it is over, or was gone on with before.
            ChannelBusy: if another game is running in its channel.
        """

        async def do() -> Update:
            ended = await self._archive.existing(game)
            new = await self._new(ended, revision, user, machine)
            return await self._ledger.begin(new, source=source)

        return await attempt(self._store, do, source=source)

    async def _new(self, ended: Game, revision: Revision, user: UserId, machine: UserId) -> NewGame:
        """Return the game that goes on with another, if it may be."""
        row, left = ended.row, ended.left_by
        if user not in (row.white, row.black) or user == left:
            raise NotAPlayer
        if row.revision != revision or left is None or not may_go_on(ended):
            raise TurnOver
        running = await self._store.games.running_in(row.channel)
        if running is not None:
            raise ChannelBusy(row.channel, running.id)
        if await self._store.games.is_continued(row.id):
            raise TurnOver
        white, black = (machine if who == left else who for who in (row.white, row.black))
        new = replace(
            row,
            id=UNNUMBERED,
            white=white,
            black=black,
            clock=None,
            machine=machine,
            level=LEVEL,
            tournament=None,
            continues=row.id,
            rated=False,
            engine=VERSION,
            revision=BEFORE_START,
            outcome=None,
        )
        events = await self._store.games.events(row.id)
        return NewGame(row=new, deed=Deed(user, Continued()), copied=_copied(events, left, machine))


def may_go_on(game: Game) -> bool:
    """Tell whether the machine can take the place of the player who has left a game."""
    outcome = game.outcome
    is_left = outcome is not None and outcome.how in _LEFT and game.left_by is not None
    return is_left and game.row.machine is None and game.choosing is None


def _copied(events: list[Event], left: UserId, machine: UserId) -> list[Event]:
    """Return the events up to the position, as if the machine had played them."""
    return [
        replace(
            event,
            game=UNNUMBERED,
            revision=Revision(number),
            actor=machine if event.actor == left else event.actor,
            source=None,
            used=None,
        )
        for number, event in enumerate(one for one in events if one.what.begins_turn)
    ]
