"""Every refusal in words: what was wrong, and what is possible instead."""

import math
from collections.abc import Iterable

from bot.errors import (
    BadClock,
    BadList,
    BadOffer,
    BadOpponent,
    BadTime,
    BadVacation,
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
)
from bot.games import CHALLENGE_LIFE
from bot.ids import UserId
from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.durations import duration
from bot.messages.posts import channel, instant, link, user
from bot.messages.vacations import bad_vacation, no_vacation
from bot.store.rows import ChallengeState
from dvonn import (
    Coordinates,
    Move,
    NotationError,
    NotationProblem,
    Phase,
    Position,
    Reason,
    distance,
    format_move,
    neighbours,
)

_SHOWN = 10
"""How many of many possibilities are listed."""


def too_slow() -> str:
    """The answer to a press for which a form should have opened, when that took too long."""
    return _("That took me too long. Please press the button once more.")


def unknown_form() -> str:
    """The answer to a command of which Discord's client knows another form."""
    return _(
        "Your Discord shows an older form of this command. Reload it, with Ctrl+R or by starting "
        "it again, and try once more."
    )


def something_went_wrong() -> str:
    """The answer when the fault is ours."""
    return _("Something went wrong on my side. Nothing has changed; please try again.")


def cannot_write() -> str:
    """The answer where nothing can be written down at the moment."""
    return _(
        "I cannot write anything down at the moment, so nothing has changed. Please try again in a "
        "while."
    )


def will_be_played() -> str:
    """What a channel is told where a typed move cannot be written down at the moment."""
    return _(
        "I cannot write anything down at the moment. Moves that are typed here are played as soon "
        "as I can."
    )


def set_back() -> str:
    """What a channel is told whose newest turns a restored backup does not know."""
    return _(
        "I was set back to a backup, and turns of this game that were made by buttons or commands "
        "since then are lost. /board shows where it stands; please go on from there."
    )


def cannot_read(bot: UserId) -> str:
    """The hint, once in a game, where the bot sees that somebody writes but not what."""
    return _(
        "If that was a move: I cannot read plain messages here. Use the buttons under the board or "
        "/move, reply to the board with your move, or write it after {mention}."
    ).format(mention=user(bot))


def not_posted(missing: tuple[str, ...]) -> str:
    """The word to a player whose move counts, but whose board cannot be posted now.

    Args:
        missing: The permissions that the bot lacks in the channel, as far as it knows.
    """
    if not missing:
        return _("Your move counts. I cannot post the board yet: it comes as soon as I can.")
    return ngettext(
        "Your move counts, but I cannot post the board: I lack a permission here, {permissions}. "
        "It comes when somebody who manages the channel gives it to me.",
        "Your move counts, but I cannot post the board: I lack permissions here, {permissions}. "
        "It comes when somebody who manages the channel gives them to me.",
        len(missing),
    ).format(permissions=", ".join(missing))


def refusal(error: PlayError) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each type
    """Why not, and what would be possible."""
    match error:
        case UnreadableMove():
            legal = _legal(error.position, error.coordinates)
            return f"{_unreadable(error.error, error.position)} {legal}"
        case IllegalPlay():
            move, position = error.error.move, error.error.position
            reason = _illegal(error.error.reason, move, position, error.coordinates)
            return f"{reason} {_legal(position, error.coordinates, near=move)}".rstrip()
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
            return _("You have offered a rematch already. Your opponent can accept it.")
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
            return _bad_offer(error.problem)
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
                channels=_some(map(channel, sorted(error.allowed)))
            )
        case TooManyGames():
            return _too_many_games(error)
        case TooManyChallenges():
            return _too_many_challenges(error)
        case TooSoon():
            seconds = math.ceil(error.wait.total_seconds())
            return ngettext(
                "One challenge after the other, please: try again in {seconds} second.",
                "One challenge after the other, please: try again in {seconds} seconds.",
                seconds,
            ).format(seconds=seconds)
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


def _bad_offer(problem: OfferProblem) -> str:
    match problem:
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


def _unreadable(error: NotationError, position: Position) -> str:
    placement = position.phase is Phase.PLACEMENT
    match error.problem:
        case NotationProblem.PASS:
            return _("Nobody needs to pass: I pass for you whenever you have no legal move.")
        case NotationProblem.SEVERAL_MOVES:
            return _(
                "One at a time, please: several go in a message only while pieces are placed, "
                "with your last piece, or while your opponent cannot move."
            )
        case NotationProblem.OFF_BOARD:
            return _("The board has no space {text}.").format(text=_quoted(_word(error)))
        case _ if placement:
            return _("I cannot read that as a space.")
        case _:
            return _("I cannot read that as a move.")


def _word(error: NotationError) -> str:
    """The letters and digits at which reading stopped; nothing else can stand there."""
    rest = error.text[error.at :]
    length = next((i for i, c in enumerate(rest) if not (c.isascii() and c.isalnum())), len(rest))
    return rest[: min(length, 8)]


def _quoted(text: str) -> str:
    return f"“{text}”"


def _illegal(  # noqa: C901, PLR0911 - one sentence for each reason
    reason: Reason, move: Move, position: Position, coordinates: Coordinates
) -> str:
    target = coordinates.label(move.target)
    source = target if move.source is None else coordinates.label(move.source)
    match reason:
        case Reason.GAME_OVER:
            return _("This game is over.")
        case Reason.WRONG_PHASE if position.phase is Phase.PLACEMENT:
            return _("Pieces are still being placed: name one free space.")
        case Reason.WRONG_PHASE:
            return _("All pieces are placed: name the stack and where it goes.")
        case Reason.OCCUPIED:
            return _("There is a piece on {target} already.").format(target=target)
        case Reason.SAME_POINT:
            return _("A move needs two different spaces.")
        case Reason.EMPTY_SOURCE:
            return _("There is nothing on {source}.").format(source=source)
        case Reason.LONE_DVONN:
            return _("A single red piece never moves.")
        case Reason.NOT_OWNER:
            return _("The stack on {source} is your opponent's.").format(source=source)
        case Reason.SURROUNDED:
            return _(
                "The stack on {source} is surrounded on all six sides and cannot move."
            ).format(source=source)
        case Reason.NOT_STRAIGHT:
            return _("{target} is not in a straight line from {source}.").format(
                target=target, source=source
            )
        case Reason.WRONG_DISTANCE:
            return _wrong_distance(move, position, source, target)
        case Reason.EMPTY_TARGET:
            return _("There is no stack on {target} to land on.").format(target=target)


def _wrong_distance(move: Move, position: Position, source: str, target: str) -> str:
    height = 0 if move.source is None else position.height(move.source)
    away = 0 if move.source is None else distance(move.source, move.target)
    return ngettext(
        "The stack on {source} is {height} high and moves exactly {height} space; "
        "{target} is {away} away.",
        "The stack on {source} is {height} high and moves exactly {height} spaces; "
        "{target} is {away} away.",
        height,
    ).format(source=source, target=target, height=height, away=away)


def _legal(position: Position, coordinates: Coordinates, near: Move | None = None) -> str:
    """What would be legal, beginning with what comes nearest to what was tried."""
    if position.phase is Phase.PLACEMENT:
        return _free_spaces(position, coordinates, near)
    if position.phase is Phase.OVER:
        return ""
    if near is not None and near.source is not None:
        landings = position.destinations(near.source)
        if landings:
            return _("From {source} you can go to {targets}.").format(
                source=coordinates.label(near.source),
                targets=", ".join(coordinates.label(point) for point in landings),
            )
    moves = position.legal_moves()
    if len(moves) <= _SHOWN:
        return _("You can play {moves}.").format(
            moves=", ".join(format_move(move, coordinates) for move in moves)
        )
    sources = dict.fromkeys(move.source for move in moves if move.source is not None)
    return _("You can move the stacks on {sources}; for example {example}.").format(
        sources=_some(coordinates.label(point) for point in sources),
        example=format_move(moves[0], coordinates),
    )


def _free_spaces(position: Position, coordinates: Coordinates, near: Move | None) -> str:
    free = [move.target for move in position.legal_moves()]
    if near is not None:
        beside = neighbours(near.target)
        free.sort(key=lambda point: point not in beside)
    return _("Free spaces: {spaces}.").format(spaces=_some(map(coordinates.label, free)))


def _some(names: Iterable[str]) -> str:
    """The first few of many names."""
    all_names = list(names)
    shown = ", ".join(all_names[:_SHOWN])
    rest = len(all_names) - _SHOWN
    if rest <= 0:
        return shown
    return ngettext("{shown} and {count} more", "{shown} and {count} more", rest).format(
        shown=shown, count=rest
    )
