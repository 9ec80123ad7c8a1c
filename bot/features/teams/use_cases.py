"""Votes of teams: people in a team's channel propose moves, and the deadline decides."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import ChannelId, GameId, Revision, SourceId, UserId, is_team
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
"""Edit that shows the votes on the next move on a board."""
AGAIN: Final = DeliveryKind("vote-again")
"""Notice, sent once per turn, that nobody has voted and voting continues."""
_AT_THE_LATEST: Final = timedelta(days=1)

Heard = Callable[[], Awaitable[datetime | None]]


@dataclass(frozen=True, slots=True)
class OpenVote:
    """The vote on a game's next move."""

    game: Game
    standing: model.VoteStanding
    ends: datetime
    """Time when it ends, with the outages known so far."""
    empty: int = 0
    """Number of votes of this turn that have ended without a vote."""
    own: Move | None = None
    """Vote that the asker has just cast."""


class Votes(GameUseCase):
    """The use cases of teams. The time comes in as an argument."""

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
        """Vote for a move, in place of the user's earlier vote in this turn.

        Everybody in a channel belongs to its team.

        Raises:
            AlreadyHandled: if this source has been a vote before.
            GameNotRunning: if the game has ended.
            StaleBoard: if its next move has been played.
            NotYourVote: if the other side is to move.
            CannotVote: if they vote from elsewhere, too often, or for several moves.
            IllegalPlay: if the rules refuse the move.
        """

        async def do() -> OpenVote:
            found = await self._game_cache.running(game)
            if not found.has_board_of(revision):
                raise refusals.StaleBoard
            model.check_voter(found, channel)
            if len(moves) != 1:
                raise model.CannotVote(model.VoteProblem.ONE_MOVE)
            (move,) = moves
            check_legal(found, move)
            assert found.turn_since is not None  # it has begun  # noqa: S101
            at = self._now()
            await self._votes.put(
                game,
                user,
                move,
                board=found.row.revision,
                channel=channel,
                source=source,
                at=at,
                showing=self._showing(found, channel, *model.edit_at(found.turn_since, at)),
            )
            return replace(await self.open_vote(found), own=move)

        return await retry_on_conflict(self._store, do, source=source)

    async def open_vote(self, game: Game) -> OpenVote:
        """Return the vote on a team's next move.

        Raises:
            StaleBoard: if no team is to move.
        """
        assert game.row.vote is not None  # a team is to move  # noqa: S101
        votes = await self._votes.of_board(game.row.id, game.row.revision)
        standing = model.tally(votes)
        # The first vote is cast in the round that decides.
        now = self._now()
        spent = await voted_for(self._store, game, now, standing.first_at or now)
        empty = model.rounds(spent, game.row.vote)
        ends = await vote_ends(self._store, game, now, empty + 1)
        if ends is None:
            raise refusals.StaleBoard
        return OpenVote(game, standing, ends, empty)

    async def check(self, game: Game, seen: datetime, *, heard: Heard) -> GameUpdate | None:
        """Check a game in which a team is to move, and decide its vote if that has ended.

        `heard` returns the time until which all people's events were received, or None. No vote
        with a deadline later than that ends.
        """
        open_vote = await self.open_vote(game)
        if open_vote.standing.voters:
            return await self._decide(open_vote, seen, heard)
        if open_vote.empty == 0:
            await self._look_later(open_vote, seen)
            return None
        before = await vote_ends(self._store, game, self._now(), open_vote.empty)
        until = await heard()
        if until is None or before is None or before > until:
            return None
        if open_vote.empty >= MOST_EMPTY:
            return await self._write(game, Aborted(no_votes=True), model.VoteStanding())
        await self._go_on(open_vote, seen)
        return None

    async def _decide(self, ballot: OpenVote, seen: datetime, heard: Heard) -> GameUpdate | None:
        if ballot.ends > self._now():
            await self._look_later(ballot, seen)
            return None
        until = await heard()
        if until is None or ballot.ends > until:
            return None
        return await self._write(
            ballot.game, Moved(ballot.standing.shares[0].move), ballot.standing
        )

    async def _write(
        self, game: Game, what: Moved | Aborted, standing: model.VoteStanding
    ) -> GameUpdate | None:
        """Play or abort as a team has decided, unless the votes or the game have changed."""
        assert game.to_move is not None  # a vote is open, so a team is to move  # noqa: S101
        counted = model.VoteSnapshot(game.row.revision, standing.written)

        async def count_again(connection: AsyncConnection, row: GameRow) -> None:
            await check_counted(connection, row.id, counted)

        action = GameAction(game, game.to_move, (what,), step=count_again)
        # Not by `write_decided`: the check runs again, a second later.
        with suppress(Conflict):
            return await self._ledger.write(action, source=None)
        return None

    async def _go_on(self, ballot: OpenVote, seen: datetime) -> None:
        """Extend a vote without votes. The first time, this is announced."""
        game = ballot.game
        assert game.to_move is not None  # a vote is open, so a team is to move  # noqa: S101
        shown, _ = self._showing(game, game.row.channel, -ballot.empty, ballot.ends)
        with suppress(Conflict):  # queued before, by a process that could not postpone then
            await self._store.deliveries.add(shown, at=self._now())
        if ballot.empty == 1:
            again = replace(shown, kind=AGAIN, key=f"{game.row.id}-{game.row.revision}")
            with suppress(Conflict):
                await self._store.deliveries.add(again, at=self._now())
        await self._look_later(ballot, seen)

    async def _look_later(self, ballot: OpenVote, seen: datetime) -> None:
        # An outage that is recorded afterwards only delays it.
        at = min(ballot.ends, self._now() + _AT_THE_LATEST)
        await self._store.timers.put_off(ballot.game.row.id, seen, at)

    def _showing(
        self, game: Game, channel: ChannelId, number: int, due: datetime
    ) -> tuple[NewDelivery, datetime]:
        """Return the edit of a team's board that shows the present votes, and when it is due."""
        row = game.row
        new = for_event(
            NewDelivery(kind=STANDING, guild=row.guild, channel=channel), row.id, row.revision
        )
        return replace(new, key=f"{new.key}-{number}"), due


async def results_of(
    table: VoteTable, told: Sequence[AppliedEvent]
) -> tuple[model.VoteResult, ...]:
    """Return the results of the votes on some events, in order and of one game.

    Events that were not voted on are left out.
    """
    events = [event.event for event in told]
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


def result_of(told: Revision, moved: Moved, standing: model.VoteStanding) -> model.VoteResult:
    """Return the result of the vote on a move."""
    votes = next((share.votes for share in standing.shares if share.move == moved.move), 0)
    return model.VoteResult(told, votes, standing.voters)
