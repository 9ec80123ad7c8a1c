"""The beginning of a pairing's game, in the thread from the message that announced it."""

from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.errors import AlreadyDone
from bot.base.ids import BEFORE_START, ChannelId, MessageId, SourceId, TournamentId
from bot.features.tournaments.model.terms import BYE, Pairing, Tournament, TournamentState
from bot.features.tournaments.store.paired_games import PairedGame, open_pairing
from bot.features.tournaments.store.tournaments import TournamentTable
from bot.features.tournaments.use_cases.telling import PAIRING, pairing_key
from bot.play.hooks import InTransaction
from bot.play.model.events import Started
from bot.play.model.game import GameRow
from bot.play.model.openings import opening_seed
from bot.play.model.terms import Start
from bot.play.use_cases.cases import UseCases
from bot.play.use_cases.ledger import UNNUMBERED, Deed, NewGame
from bot.play.use_cases.protocol import attempt
from bot.play.use_cases.update import Update
from dvonn.machine import VERSION


class Opening:
    """Begins the games of pairings, each once, however often it is asked.

    No rule of conduct stands against one: entrants play whom they are paired with, however many
    games they play, and whom they have blocked where no other pairing was left.
    """

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._ledger = cases.ledger
        self._now = cases.now
        self._rng = cases.rng

    async def open(self, place: tuple[TournamentId, int, int], message: MessageId) -> Update | None:
        """Begin the game of a pairing: of a tournament, by round and board.

        Returns:
            Its start; None where it was begun before, or there is nothing to begin any more.
        """
        source = SourceId(message)
        try:
            return await attempt(self._store, partial(self._begin, place, message), source=source)
        except AlreadyDone:
            return None

    async def _begin(
        self, place: tuple[TournamentId, int, int], message: MessageId
    ) -> Update | None:
        number, *board = place
        found = await self._store.of(TournamentTable).get(number)
        pairing = None if found is None else find(found, board)
        if found is None or pairing is None or not waits(found, pairing):
            return None
        if is_left(found, pairing):
            return None  # the director decides it, unless they come back before that
        if await self._store.games.running_in(ChannelId(message)) is not None:
            return None  # a game that is none of ours
        new = self._new_game(found, pairing, message)
        return await self._ledger.begin(new, source=SourceId(message))

    async def open_announced(self, tournament: Tournament) -> list[Update]:
        """Begin the games whose announcements were sent, but whose sender has begun none."""
        waiting = {
            pairing_key(tournament, pairing): pairing
            for pairing in tournament.pairings
            if waits(tournament, pairing)
        }
        sent = await self._store.deliveries.sent(PAIRING, list(waiting))
        opened = []
        for key, message in sent.items():
            pairing = waiting[key]
            place = tournament.id, pairing.round, pairing.board
            opened.append(await self.open(place, message))
        return [update for update in opened if update is not None]

    def _new_game(self, tournament: Tournament, pairing: Pairing, message: MessageId) -> NewGame:
        terms = tournament.terms
        black = terms.machine if pairing.black is BYE else pairing.black
        assert black is not None  # it waits for somebody  # noqa: S101
        is_machine = pairing.black is BYE
        row = GameRow(
            id=UNNUMBERED,
            guild=terms.guild,
            channel=ChannelId(message),
            white=pairing.white,
            black=black,
            coordinates=terms.coordinates,
            start=terms.start,
            seed=opening_seed(terms.start, self._rng),
            clock=terms.clock,
            machine=black if is_machine else None,
            level=terms.level if is_machine else None,
            own_thread=True,
            rated=terms.rated and not is_machine,
            engine=VERSION if is_machine else None,
            tournament=tournament.id,
            revision=BEFORE_START,
        )
        return NewGame(
            row=row,
            # Whoever has White picks the board of a pie start, and the other their colour.
            deed=Deed(pairing.white, Started(picks=terms.start is Start.PIE)),
            thread_of=terms.channel,
            also=_opens(
                PairedGame(
                    tournament=tournament.id,
                    round=pairing.round,
                    board=pairing.board,
                    message=message,
                )
            ),
        )


def _opens(paired: PairedGame) -> InTransaction:
    """Return what binds a new game to its pairing."""

    async def bind(connection: AsyncConnection, row: GameRow) -> None:
        await open_pairing(connection, paired, row)

    return bind


def find(tournament: Tournament, board: list[int]) -> Pairing | None:
    """Return a pairing by its round and board."""
    return next((one for one in tournament.pairings if [one.round, one.board] == board), None)


def is_left(tournament: Tournament, pairing: Pairing) -> bool:
    return any(one.withdrawn and one.player in pairing.players for one in tournament.entrants)


def waits(tournament: Tournament, pairing: Pairing) -> bool:
    """Tell whether a pairing waits for its game to begin."""
    running = tournament.state is TournamentState.RUNNING
    has_opponent = pairing.black is not BYE or tournament.terms.machine is not None
    return running and has_opponent and pairing.game is None and pairing.result is None
