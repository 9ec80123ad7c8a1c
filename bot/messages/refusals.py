"""Every refusal in words: what was wrong, and what is possible instead."""

import math
from datetime import timedelta

from bot.locales import Reader
from bot.messages.calling import cannot_call
from bot.messages.challenges import answered, rematch_offered
from bot.messages.clocks import bad_clock
from bot.messages.formats import duration, either, some_others, together
from bot.messages.posts import channel, instant, link, user
from bot.messages.profiles import no_profile
from bot.messages.puzzles import no_puzzle
from bot.messages.ratings import cannot_rate
from bot.messages.refused_lines import bad_lines
from bot.messages.refused_moves import bad_list, illegal, unreadable
from bot.messages.refused_tournaments import refused_tournament
from bot.messages.replay import bad_paste
from bot.messages.reviews import no_review
from bot.messages.troubles import something_went_wrong
from bot.messages.vacations import bad_vacation, no_vacation
from bot.messages.visiting import only_privately
from bot.messages.votes import cannot_vote
from bot.model.refusals import (
    AlreadyIn,
    AskedTooOften,
    BadBeginning,
    BadBlock,
    BadClock,
    BadLength,
    BadLines,
    BadList,
    BadOffer,
    BadOpponent,
    BadPaste,
    BadTerms,
    BadTime,
    BadVacation,
    BlockProblem,
    CannotCall,
    CannotCorrect,
    CannotRate,
    CannotVote,
    ChallengeAnswered,
    ChannelBusy,
    GameGone,
    HelpProblem,
    IllegalPlay,
    LineTooLong,
    MissingPermissions,
    MustChoose,
    NoBoard,
    NoDailyPuzzle,
    NoEngineHelp,
    NoGameHere,
    NoPuzzleLeft,
    NoReview,
    NoServerPuzzle,
    NoSuchPly,
    NotAllowed,
    NotAPlayer,
    NotForYou,
    NothingDue,
    NoThreadsHere,
    NotIn,
    NotNow,
    NotOpen,
    NoTournament,
    NotYet,
    NotYourTurn,
    NoVacation,
    OfferProblem,
    OnlyPrivately,
    OpponentProblem,
    OrganisersOnly,
    PlayError,
    ProfileHidden,
    RematchOffered,
    SameTime,
    TeamDecides,
    TeamVotes,
    TooFewPlayers,
    TooLate,
    TooLateToAbort,
    TooLateToJoin,
    TooManyChallenges,
    TooManyGames,
    TooManyTournaments,
    TooSoon,
    TournamentFull,
    TournamentGone,
    TurnOver,
    UnknownZone,
    UnreadableMove,
    WhichTournament,
    WrongChannel,
    YouBlocked,
)


def refusal(reader: Reader, error: PlayError) -> str:  # noqa: C901, PLR0911, PLR0912, PLR0915 - one line for each type
    """Why not, and what would be possible."""
    match error:
        case UnreadableMove():
            return unreadable(reader, error.error, error.position, error.coordinates)
        case IllegalPlay():
            return illegal(reader, error.error, error.coordinates)
        case NotYourTurn():
            return reader.gettext("It's {player}'s turn.").format(player=user(error.to_move))
        case TooLate():
            return reader.gettext("This game is already over. /challenge starts another one.")
        case NoGameHere():
            return reader.gettext(
                "There's no game here. /play starts one with me, /challenge with a friend."
            )
        case NoReview():
            return no_review(reader, error)
        case NoPuzzleLeft() | NoDailyPuzzle() | NoServerPuzzle():
            return no_puzzle(reader, error)
        case ProfileHidden():
            return no_profile(reader, error)
        case CannotCall():
            return cannot_call(reader, error)
        case (
            AlreadyIn()
            | BadBeginning()
            | BadLength()
            | BadTerms()
            | CannotCorrect()
            | NoTournament()
            | NotIn()
            | NotOpen()
            | OrganisersOnly()
            | TooFewPlayers()
            | TooLateToJoin()
            | TooManyTournaments()
            | TournamentFull()
            | TournamentGone()
            | WhichTournament()
        ):
            return refused_tournament(reader, error)
        case CannotRate():
            return cannot_rate(reader, error)
        case TeamDecides() | CannotVote() | TeamVotes():
            return cannot_vote(reader, error)
        case NotAPlayer():
            return reader.gettext("Only the players can do that.")
        case GameGone():
            return reader.gettext("This game is already over.")
        case NoBoard():
            return reader.gettext(
                "There's no board on that message. Try it on one of mine that shows a board."
            )
        case NothingDue():
            return reader.gettext("None of your own mistakes is due now.")
        case NoSuchPly():
            return reader.gettext("That move isn't there any more. Open the view again.")
        case LineTooLong():
            return reader.ngettext(
                "A line can hold {count} move. Take some back first.",
                "A line can hold {count} moves. Take some back first.",
                error.limit,
            ).format(count=error.limit)
        case NotYet():
            return reader.gettext("This game is still being played. Share it when it's over.")
        case NoEngineHelp():
            return _no_engine_help(reader, error.problem)
        case BadPaste():
            return bad_paste(reader, error)
        case TurnOver():
            return reader.gettext("Out of date; use the newest board.")
        case ChannelBusy():
            return reader.gettext(
                "A game is running in {where}, and I can't open a thread here for another one. "
                "Try another channel."
            ).format(where=channel(error.channel))
        case ChallengeAnswered():
            return answered(reader, error.challenge.state)
        case RematchOffered():
            return rematch_offered(reader, error)
        case NotForYou():
            if error.who is None:
                return reader.gettext("You can't accept your own challenge.")
            return reader.gettext("Only {player} can press that.").format(player=user(error.who))
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
        case MustChoose():
            return reader.gettext(
                "The game hasn't begun: {player} has to choose first, under the newest board."
            ).format(player=user(error.who))
        case BadList():
            return bad_list(reader, error)
        case BadLines():
            return bad_lines(reader, error)
        case BadOffer():
            return _bad_offer(reader, error)
        case AskedTooOften():
            return reader.gettext(
                "You've asked your opponent a lot. You can ask again {when}."
            ).format(when=instant(error.possible_from, relative=True))
        case TooLateToAbort():
            return _too_late_to_abort(reader, error)
        case NotAllowed():
            return reader.gettext("You need {permission} for this.").format(
                permission=reader.gettext(error.permission)
            )
        case NoThreadsHere():
            return reader.gettext(
                "I can't open a thread here. Play here instead, or try a text channel."
            )
        case OnlyPrivately():
            return only_privately(reader)
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
        case TooSoon():
            wait = timedelta(seconds=math.ceil(error.wait.total_seconds()))
            return reader.gettext("Please wait {time}.").format(time=duration(reader, wait))
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
            return bad_clock(reader, error)
        case UnknownZone():
            return _unknown_zone(reader, error)
        case BadTime():
            return reader.gettext(
                "I didn't understand that time. Write it as 22:00, 8:30 or 10 pm, and give both "
                "from and until."
            )
        case SameTime():
            return reader.gettext("Quiet hours can't begin and end at the same time.")
        case BadVacation():
            return bad_vacation(reader, error)
        case NoVacation():
            return no_vacation(reader)
        case _:
            return something_went_wrong(reader)


def _too_late_to_abort(reader: Reader, error: TooLateToAbort) -> str:
    if error.possible_from is None:
        return reader.gettext("Too late to abort; you can /resign or offer a /draw.")
    return reader.gettext(
        "Too late to abort; you can /resign or offer a /draw. If your opponent hasn't moved by "
        "{moment}, {countdown}, you can abort then."
    ).format(
        moment=instant(error.possible_from), countdown=instant(error.possible_from, relative=True)
    )


def _no_engine_help(reader: Reader, problem: HelpProblem) -> str:
    match problem:
        case HelpProblem.RUNNING:
            return reader.gettext(
                "People are still playing that position, or one close to it, so I'm keeping out of "
                "it. Ask me again when their game is over."
            )
        case HelpProblem.NO_MACHINE:
            return reader.gettext("The engine is switched off here.")
        case HelpProblem.OVER:
            return reader.gettext("Nobody can move any more; there's nothing to find.")
        case HelpProblem.TEAM:
            return reader.gettext("In a team game you find the moves together, without my hints.")
        case HelpProblem.RATED:
            return reader.gettext("No hints in rated games.")
        case HelpProblem.NOT_AGREED:
            return reader.gettext(
                "In a game between people I give hints only if both agree. *Suggest hints* on the "
                "game's page asks your opponent; /games opens it."
            )


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


def _bad_offer(reader: Reader, error: BadOffer) -> str:  # noqa: C901, PLR0911 - a sentence for each problem
    match error.problem:
        case OfferProblem.LIVE:
            return reader.gettext("No takebacks in live games.")
        case OfferProblem.NOTHING:
            return reader.gettext("You have nothing to take back.")
        case OfferProblem.PENDING:
            return reader.gettext("Answer the open offer first, under the newest board.")
        case OfferProblem.REFUSED:
            return reader.gettext("That was declined. You can ask again after your next turn.")
        case OfferProblem.NOT_PLACING:
            return reader.gettext("Nothing left to place.")
        case OfferProblem.OWN:
            return reader.gettext("That's your own offer; wait for the answer.")
        case OfferProblem.HINTS_FREE:
            return reader.gettext("Against me hints are free: press *Hint* on your turn.")
        case OfferProblem.HINTS_RATED:
            return reader.gettext("No hints in rated games.")
        case OfferProblem.TAKEBACK_RATED:
            return reader.gettext("No takebacks in rated games against me.")
        case OfferProblem.HINTS_AGREED:
            return reader.gettext("You both may ask for hints already: press *Hint* on your turn.")
        case OfferProblem.TAKEBACKS_SPENT:
            return reader.ngettext(
                "That was your {limit} takeback of this game. From here on every move stays.",
                "You have used your {limit} takebacks of this game. From here on every move stays.",
                error.limit,
            ).format(limit=error.limit)
        case OfferProblem.OFFERS_SPENT:
            return reader.ngettext(
                "You have offered that {limit} time, as often as a game allows. Your opponent can "
                "still offer it to you.",
                "You have offered that {limit} times, as often as a game allows. Your opponent can "
                "still offer it to you.",
                error.limit,
            ).format(limit=error.limit)


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


def _unknown_zone(reader: Reader, error: UnknownZone) -> str:
    if not error.suggestions:
        return reader.gettext("Unknown time zone. Write it as in Europe/Berlin, or UTC.")
    return reader.gettext("Unknown time zone. Did you mean {zones}?").format(
        zones=either(reader, error.suggestions)
    )
