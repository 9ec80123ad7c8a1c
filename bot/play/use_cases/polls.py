"""Votes on moves that were played, as they are told with them."""

from collections.abc import Sequence

from bot.base.ids import Revision, is_team
from bot.play.model.events import Moved, Told
from bot.play.model.voting import Poll, VoteStanding, tally
from bot.play.store.tables import Store


async def polls_of(store: Store, told: Sequence[Told]) -> tuple[Poll, ...]:
    """Return the votes on those of some events, in order and of one game, that were voted on."""
    events = [one.event for one in told]
    if not events:
        return ()
    first, last = events[0], events[-1]
    before = Revision(max(first.revision - 1, 0))
    votes = await store.votes.between(first.game, first=before, until=last.revision)
    return tuple(
        poll_of(one.revision, one.what, tally(votes[Revision(one.revision - 1)]))
        for one in events
        if is_team(one.actor) and isinstance(one.what, Moved) and one.revision - 1 in votes
    )


def poll_of(told: Revision, moved: Moved, standing: VoteStanding) -> Poll:
    """Return the result of the vote on a move."""
    votes = next((one.votes for one in standing.shares if one.move == moved.move), 0)
    return Poll(told, votes, standing.voters)
