"""The texts of all refusals: the problem, and something that is possible instead."""

import math
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from datetime import timedelta
from typing import Any, Final

from bot.base.errors import PlayError
from bot.base.formats import duration, or_list
from bot.base.languages import Reader
from bot.base.zones import UnknownZone
from bot.connection.posts import channel, timestamp, user
from bot.connection.words import something_went_wrong
from bot.play.model import refusals, refused_starts
from bot.play.words.challenges import answered_challenge, no_game, rematch_offered
from bot.play.words.clocks import bad_clock, bad_vacation, no_vacation
from bot.play.words.notices import only_privately
from bot.play.words.refused_moves import bad_list, illegal, unreadable
from bot.play.words.team_turns import team_decides, team_votes

Words = Callable[[Reader, Any], str]
"""Returns the text for one type of refusal."""


def _not_your_turn(reader: Reader, error: refusals.NotYourTurn) -> str:
    return reader.gettext("It's {player}'s turn.").format(player=user(error.to_move))


def _level_missing(reader: Reader, error: refused_starts.LevelMissing) -> str:
    return reader.gettext(
        "Here I only play levels 1 to {level}. Choose one of them with /play."
    ).format(level=error.strongest)


def _not_for_you(reader: Reader, error: refused_starts.NotForYou) -> str:
    if error.who is None:
        return reader.gettext("You can't accept your own challenge. Wait a bit, or press *Cancel*.")
    return reader.gettext("Only {player} can press that.").format(player=user(error.who))


def _asked_too_often(reader: Reader, error: refused_starts.AskedTooOften) -> str:
    return reader.gettext("You've asked your opponent a lot. You can ask again {when}.").format(
        when=timestamp(error.possible_from, relative=True)
    )


def _too_soon(reader: Reader, error: refused_starts.TooSoon) -> str:
    wait = timedelta(seconds=math.ceil(error.wait.total_seconds()))
    return reader.gettext("Please wait {time}.").format(time=duration(reader, wait))


def _not_allowed(reader: Reader, error: refused_starts.NotAllowed) -> str:
    if error.everywhere:
        sentence = reader.gettext(
            "This changes the whole server, so you need a role with {permission}."
        )
    elif error.channel is not None:
        sentence = reader.gettext("You need {permission} in {channel} for this.")
    else:
        sentence = reader.gettext("You need {permission} for this.")
    place = "" if error.channel is None else channel(error.channel)
    return sentence.format(permission=reader.gettext(error.permission), channel=place)


def _too_late_to_abort(reader: Reader, error: refusals.TooLateToAbort) -> str:
    if error.possible_from is None:
        return reader.gettext(
            "It's too late to call this game off. You can /resign or offer a /draw."
        )
    sentence = (
        reader.gettext(
            "It's too late to call this game off. You can /resign or offer a /draw. If your "
            "opponent hasn't moved by {moment} ({countdown}), you can claim the win."
        )
        if error.claims
        else reader.gettext(
            "It's too late to call this game off. You can /resign or offer a /draw. If your "
            "opponent hasn't moved by {moment} ({countdown}), you can end it without a result."
        )
    )
    return sentence.format(
        moment=timestamp(error.possible_from),
        countdown=timestamp(error.possible_from, relative=True),
    )


def _no_engine_help(reader: Reader, error: refusals.NoEngineHelp) -> str:
    """Explain why the engine can't help at the moment, without revealing whose game it is."""
    if error.problem is refusals.HelpProblem.PLAYED:
        return reader.gettext(
            "Two people are playing this board right now, so I'll keep quiet. Ask me again once "
            "they've moved on."
        )
    return reader.gettext("This game is still on, so I'll keep quiet until it's over.")


def _bad_gift(reader: Reader, error: refusals.BadGift) -> str:
    match error.problem:
        case refusals.GiftProblem.NO_CLOCK:
            return reader.gettext("There's no clock here: nobody is short of time.")
        case refusals.GiftProblem.MACHINE:
            return reader.gettext("Thank you! I have all the time I need.")
        case refusals.GiftProblem.TOURNAMENT:
            return reader.gettext("In a tournament everybody has the same time.")
        case refusals.GiftProblem.ENOUGH:
            return reader.gettext(
                "That's kind, but they have plenty. A clock can't go above {limit}."
            ).format(limit=duration(reader, error.limit))


def _bad_offer(reader: Reader, error: refusals.BadOffer) -> str:  # noqa: C901, PLR0911, PLR0912 - a sentence for each problem
    match error.problem:
        case refusals.OfferProblem.LIVE:
            return reader.gettext("No takebacks in live games.")
        case refusals.OfferProblem.NOTHING:
            return reader.gettext("You have nothing to take back.")
        case refusals.OfferProblem.PENDING:
            return reader.gettext("Answer the open offer first, under the newest board.")
        case refusals.OfferProblem.REFUSED:
            return reader.gettext("That was declined. You can ask again after your next turn.")
        case refusals.OfferProblem.NOT_PLACING:
            return reader.gettext("Nothing left to place.")
        case refusals.OfferProblem.OWN:
            return reader.gettext("That's your own offer. Wait for the answer, or press *Decline*.")
        case refusals.OfferProblem.OVER:
            return reader.gettext("That offer is over. Play on, or make one yourself.")
        case refusals.OfferProblem.HINTS_FREE:
            return reader.gettext("Against me you may always ask for hints.")
        case refusals.OfferProblem.HINTS_RATED:
            return reader.gettext("No hints in rated games.")
        case refusals.OfferProblem.TAKEBACK_RATED:
            return reader.gettext("No takebacks in rated games against me.")
        case refusals.OfferProblem.HINTS_AGREED:
            return reader.gettext("You can both ask for hints already.")
        case refusals.OfferProblem.TAKEBACKS_SPENT:
            return reader.ngettext(
                "You've used your {limit} takeback in this game. From now on, every move stays.",
                "You've used your {limit} takebacks in this game. From now on, every move stays.",
                error.limit,
            ).format(limit=error.limit)
        case refusals.OfferProblem.OFFERS_SPENT:
            return reader.ngettext(
                "You've offered that {limit} time, and that's all a game allows. Your opponent "
                "can still offer it.",
                "You've offered that {limit} times, and that's all a game allows. Your opponent "
                "can still offer it.",
                error.limit,
            ).format(limit=error.limit)
        case refusals.OfferProblem.PAUSE_LIVE:
            return reader.gettext("No pauses in live games. You can give your opponent time.")
        case refusals.OfferProblem.PAUSE_MACHINE:
            return reader.gettext("I can't pause a game. *Vacation* in /settings stops your clock.")
        case refusals.OfferProblem.PAUSE_TOURNAMENT:
            return reader.gettext(
                "No pauses in tournaments: the others wait for this game. Ask an organizer."
            )
        case refusals.OfferProblem.PAUSED:
            return reader.gettext("The game is paused already. *More* under the board ends that.")
        case refusals.OfferProblem.NOT_PAUSED:
            return reader.gettext("There's no pause that you could end. Just play on.")


def _unknown_zone(reader: Reader, error: UnknownZone) -> str:
    if not error.suggestions:
        return reader.gettext("I don't know that time zone. Write it like Europe/Berlin, or UTC.")
    return reader.gettext("I don't know that time zone. Did you mean {zones}?").format(
        zones=or_list(reader, error.suggestions)
    )


_WORDS: Final[Mapping[type[PlayError], Words]] = {
    refusals.UnreadableMove: unreadable,
    refusals.IllegalPlay: illegal,
    refusals.NotYourTurn: _not_your_turn,
    refusals.NotYourVote: _not_your_turn,
    refusals.GameJustEnded: lambda reader, _: reader.gettext(
        "This game is already over. /challenge starts another one."
    ),
    refusals.NoGameHere: lambda reader, _: reader.gettext(
        "There's no game here right now. /play starts one with me, /challenge one with a friend. "
        "/games has yours."
    ),
    refusals.TeamDecides: team_decides,
    refusals.TeamVotes: lambda reader, _: team_votes(reader),
    refusals.NotAPlayer: lambda reader, _: reader.gettext(
        "Only the two players can do that. Want a game of your own? Try /challenge."
    ),
    refusals.GameNotRunning: lambda reader, _: reader.gettext(
        "This game is already over. /challenge starts another one."
    ),
    refusals.OutOfSight: lambda reader, _: reader.gettext(
        "I don't show that game here. Open it where it was played."
    ),
    refusals.NoEngineHelp: _no_engine_help,
    refusals.StaleBoard: lambda reader, _: reader.gettext(
        "That's an old board. The newest one is further down."
    ),
    refused_starts.BadOpponent: no_game,
    refused_starts.BlockedHere: no_game,
    refused_starts.ChannelBusy: no_game,
    refused_starts.MissingPermissions: no_game,
    refused_starts.NoThreadsHere: no_game,
    refused_starts.NotNow: no_game,
    refused_starts.TooManyChallenges: no_game,
    refused_starts.TooManyGames: no_game,
    refused_starts.WrongChannel: no_game,
    refused_starts.YouBlocked: no_game,
    refused_starts.ChallengeAnswered: lambda reader, _: answered_challenge(reader),
    refused_starts.RematchOffered: rematch_offered,
    refused_starts.NotForYou: _not_for_you,
    refused_starts.LevelMissing: _level_missing,
    refusals.BadList: bad_list,
    refusals.BadGift: _bad_gift,
    refusals.BadOffer: _bad_offer,
    refused_starts.AskedTooOften: _asked_too_often,
    refusals.OwnRatedGame: lambda reader, _: reader.gettext(
        "That's your own rated game. You can /resign it, or ask another moderator to end it."
    ),
    refusals.TooLateToAbort: _too_late_to_abort,
    refused_starts.NotAllowed: _not_allowed,
    refused_starts.RolesUnknown: lambda reader, _: reader.gettext(
        "Discord hasn't told me this server's roles yet. Try again in a moment."
    ),
    refused_starts.OnlyPrivately: lambda reader, _: only_privately(reader),
    refused_starts.TooSoon: _too_soon,
    refusals.BadClock: bad_clock,
    UnknownZone: _unknown_zone,
    refusals.BadVacation: bad_vacation,
    refusals.NoVacation: lambda reader, _: no_vacation(reader),
}
"""The game's refusals, each with the function that returns its text."""


class RefusalWords:
    """Returns the text for any refusal: the problem, and something that is possible instead."""

    def __init__(self, *of_features: Mapping[type[PlayError], Words]) -> None:
        self._words = dict(_WORDS)
        for words in of_features:
            self._words |= words

    def __call__(self, reader: Reader, error: PlayError) -> str:
        words = self._words.get(type(error))
        return something_went_wrong(reader) if words is None else words(reader, error)

    @property
    def known_types(self) -> AbstractSet[type[PlayError]]:
        return self._words.keys()


refusal: Final = RefusalWords()
"""Returns texts for the game's own refusals only."""
