"""Team games: the state and end of a vote, a user's vote, and reasons why they cannot vote."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, assert_never

from bot.base.formats import duration, shortened_list
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, Post, channel, due, user
from bot.play.model.game import Game
from bot.play.model.refusals import CannotVote, TeamDecides, TeamVotes, VoteProblem
from bot.play.model.voting import LENGTHS, MOST_CHANGES, MOST_EMPTY, VoteResult
from bot.play.use_cases.votes import OpenVote
from bot.play.words.views import board_button
from dvonn import format_move

_SHOWN: Final = 3
"""Number of voted moves that are named."""


def vote_rules(reader: Reader, length: timedelta) -> str:
    return reader.gettext("Everyone here votes, {time} for each move. The most votes win.").format(
        time=duration(reader, length)
    )


def how_to_vote(reader: Reader, example: str = "d2-d4") -> str:
    return reader.gettext("To vote, press {verb} or type a move, like {example}.").format(
        verb=reader.gettext("Vote"), example=example
    )


def vote_line(reader: Reader, game: Game, ends: datetime, ballot: OpenVote | None) -> str:
    when = due(ends)
    if ballot is None:
        return reader.gettext("🗳️ End of the vote: {when}.").format(when=when)
    if not ballot.standing.voters:
        return reader.gettext(
            "🗳️ Nobody has voted yet, so the vote goes on. Its end: {when}."
        ).format(when=when)
    coordinates = reader.coordinates_or(game.row.coordinates)
    names = [format_move(share.move, coordinates) for share in ballot.standing.shares]
    names[0] = f"**{names[0]}**"
    if len(names) > 1:  # else it has them all
        shares = zip(names, ballot.standing.shares, strict=True)
        names = [f"{name} ({votes.votes})" for name, votes in shares]
    return reader.ngettext(
        "🗳️ {count} vote: {moves}. End of the vote: {when}.",
        "🗳️ {count} votes: {moves}. End of the vote: {when}.",
        ballot.standing.voters,
    ).format(count=ballot.standing.voters, moves=shortened_list(reader, names, _SHOWN), when=when)


def poll_lines(reader: Reader, game: Game, polls: Sequence[VoteResult]) -> list[str]:
    coordinates = reader.coordinates_or(game.row.coordinates)
    moves = {ply.revision: format_move(ply.move, coordinates) for ply in game.line}
    return [
        reader.ngettext(
            "🗳️ {votes} of {count} voted for {move}.",
            "🗳️ {votes} of {count} voted for {move}.",
            poll.voters,
        ).format(votes=poll.votes, count=poll.voters, move=moves[poll.revision])
        for poll in polls
        if poll.revision in moves
    ]


def vote_button(reader: Reader, game: Game) -> Button:
    return board_button(game, reader.gettext("Vote"), "pick", ButtonStyle.PRIMARY)


def voted(reader: Reader, ballot: OpenVote) -> Post:
    assert ballot.own is not None  # they have  # noqa: S101
    move = format_move(ballot.own, reader.coordinates_or(ballot.game.row.coordinates))
    words = reader.gettext(
        "🗳️ You voted for **{move}**. You can change that until the vote ends: {when}."
    )
    return Post(content=words.format(move=move, when=due(ballot.ends)))


def vote_again(reader: Reader, ballot: OpenVote) -> Post:
    lines = [
        vote_line(reader, ballot.game, ballot.ends, ballot),
        reader.ngettext(
            "If nobody votes {count} time in a row, the game ends without a result.",
            "If nobody votes {count} times in a row, the game ends without a result.",
            MOST_EMPTY,
        ).format(count=MOST_EMPTY),
    ]
    return Post(content=" ".join(lines), buttons=(vote_button(reader, ballot.game),))


def nobody_voted(reader: Reader, team: str) -> str:
    return reader.ngettext(
        "Nobody in {team} voted, {count} time in a row. The game is over.",
        "Nobody in {team} voted, {count} times in a row. The game is over.",
        MOST_EMPTY,
    ).format(team=team, count=MOST_EMPTY)


def cannot_vote(  # noqa: C901, PLR0911 - a sentence for each problem
    reader: Reader, error: TeamDecides | TeamVotes | CannotVote
) -> str:
    if isinstance(error, TeamVotes):
        return reader.gettext("This is a team game: press *Vote* under the newest board.")
    if isinstance(error, TeamDecides) and error.starter is not None:
        return reader.gettext(
            "Nobody can resign or make offers for the whole team. {player} started this game and "
            "can end it, or a moderator with /setup abort."
        ).format(player=user(error.starter))
    if isinstance(error, TeamDecides):
        return reader.gettext(
            "Nobody can resign or make offers for the whole team. Stop voting, and the game ends "
            "by itself. A moderator has /setup abort."
        )
    match error.problem:
        case VoteProblem.START:
            return reader.gettext(
                "Voting on 49 placements would take too long. Choose *even board*."
            )
        case VoteProblem.CLOCK:
            least, most = (duration(reader, length) for length in LENGTHS)
            return reader.gettext(
                "In a team game, the clock is the time for each vote: from {least} to {most} per "
                "move."
            ).format(least=least, most=most)
        case VoteProblem.THREAD:
            return reader.gettext(
                "A team game stays in its channel. To play in a thread, open one and start the "
                "game there."
            )
        case VoteProblem.PLACE:
            return reader.gettext("Team games only work in servers that have added me.")
        case VoteProblem.ELSEWHERE:
            where = "" if error.channel is None else channel(error.channel)
            return reader.gettext("The vote is in {channels}.").format(channels=where)
        case VoteProblem.OFTEN:
            return reader.ngettext(
                "You have voted {count} time on this move. Your last vote counts.",
                "You have voted {count} times on this move. Your last vote counts.",
                MOST_CHANGES,
            ).format(count=MOST_CHANGES)
        case VoteProblem.ONE_MOVE:
            return reader.gettext("Vote for one move, like d2-d4.")
        case unknown:
            assert_never(unknown)
