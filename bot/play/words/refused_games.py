"""The words on why no game begins with somebody, in a place or now, and what is possible."""

from typing import assert_never

from bot.base.formats import some_others, together
from bot.base.locales import Reader
from bot.connection.posts import channel, link, user
from bot.play.model.refusals.starting import (
    BadOpponent,
    ChannelBusy,
    MissingPermissions,
    NoThreadsHere,
    NotNow,
    OpponentProblem,
    TooManyChallenges,
    TooManyGames,
    WrongChannel,
    YouBlocked,
)

Refused = (
    BadOpponent
    | ChannelBusy
    | MissingPermissions
    | NoThreadsHere
    | NotNow
    | TooManyChallenges
    | TooManyGames
    | WrongChannel
    | YouBlocked
)


def no_game(reader: Reader, error: Refused) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each type
    """Say why no game begins, and what would be possible."""
    match error:
        case ChannelBusy():
            return reader.gettext(
                "A game is running in {where}, and I can't open a thread here for another one. "
                "Try another channel."
            ).format(where=channel(error.channel))
        case BadOpponent(problem=OpponentProblem.YOURSELF):
            return reader.gettext(
                "You can't challenge yourself. Leave the opponent out to invite anyone."
            )
        case BadOpponent(problem=OpponentProblem.NO_MACHINE):
            return reader.gettext(
                "Games against me are switched off here. Challenge a person instead."
            )
        case BadOpponent(problem=OpponentProblem.DELETED):
            return reader.gettext("This player had their data deleted: I don't know who they were.")
        case BadOpponent(problem=OpponentProblem.NOBODY_HERE):
            return reader.gettext(
                "Here you can play only against me: /play. Challenge others in a server."
            )
        case BadOpponent():
            return reader.gettext("I can't play other bots. Challenge a person, or me.")
        case NoThreadsHere():
            return reader.gettext(
                "I can't open a thread here. Play here instead, or try a text channel."
            )
        case MissingPermissions():
            return _missing(reader, error)
        case WrongChannel():
            return reader.gettext("DVONN is played in {channels}.").format(
                channels=some_others(reader, map(channel, sorted(error.allowed)))
            )
        case TooManyGames():
            return _too_many_games(reader, error)
        case TooManyChallenges():
            return _too_many_challenges(reader, error)
        case NotNow():
            return reader.gettext(
                "You can't start a game with {player} at the moment. Try someone else, or post an "
                "open challenge."
            ).format(player=user(error.who))
        case YouBlocked():
            return reader.gettext(
                "You've blocked {player}. To play them, unblock them first: /settings unblock."
            ).format(player=user(error.who))
        case unknown:
            assert_never(unknown)


def _missing(reader: Reader, error: MissingPermissions) -> str:
    count = len(error.permissions)
    lacking = reader.ngettext(
        "I need this permission here: {permissions}.",
        "I need these permissions here: {permissions}.",
        count,
    ).format(permissions=together(reader, map(reader.gettext, error.permissions)))
    if error.asker_may_mend:
        remedy = reader.ngettext(
            "You can give it to me: in the channel's settings, under Permissions.",
            "You can give them to me: in the channel's settings, under Permissions.",
            count,
        )
    else:
        remedy = reader.ngettext(
            "Somebody with Manage Permissions, such as the server's owner, can give it to me.",
            "Somebody with Manage Permissions, such as the server's owner, can give them to me.",
            count,
        )
    return f"{lacking} {remedy}"


def _too_many_games(reader: Reader, error: TooManyGames) -> str:
    if error.is_asker:
        sentence = reader.ngettext(
            "You're at the limit of {limit} game. Finish it first; /games shows it.",
            "You're at the limit of {limit} games. Finish one first; /games lists them.",
            error.limit,
        )
    else:
        sentence = reader.ngettext(
            "{player} is at the limit of {limit} game. Try again when it has ended.",
            "{player} is at the limit of {limit} games. Try again when one has ended.",
            error.limit,
        )
    return sentence.format(player=user(error.who), limit=error.limit)


def _too_many_challenges(reader: Reader, error: TooManyChallenges) -> str:
    count = len(error.challenges)
    return reader.ngettext(
        "You have {count} open challenge in this server: {links}. "
        "Cancel it, or wait for an answer.",
        "You have {count} open challenges in this server: {links}. "
        "Cancel one, or wait for an answer.",
        count,
    ).format(
        count=count,
        links=together(
            reader,
            (
                channel(one.channel)
                if one.message is None
                else link(error.guild, one.channel, one.message)
                for one in error.challenges
            ),
        ),
    )
