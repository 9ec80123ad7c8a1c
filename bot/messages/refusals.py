"""Every refusal in words: what was wrong, and what is possible instead."""

import math

from bot.locales import Reader
from bot.messages.challenges import rematch_offered
from bot.messages.durations import duration
from bot.messages.posts import channel, instant, link, some, user
from bot.messages.refused_moves import illegal, unreadable
from bot.messages.troubles import something_went_wrong
from bot.messages.vacations import bad_vacation, no_vacation
from bot.model.conduct import CHALLENGE_LIFE
from bot.model.refusals import (
    AskedTooOften,
    BadBlock,
    BadClock,
    BadList,
    BadOffer,
    BadOpponent,
    BadTime,
    BadVacation,
    BlockProblem,
    ChallengeAnswered,
    ChannelBusy,
    ClockProblem,
    GameGone,
    IllegalPlay,
    ListProblem,
    MissingPermissions,
    MustChoose,
    NoBoard,
    NoGameHere,
    NotAllowed,
    NotAPlayer,
    NotForYou,
    NoThreadsHere,
    NotNow,
    NotYourTurn,
    NoVacation,
    OfferProblem,
    OpponentProblem,
    PlayError,
    RematchOffered,
    SameTime,
    TooLate,
    TooLateToAbort,
    TooManyChallenges,
    TooManyGames,
    TooSoon,
    TurnOver,
    UnknownZone,
    UnreadableMove,
    WrongChannel,
    YouBlocked,
)
from bot.model.terms import ChallengeState


def refusal(reader: Reader, error: PlayError) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each type
    """Why not, and what would be possible."""
    match error:
        case UnreadableMove():
            return unreadable(reader, error.error, error.position, error.coordinates)
        case IllegalPlay():
            return illegal(reader, error.error, error.coordinates)
        case NotYourTurn():
            return reader.gettext("It is not your turn: {player} is to move.").format(
                player=user(error.to_move)
            )
        case TooLate():
            return reader.gettext(
                "That came too late: this game has ended, and its last board tells how. /challenge "
                "starts another one."
            )
        case NoGameHere():
            return reader.gettext("No game is running in this channel. /challenge starts one.")
        case NotAPlayer():
            return reader.gettext("Only the two players of this game can do that.")
        case GameGone():
            return reader.gettext("This game has ended.")
        case NoBoard():
            return reader.gettext(
                "There's no board on that message. Try it on one of mine that shows a board."
            )
        case TurnOver():
            return reader.gettext("That turn is over. The newest board has the buttons that count.")
        case ChannelBusy():
            return reader.gettext(
                "A game is running in {where}, and I cannot open a thread here for another one. "
                "Try another channel."
            ).format(where=channel(error.channel))
        case ChallengeAnswered():
            return _answered(reader, error.challenge.state)
        case RematchOffered():
            return rematch_offered(reader, error)
        case NotForYou():
            if error.who is None:
                return reader.gettext("You cannot accept your own challenge. Somebody else has to.")
            return reader.gettext("That button is for {player}.").format(player=user(error.who))
        case BadOpponent(problem=OpponentProblem.YOURSELF):
            return reader.gettext(
                "You cannot challenge yourself. Leave the opponent out to challenge anyone."
            )
        case BadOpponent(problem=OpponentProblem.NO_MACHINE):
            return reader.gettext("The machine is switched off here. Challenge a person instead.")
        case BadOpponent(problem=OpponentProblem.NOBODY_HERE):
            return reader.gettext(
                "Here you can only play against me: /play. Challenge others in a server."
            )
        case BadOpponent():
            return reader.gettext("Other bots do not play DVONN here. Challenge a person, or me.")
        case MustChoose():
            return reader.gettext(
                "The game has not begun: {player} is to choose under the newest board."
            ).format(player=user(error.who))
        case BadList():
            return _bad_list(reader, error)
        case BadOffer():
            return _bad_offer(reader, error)
        case AskedTooOften():
            return reader.gettext(
                "You've asked your opponent a lot. You can ask again {when}."
            ).format(when=instant(error.possible_from, relative=True))
        case TooLateToAbort():
            return _too_late_to_abort(reader, error)
        case NotAllowed():
            return reader.gettext("For this you need the permission {permission}.").format(
                permission=reader.gettext(error.permission)
            )
        case NoThreadsHere():
            return reader.gettext(
                "No thread can be opened here. Leave that out, or try a text channel."
            )
        case MissingPermissions():
            return _missing(reader, error)
        case WrongChannel():
            return reader.gettext(
                "Moderators have chosen other channels for games here: {channels}."
            ).format(channels=some(reader, map(channel, sorted(error.allowed))))
        case TooManyGames():
            return _too_many_games(reader, error)
        case TooManyChallenges():
            return _too_many_challenges(reader, error)
        case TooSoon():
            seconds = math.ceil(error.wait.total_seconds())
            return reader.ngettext(
                "That's several challenges in a row. Please wait {seconds} second.",
                "That's several challenges in a row. Please wait {seconds} seconds.",
                seconds,
            ).format(seconds=seconds)
        case NotNow():
            return reader.gettext(
                "You can't start a game with {player} at the moment. Try someone else, or post an "
                "open challenge."
            ).format(player=user(error.who))
        case YouBlocked():
            return reader.gettext(
                "You've blocked {player}. To play them, unblock them first: /settings unblock."
            ).format(player=user(error.who))
        case BadBlock():
            return _bad_block(reader, error)
        case BadClock():
            return _bad_clock(reader, error)
        case UnknownZone():
            return _unknown_zone(reader, error)
        case BadTime():
            return reader.gettext(
                "I cannot read that as a time of day. Write it as 22:00, 8:30 or 10 pm."
            )
        case SameTime():
            return reader.gettext("Quiet hours cannot begin and end at the same time of day.")
        case BadVacation():
            return bad_vacation(reader, error)
        case NoVacation():
            return no_vacation(reader)
        case _:
            return something_went_wrong(reader)


def _too_late_to_abort(reader: Reader, error: TooLateToAbort) -> str:
    if error.possible_from is None:
        return reader.gettext(
            "It is too late to end this game without a result: that is possible until your second "
            "own piece or move. You can /resign, or offer a draw with /draw."
        )
    return reader.gettext(
        "It is too late to end this game without a result: that is possible until your second own "
        "piece or move, or if your opponent has not moved by {moment}, {countdown}. Until then you "
        "can wait, /resign, or offer a draw with /draw."
    ).format(
        moment=instant(error.possible_from), countdown=instant(error.possible_from, relative=True)
    )


def _bad_list(reader: Reader, error: BadList) -> str:
    match error.problem:
        case ListProblem.MOVE:
            return reader.gettext(
                "A list for later can hold only spaces, and no moves. Nothing was played."
            )
        case ListProblem.TWICE:
            return reader.gettext("{space} is twice in your list. Nothing was played.").format(
                space=error.space
            )
        case ListProblem.TAKEN:
            return reader.gettext(
                "There is a piece on {space} already. Nothing was played; with “else next free” at "
                "the end, taken spaces are replaced."
            ).format(space=error.space)
        case ListProblem.TOO_MANY:
            return reader.ngettext(
                "A list can hold {limit} space at most. Nothing was played.",
                "A list can hold {limit} spaces at most. Nothing was played.",
                error.limit,
            ).format(limit=error.limit)
        case ListProblem.TOO_LONG:
            return reader.ngettext(
                "I read {limit} character at most. Nothing was played.",
                "I read {limit} characters at most. Nothing was played.",
                error.limit,
            ).format(limit=error.limit)
        case ListProblem.NOT_PLACING:
            return reader.gettext("Lists are for placing pieces; here all are placed.")


def _bad_block(reader: Reader, error: BadBlock) -> str:
    match error.problem:
        case BlockProblem.YOURSELF:
            return reader.gettext("You can't block yourself.")
        case BlockProblem.BOT:
            return reader.gettext("Bots never challenge you, so there's nothing to block.")
        case BlockProblem.TOO_MANY:
            return reader.ngettext(
                "You've blocked {limit} player, as many as I can keep. Unblock one first: "
                "/settings show lists them.",
                "You've blocked {limit} players, as many as I can keep. Unblock one first: "
                "/settings show lists them.",
                error.limit,
            ).format(limit=error.limit)


def _bad_offer(reader: Reader, error: BadOffer) -> str:  # noqa: PLR0911 - a sentence for each problem
    match error.problem:
        case OfferProblem.LIVE:
            return reader.gettext("In a live game no move is taken back.")
        case OfferProblem.NOTHING:
            return reader.gettext("You have nothing to take back.")
        case OfferProblem.PENDING:
            return reader.gettext(
                "An offer waits for its answer under the newest board: that comes first."
            )
        case OfferProblem.REFUSED:
            return reader.gettext("That was declined. You can ask again after your next turn.")
        case OfferProblem.NOT_PLACING:
            return reader.gettext("All pieces are placed: there is nothing left to place by lot.")
        case OfferProblem.OWN:
            return reader.gettext("You have offered that yourself: your opponent answers.")
        case OfferProblem.TAKEBACKS_SPENT:
            return reader.ngettext(
                "You can take back, or ask to, {limit} time in a game, and you have. From here on "
                "every move stays.",
                "You can take back, or ask to, {limit} times in a game, and you have. From here on "
                "every move stays.",
                error.limit,
            ).format(limit=error.limit)
        case OfferProblem.OFFERS_SPENT:
            return reader.ngettext(
                "You can offer that {limit} time in a game, and you have. Your opponent may still "
                "offer it to you.",
                "You can offer that {limit} times in a game, and you have. Your opponent may still "
                "offer it to you.",
                error.limit,
            ).format(limit=error.limit)


def _missing(reader: Reader, error: MissingPermissions) -> str:
    count = len(error.permissions)
    lacking = reader.ngettext(
        "I lack a permission in this channel: {permissions}.",
        "I lack permissions in this channel: {permissions}.",
        count,
    ).format(permissions=", ".join(map(reader.gettext, error.permissions)))
    if error.asker_may_mend:
        remedy = reader.ngettext(
            "You can give it to me: in the channel's settings, under Permissions.",
            "You can give them to me: in the channel's settings, under Permissions.",
            count,
        )
    else:
        remedy = reader.ngettext(
            "Whoever has Manage Permissions here, such as the server's owner, can give it to me.",
            "Whoever has Manage Permissions here, such as the server's owner, can give them to me.",
            count,
        )
    return f"{lacking} {remedy}"


def _too_many_games(reader: Reader, error: TooManyGames) -> str:
    if error.is_asker:
        sentence = reader.ngettext(
            "You are playing {limit} game, as many as this server allows at once. "
            "Finish it first; /games shows it.",
            "You are playing {limit} games, as many as this server allows at once. "
            "Finish one first; /games lists them.",
            error.limit,
        )
    else:
        sentence = reader.ngettext(
            "{player} is playing {limit} game, as many as this server allows at once. "
            "Try again when it has ended.",
            "{player} is playing {limit} games, as many as this server allows at once. "
            "Try again when one has ended.",
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
        links=", ".join(
            channel(one.channel)
            if one.message is None
            else link(error.guild, one.channel, one.message)
            for one in error.challenges
        ),
    )


def _answered(reader: Reader, state: ChallengeState) -> str:
    match state:
        case ChallengeState.ACCEPTED:
            return reader.gettext("This challenge has been accepted already.")
        case ChallengeState.DECLINED:
            return reader.gettext("This challenge has been declined.")
        case ChallengeState.EXPIRED:
            return reader.ngettext(
                "This challenge has expired after {days} day. /challenge makes a new one.",
                "This challenge has expired after {days} days. /challenge makes a new one.",
                CHALLENGE_LIFE.days,
            ).format(days=CHALLENGE_LIFE.days)
        case _:
            return reader.gettext("This challenge has been taken back.")


def _bad_clock(reader: Reader, error: BadClock) -> str:
    limit = "" if error.limit is None else duration(reader, error.limit)
    match error.problem:
        case ClockProblem.UNREADABLE:
            sentence = reader.gettext(
                "I don't understand that clock. Try 1 day per move, 3 days + 1 day, 10+5, "
                "15 minutes, or none."
            )
        case ClockProblem.BANK_TOO_SHORT:
            sentence = reader.gettext("Each player needs at least {limit}.")
        case ClockProblem.BANK_TOO_LONG:
            sentence = reader.gettext("A clock begins with at most {limit}.")
        case ClockProblem.INCREMENT_TOO_LONG:
            sentence = reader.gettext("A move can add at most {limit}.")
        case ClockProblem.CAP_BELOW_BANK:
            sentence = reader.gettext("The maximum can't be below the start time, {limit}.")
        case ClockProblem.CAP_TOO_LONG:
            sentence = reader.gettext("Clocks can rise to at most {limit}.")
        case ClockProblem.LIVE_INCREMENT:
            sentence = reader.gettext(
                "In a live game, a move can add at most what you start with: {limit}."
            )
        case ClockProblem.LIVE_WEEKENDS:
            sentence = reader.gettext(
                "Weekend pause needs a clock of {limit} or more; shorter games are live."
            )
        case ClockProblem.WEEKENDS_WITHOUT_CLOCK:
            sentence = reader.gettext("Weekend pause needs a clock, such as 1 day per move.")
    return sentence.format(limit=limit)


def _unknown_zone(reader: Reader, error: UnknownZone) -> str:
    if not error.suggestions:
        return reader.gettext("I know no such time zone. Write it as in Europe/Berlin, or UTC.")
    return reader.gettext("I know no such time zone. Did you mean {zones}?").format(
        zones=reader.gettext(" or ").join(error.suggestions)
    )
