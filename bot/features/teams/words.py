"""Texts for team games: their choice, the progress and results of votes, and refused votes."""

from collections.abc import Sequence
from typing import Final, assert_never

from bot.base.formats import duration, shortened_list
from bot.base.languages import Reader
from bot.connection.posts import Post, channel, due
from bot.features.teams.model import (
    LENGTHS,
    MOST_CHANGES,
    CannotVote,
    VoteProblem,
    VoteResult,
)
from bot.features.teams.use_cases import OpenVote
from bot.play.model.events import MOST_EMPTY
from bot.play.model.game import Game
from bot.play.words.team_turns import vote_button
from dvonn import format_move

_MAX_NAMED: Final = 3
"""Maximum number of moves that are named with their votes."""


def team_choice(reader: Reader) -> str:
    return reader.gettext("Team game: everybody here votes on the moves")


def vote_line(reader: Reader, game: Game, ballot: OpenVote) -> str:
    when = due(ballot.ends)
    if not ballot.standing.voters:
        return reader.gettext("🗳️ No votes yet. Voting now ends {when}.").format(when=when)
    coordinates = reader.coordinates_or(game.row.coordinates)
    names = [format_move(share.move, coordinates) for share in ballot.standing.shares]
    names[0] = f"**{names[0]}**"
    if len(names) > 1:  # otherwise it has all the votes
        shares = zip(names, ballot.standing.shares, strict=True)
        names = [f"{name} ({votes.votes})" for name, votes in shares]
    return reader.ngettext(
        "🗳️ {count} vote: {moves}. Voting ends {when}.",
        "🗳️ {count} votes: {moves}. Voting ends {when}.",
        ballot.standing.voters,
    ).format(
        count=ballot.standing.voters, moves=shortened_list(reader, names, _MAX_NAMED), when=when
    )


def result_lines(reader: Reader, game: Game, results: Sequence[VoteResult]) -> list[str]:
    coordinates = reader.coordinates_or(game.row.coordinates)
    moves = {ply.revision: format_move(ply.move, coordinates) for ply in game.line}
    return [
        reader.ngettext(
            "🗳️ {votes} of {count} voted for {move}.",
            "🗳️ {votes} of {count} voted for {move}.",
            result.voters,
        ).format(votes=result.votes, count=result.voters, move=moves[result.revision])
        for result in results
        if result.revision in moves
    ]


def vote_receipt(reader: Reader, ballot: OpenVote) -> Post:
    assert ballot.own is not None  # they have voted # noqa: S101
    move = format_move(ballot.own, reader.coordinates_or(ballot.game.row.coordinates))
    words = reader.gettext(
        "🗳️ You voted for **{move}**. You can change that until the vote ends: {when}."
    )
    return Post(content=words.format(move=move, when=due(ballot.ends)))


def vote_extended_text(reader: Reader, ballot: OpenVote) -> Post:
    lines = [
        vote_line(reader, ballot.game, ballot),
        reader.ngettext(
            "If nobody votes {count} time in a row, the game ends without a result.",
            "If nobody votes {count} times in a row, the game ends without a result.",
            MOST_EMPTY,
        ).format(count=MOST_EMPTY),
    ]
    return Post(content=" ".join(lines), buttons=(vote_button(reader, ballot.game),))


def cannot_vote(reader: Reader, error: CannotVote) -> str:  # noqa: PLR0911 - a sentence for each problem
    channel_name = "" if error.channel is None else channel(error.channel)
    match error.problem:
        case VoteProblem.START:
            return reader.gettext(
                "Voting on 49 placements would take too long. Choose *even board*."
            )
        case VoteProblem.CLOCK:
            shortest, longest = (duration(reader, length) for length in LENGTHS)
            return reader.gettext(
                "In a team game, the clock is the time for each vote: from {least} to {most} per "
                "move."
            ).format(least=shortest, most=longest)
        case VoteProblem.THREAD:
            return reader.gettext(
                "A team game stays in its channel. To play in a thread, open one and start the "
                "game there."
            )
        case VoteProblem.PLACE:
            return reader.gettext("Team games only work in servers that have added me.")
        case VoteProblem.BUSY:
            return reader.gettext(
                "There's already a game in {where}, and a team needs the channel to itself. Wait "
                "for its end, or try another channel."
            ).format(where=channel_name)
        case VoteProblem.ELSEWHERE:
            return reader.gettext("The vote is in {channels}.").format(channels=channel_name)
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
