"""Team votes: people in a team's channel propose moves, and the vote is decided at the deadline."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import ChannelId, GameId, Revision, SourceId, UserId, is_team
from bot.database.connection import AsyncConnection
from bot.database.database import Conflict
from bot.database.deliveries import for_event
from bot.database.delivery_rows import DeliveryKind, NewDelivery
from bot.features.teams import model
from bot.features.teams.store import VoteTable, check_counted
from bot.play.game_changes import GameUpdate
from bot.play.model import refusals
from bot.play.model.events import MOST_EMPTY, Aborted, AppliedEvent, Moved
from bot.play.model.game import Game, GameRow
from bot.play.model.turns import check_legal
from bot.play.use_cases.deadlines import vote_ends, voted_for
from bot.play.use_cases.ledger import GameAction, GameUseCase, retry_on_conflict
from bot.play.use_cases.use_cases import UseCases
from dvonn import Move

STANDING: Final = DeliveryKind("standing")
"""Kind of delivery for edits that show the current votes on a board."""
VOTE_EXTENDED: Final = DeliveryKind("vote-again")
"""Kind of delivery for the notice that nobody voted, sent once per turn."""
_MAX_CHECK_DELAY: Final = timedelta(days=1)

ReceivedUntil = Callable[[], Awaitable[datetime | None]]


@dataclass(frozen=True, slots=True)
class OpenVote:
    """The vote on a game's next move."""

    game: Game
    standing: model.VoteStanding
    ends: datetime
    """When the vote ends, given the outages known so far."""
    empty: int = 0
    """Number of votes in this turn that ended without anyone voting."""
    own: Move | None = None
    """Move that the user has just voted for, or None."""


class Votes(GameUseCase):
    """Use cases for team votes: cast, count and decide them."""

    def __init__(self, cases: UseCases) -> None:
        super().__init__(cases.store, cases.game_cache, cases.ledger, now=cases.now)
        self._votes = cases.store.queries(VoteTable)

    async def cast(
        self,
        game: GameId,
        revision: Revision,
        user: UserId,
        moves: Sequence[Move],
        *,
        channel: ChannelId,
        source: SourceId,
    ) -> OpenVote:
        """Cast a vote for a move, replacing the user's earlier vote in this turn.

        Everyone in a channel belongs to its team.

        Raises:
            AlreadyHandled: if this source has already cast a vote.
            GameNotRunning: if the game has ended.
            StaleBoard: if the game's next move has been played.
            NotYourVote: if the other side is to move.
            CannotVote: if the user votes from elsewhere, too often, or for several moves.
            IllegalPlay: if the move is illegal.
        """

        async def do() -> OpenVote:
            current = await self._game_cache.running(game)
            if not current.has_board_of(revision):
                raise refusals.StaleBoard
            model.check_voter(current, channel)
            if len(moves) != 1:
                raise model.CannotVote(model.VoteProblem.ONE_MOVE)
            (move,) = moves
            check_legal(current, move, current.row.coordinates)
            assert current.turn_since is not None  # the game has begun # noqa: S101
            at = self._now()
            await self._votes.put(
                game,
                user,
                move,
                board=current.row.revision,
                channel=channel,
                source=source,
                at=at,
                showing=self._board_edit(current, channel, *model.edit_at(current.turn_since, at)),
            )
            return replace(await self.open_vote(current), own=move)

        return await retry_on_conflict(self._store, do, source=source)

    async def open_vote(self, game: Game) -> OpenVote:
        """Return the open vote on a team's next move.

        Raises:
            StaleBoard: if no team is to move.
        """
        assert game.row.vote is not None  # a team is to move  # noqa: S101
        votes = await self._votes.of_board(game.row.id, game.row.revision)
        tally = model.tally(votes)
        # The first vote of the turn determines which period decides.
        now = self._now()
        elapsed = await voted_for(self._store, game, now, tally.first_at or now)
        empty = model.rounds(elapsed, game.row.vote)
        ends = await vote_ends(self._store, game, now, empty + 1)
        if ends is None:
            raise refusals.StaleBoard
        return OpenVote(game, tally, ends, empty)

    async def check(
        self, game: Game, due_time: datetime, *, received_until: ReceivedUntil
    ) -> GameUpdate | None:
        """Check a game where a team is to move, and decide its vote if it has ended.

        `received_until` returns the time up to which all events were received, or None. A vote
        with a later deadline does not end yet.
        """
        open_vote = await self.open_vote(game)
        if open_vote.standing.voters:
            return await self._decide(open_vote, due_time, received_until)
        if open_vote.empty == 0:
            await self._postpone_check(open_vote, due_time)
            return None
        before = await vote_ends(self._store, game, self._now(), open_vote.empty)
        until = await received_until()
        if until is None or before is None or before > until:
            return None
        if open_vote.empty >= MOST_EMPTY:
            return await self._write(game, Aborted(no_votes=True), model.VoteStanding())
        await self._extend(open_vote, due_time)
        return None

    async def _decide(
        self, ballot: OpenVote, due_time: datetime, received_until: ReceivedUntil
    ) -> GameUpdate | None:
        if ballot.ends > self._now():
            await self._postpone_check(ballot, due_time)
            return None
        until = await received_until()
        if until is None or ballot.ends > until:
            return None
        return await self._write(
            ballot.game, Moved(ballot.standing.shares[0].move), ballot.standing
        )

    async def _write(
        self, game: Game, data: Moved | Aborted, tally: model.VoteStanding
    ) -> GameUpdate | None:
        """Play the team's decision, or abort, unless the votes or the game have changed."""
        assert game.to_move is not None  # a vote is open, so a team is to move # noqa: S101
        snapshot = model.VoteSnapshot(game.row.revision, tally.written)

        async def count_again(connection: AsyncConnection, row: GameRow) -> None:
            await check_counted(connection, row.id, snapshot)

        action = GameAction(game, game.to_move, (data,), step=count_again)
        # `write_decided` is not needed, because the check runs again a second later.
        with suppress(Conflict):
            return await self._ledger.write(action, source=None)
        return None

    async def _extend(self, ballot: OpenVote, due_time: datetime) -> None:
        """Extend a vote because nobody voted. The first time, this is announced."""
        game = ballot.game
        assert game.to_move is not None  # a vote is open, so a team is to move  # noqa: S101
        edit, _ = self._board_edit(game, game.row.channel, -ballot.empty, ballot.ends)
        with suppress(Conflict):  # already queued by a process that could not postpone the deadline
            await self._store.deliveries.add(edit, at=self._now())
        if ballot.empty == 1:
            notice = replace(edit, kind=VOTE_EXTENDED, key=f"{game.row.id}-{game.row.revision}")
            with suppress(Conflict):
                await self._store.deliveries.add(notice, at=self._now())
        await self._postpone_check(ballot, due_time)

    async def _postpone_check(self, ballot: OpenVote, due_time: datetime) -> None:
        # An outage that is recorded later only delays it.
        at = min(ballot.ends, self._now() + _MAX_CHECK_DELAY)
        await self._store.timers.put_off(ballot.game.row.id, due_time, at)

    def _board_edit(
        self, game: Game, channel: ChannelId, number: int, due_time: datetime
    ) -> tuple[NewDelivery, datetime]:
        """Return the edit of a team's board that shows the current votes, and when it is due."""
        row = game.row
        new = for_event(
            NewDelivery(kind=STANDING, guild=row.guild, channel=channel), row.id, row.revision
        )
        return replace(new, key=f"{new.key}-{number}"), due_time


async def results_of(
    table: VoteTable, applied_events: Sequence[AppliedEvent]
) -> tuple[model.VoteResult, ...]:
    """Return the results of the votes on some events of a game, in order.

    Events without a vote are skipped.
    """
    events = [event.event for event in applied_events]
    if not events:
        return ()
    first, last = events[0], events[-1]
    before = Revision(max(first.revision - 1, 0))
    votes = await table.cast_between(first.game, first=before, until=last.revision)
    return tuple(
        result_of(event.revision, event.data, model.tally(votes[Revision(event.revision - 1)]))
        for event in events
        if is_team(event.actor) and isinstance(event.data, Moved) and event.revision - 1 in votes
    )


def result_of(revision: Revision, moved: Moved, tally: model.VoteStanding) -> model.VoteResult:
    """Return the result of the vote on a move."""
    votes = next((share.votes for share in tally.shares if share.move == moved.move), 0)
    return model.VoteResult(revision, votes, tally.voters)
