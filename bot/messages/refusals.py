"""Every refusal in words: what was wrong, and what is possible instead."""

import math

from bot.locales import gettext as _
from bot.locales import ngettext
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


def refusal(error: PlayError) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each type
    """Why not, and what would be possible."""
    match error:
        case UnreadableMove():
            return unreadable(error.error, error.position, error.coordinates)
        case IllegalPlay():
            return illegal(error.error, error.coordinates)
        case NotYourTurn():
            return _("It is not your turn: {player} is to move.").format(player=user(error.to_move))
        case TooLate():
            return _(
                "That came too late: this game has ended, and its last board tells how. /challenge "
                "starts another one."
            )
        case NoGameHere():
            return _("No game is running in this channel. /challenge starts one.")
        case NotAPlayer():
            return _("Only the two players of this game can do that.")
        case GameGone():
            return _("This game has ended.")
        case TurnOver():
            return _("That turn is over. The newest board has the buttons that count.")
        case ChannelBusy():
            return _(
                "A game is running in {where}, and I cannot open a thread here for another one. "
                "Try another channel."
            ).format(where=channel(error.channel))
        case ChallengeAnswered():
            return _answered(error.challenge.state)
        case RematchOffered():
            return rematch_offered(error)
        case NotForYou():
            if error.who is None:
                return _("You cannot accept your own challenge. Somebody else has to.")
            return _("That button is for {player}.").format(player=user(error.who))
        case BadOpponent(problem=OpponentProblem.YOURSELF):
            return _("You cannot challenge yourself. Leave the opponent out to challenge anyone.")
        case BadOpponent(problem=OpponentProblem.NO_MACHINE):
            return _("The machine is switched off here. Challenge a person instead.")
        case BadOpponent(problem=OpponentProblem.NOBODY_HERE):
            return _("Here you can play against me alone. Challenge others in a server.")
        case BadOpponent(problem=OpponentProblem.NO_LEVEL):
            return _("Only the machine has levels. Challenge me, or leave the level out.")
        case BadOpponent():
            return _("Other bots do not play DVONN here. Challenge a person, or me.")
        case MustChoose():
            return _(
                "The game has not begun: {player} is to choose under the newest board."
            ).format(player=user(error.who))
        case BadList():
            return _bad_list(error)
        case BadOffer():
            return _bad_offer(error)
        case AskedTooOften():
            return _("You've asked your opponent a lot. You can ask again {when}.").format(
                when=instant(error.possible_from, relative=True)
            )
        case TooLateToAbort():
            return _too_late_to_abort(error)
        case NotAllowed():
            return _("For this you need the permission {permission}.").format(
                permission=error.permission
            )
        case NoThreadsHere():
            return _("No thread can be opened here. Leave that out, or try a text channel.")
        case MissingPermissions():
            return _missing(error)
        case WrongChannel():
            return _("Moderators have chosen other channels for games here: {channels}.").format(
                channels=some(map(channel, sorted(error.allowed)))
            )
        case TooManyGames():
            return _too_many_games(error)
        case TooManyChallenges():
            return _too_many_challenges(error)
        case TooSoon():
            seconds = math.ceil(error.wait.total_seconds())
            return ngettext(
                "That's several challenges in a row. Please wait {seconds} second.",
                "That's several challenges in a row. Please wait {seconds} seconds.",
                seconds,
            ).format(seconds=seconds)
        case NotNow():
            return _(
                "You can't start a game with {player} at the moment. Try someone else, or post an "
                "open challenge."
            ).format(player=user(error.who))
        case YouBlocked():
            return _(
                "You've blocked {player}. To play them, unblock them first: /preferences unblock."
            ).format(player=user(error.who))
        case BadBlock():
            return _bad_block(error)
        case BadClock():
            return _bad_clock(error)
        case UnknownZone():
            return _unknown_zone(error)
        case BadTime():
            return _("I cannot read that as a time of day. Write it as 22:00, 8:30 or 10 pm.")
        case SameTime():
            return _("Quiet hours cannot begin and end at the same time of day.")
        case BadVacation():
            return bad_vacation(error)
        case NoVacation():
            return no_vacation()
        case _:
            return something_went_wrong()


def _too_late_to_abort(error: TooLateToAbort) -> str:
    if error.possible_from is None:
        return _(
            "It is too late to end this game without a result: that is possible until your second "
            "own piece or move. You can /resign, or offer a draw with /draw."
        )
    return _(
        "It is too late to end this game without a result: that is possible until your second own "
        "piece or move, or if your opponent has not moved by {moment}, {countdown}. Until then you "
        "can wait, /resign, or offer a draw with /draw."
    ).format(
        moment=instant(error.possible_from), countdown=instant(error.possible_from, relative=True)
    )


def _bad_list(error: BadList) -> str:
    match error.problem:
        case ListProblem.MOVE:
            return _("A list for later can hold only spaces, and no moves. Nothing was played.")
        case ListProblem.TWICE:
            return _("{space} is twice in your list. Nothing was played.").format(space=error.space)
        case ListProblem.TAKEN:
            return _(
                "There is a piece on {space} already. Nothing was played; with “else next free” at "
                "the end, taken spaces are replaced."
            ).format(space=error.space)
        case ListProblem.TOO_MANY:
            return ngettext(
                "A list can hold {limit} space at most. Nothing was played.",
                "A list can hold {limit} spaces at most. Nothing was played.",
                error.limit,
            ).format(limit=error.limit)
        case ListProblem.TOO_LONG:
            return ngettext(
                "I read {limit} character at most. Nothing was played.",
                "I read {limit} characters at most. Nothing was played.",
                error.limit,
            ).format(limit=error.limit)
        case ListProblem.NOT_PLACING:
            return _("Lists are for placing pieces; here all are placed.")


def _bad_block(error: BadBlock) -> str:
    match error.problem:
        case BlockProblem.YOURSELF:
            return _("You can't block yourself.")
        case BlockProblem.BOT:
            return _("Bots never challenge you, so there's nothing to block.")
        case BlockProblem.TOO_MANY:
            return ngettext(
                "You've blocked {limit} player, as many as I can keep. Unblock one first: "
                "/preferences show lists them.",
                "You've blocked {limit} players, as many as I can keep. Unblock one first: "
                "/preferences show lists them.",
                error.limit,
            ).format(limit=error.limit)


def _bad_offer(error: BadOffer) -> str:  # noqa: PLR0911 - a sentence for each problem
    match error.problem:
        case OfferProblem.LIVE:
            return _("In a live game no move is taken back.")
        case OfferProblem.NOTHING:
            return _("You have nothing to take back.")
        case OfferProblem.PENDING:
            return _("An offer waits for its answer under the newest board: that comes first.")
        case OfferProblem.REFUSED:
            return _("That was declined. You can ask again after your next turn.")
        case OfferProblem.NOT_PLACING:
            return _("All pieces are placed: there is nothing left to draw by lot.")
        case OfferProblem.OWN:
            return _("You have offered that yourself: your opponent answers.")
        case OfferProblem.TAKEBACKS_SPENT:
            return ngettext(
                "You can take back, or ask to, {limit} time in a game, and you have. From here on "
                "every move stays.",
                "You can take back, or ask to, {limit} times in a game, and you have. From here on "
                "every move stays.",
                error.limit,
            ).format(limit=error.limit)
        case OfferProblem.OFFERS_SPENT:
            return ngettext(
                "You can offer that {limit} time in a game, and you have. Your opponent may still "
                "offer it to you.",
                "You can offer that {limit} times in a game, and you have. Your opponent may still "
                "offer it to you.",
                error.limit,
            ).format(limit=error.limit)


def _missing(error: MissingPermissions) -> str:
    count = len(error.permissions)
    lacking = ngettext(
        "I lack a permission in this channel: {permissions}.",
        "I lack permissions in this channel: {permissions}.",
        count,
    ).format(permissions=", ".join(error.permissions))
    if error.asker_may_mend:
        remedy = ngettext(
            "You can give it to me: in the channel's settings, under Permissions.",
            "You can give them to me: in the channel's settings, under Permissions.",
            count,
        )
    else:
        remedy = ngettext(
            "Whoever has Manage Permissions here, such as the server's owner, can give it to me.",
            "Whoever has Manage Permissions here, such as the server's owner, can give them to me.",
            count,
        )
    return f"{lacking} {remedy}"


def _too_many_games(error: TooManyGames) -> str:
    if error.is_asker:
        sentence = ngettext(
            "You are playing {limit} game, as many as this server allows at once. "
            "Finish it first; /games shows it.",
            "You are playing {limit} games, as many as this server allows at once. "
            "Finish one first; /games lists them.",
            error.limit,
        )
    else:
        sentence = ngettext(
            "{player} is playing {limit} game, as many as this server allows at once. "
            "Try again when it has ended.",
            "{player} is playing {limit} games, as many as this server allows at once. "
            "Try again when one has ended.",
            error.limit,
        )
    return sentence.format(player=user(error.who), limit=error.limit)


def _too_many_challenges(error: TooManyChallenges) -> str:
    count = len(error.challenges)
    return ngettext(
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


def _answered(state: ChallengeState) -> str:
    match state:
        case ChallengeState.ACCEPTED:
            return _("This challenge has been accepted already.")
        case ChallengeState.DECLINED:
            return _("This challenge has been declined.")
        case ChallengeState.EXPIRED:
            return ngettext(
                "This challenge has expired after {days} day. /challenge makes a new one.",
                "This challenge has expired after {days} days. /challenge makes a new one.",
                CHALLENGE_LIFE.days,
            ).format(days=CHALLENGE_LIFE.days)
        case _:
            return _("This challenge has been taken back.")


def _bad_clock(error: BadClock) -> str:
    limit = "" if error.limit is None else duration(error.limit)
    match error.problem:
        case ClockProblem.UNREADABLE:
            sentence = _(
                "I cannot read that clock. Write, for example, “3 days + 1 day”, "
                "“240 hours + 36 hours up to 240 hours”, “15 minutes” or “none”."
            )
        case ClockProblem.BANK_TOO_SHORT:
            sentence = _("Each player needs at least {limit}.")
        case ClockProblem.BANK_TOO_LONG:
            sentence = _("A clock begins with at most {limit}.")
        case ClockProblem.INCREMENT_TOO_LONG:
            sentence = _("A move can add at most {limit}.")
        case ClockProblem.CAP_BELOW_BANK:
            sentence = _("Clocks begin with {limit}, so they cannot be held below that.")
        case ClockProblem.CAP_TOO_LONG:
            sentence = _("Clocks can rise to at most {limit}.")
        case ClockProblem.LIVE_INCREMENT:
            sentence = _(
                "With less than {limit} a game is live, and live games have no time added for "
                "moves. Leave that out, or begin with {limit} or more."
            )
        case ClockProblem.LIVE_WEEKENDS:
            sentence = _(
                "With less than {limit} a game is live, and live games do not rest at weekends. "
                "Leave that out, or begin with {limit} or more."
            )
        case ClockProblem.WEEKENDS_WITHOUT_CLOCK:
            sentence = _(
                "Without a clock there is nothing to rest at weekends. Choose a clock as well, "
                "such as “3 days + 1 day”, or leave the weekends out."
            )
    return sentence.format(limit=limit)


def _unknown_zone(error: UnknownZone) -> str:
    if not error.suggestions:
        return _("I know no such time zone. Write it as in Europe/Berlin, or UTC.")
    return _("I know no such time zone. Did you mean {zones}?").format(
        zones=_(" or ").join(error.suggestions)
    )
