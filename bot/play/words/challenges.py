"""Texts about challenges."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, assert_never

from bot.base.formats import and_list, shortened_people
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, Post, channel, escaped, link, timestamp, user
from bot.play.model import refused_starts
from bot.play.model.conduct import CHALLENGE_LIFE
from bot.play.model.game import Game
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColorChoice,
    Place,
    Start,
)
from bot.play.words.characters import character
from bot.play.words.clocks import clock_line, flags_left
from bot.play.words.notices import while_visiting
from bot.play.words.pictures import Picture, picture
from bot.play.words.views import assumed_inside, challenge_button_id, how_to_play
from dvonn import Coordinates

NOBODY_AWAY: Final[Mapping[UserId, datetime]] = MappingProxyType({})


def challenge(
    reader: Reader,
    row: ChallengeRow,
    *,
    visiting: bool = False,
    away: Mapping[UserId, datetime] = NOBODY_AWAY,
) -> Post:
    """Return the invitation to a game between people. `away` has the ends of players' vacations."""
    terms = row.terms
    if terms.opponent is None:
        sentence = reader.gettext(
            "{challenger} is looking for a game of DVONN. Press *Accept* to play!"
        )
    else:
        sentence = reader.gettext("{opponent}, {challenger} challenges you to a game of DVONN.")
    lines = [
        sentence.format(challenger=user(terms.challenger), opponent=_opponent(terms)),
        _colors(reader, row),
        board_words(reader, terms.start),
        *(assumed_inside(reader, terms.position.assumed) if terms.position else ()),
    ]
    if terms.coordinates is Coordinates.PERGIOCO:
        lines.append(reader.gettext("Coordinates: rows a to e, 1 to 11 (pergioco)"))
    lines += clock_line(reader, terms.clock)
    lines += _rated_line(reader, terms)
    lines += _time_loss_lines(reader, terms)
    if terms.place is Place.THREAD:
        lines.append(reader.gettext("It gets a thread of its own."))
    for player, until in away.items():
        words = reader.gettext("{player} is on vacation until {until}.")
        lines.append(words.format(player=user(player), until=timestamp(until)))
    lines += while_visiting(reader, terms.clock) if visiting else []
    buttons = [_button(row, reader.gettext("Accept"), "accept", ButtonStyle.SUCCESS)]
    if terms.opponent is not None:
        buttons.append(_button(row, reader.gettext("Decline"), "decline", ButtonStyle.DANGER))
    buttons.append(_button(row, reader.gettext("Cancel"), "cancel", ButtonStyle.SECONDARY))
    buttons.append(how_to_play(reader))
    return Post(
        content="\n".join(lines),
        pings=() if terms.opponent is None else (terms.opponent,),
        picture=_position(reader, row),
        buttons=tuple(buttons),
    )


def _position(reader: Reader, row: ChallengeRow) -> Picture | None:
    """Return a picture of the start position, if one was chosen."""
    terms = row.terms
    if terms.position is None:
        return None
    names = reader.coordinates_or(terms.coordinates)
    return picture(reader, f"challenge-{row.id}.png", terms.position.position, names)


def play_me(reader: Reader) -> Button:
    return Button(reader.gettext("Play me"), "dvonn:play", ButtonStyle.SUCCESS)


def play_level(reader: Reader, level: int) -> Button:
    words = reader.gettext("Play {name} (level {level})")
    label = words.format(name=character(level), level=level)
    return Button(label, f"dvonn:play:{level}", ButtonStyle.SUCCESS)


def level_name(reader: Reader, level: int) -> str:
    """Return a short name for a level of the machine: "5 · Olli (relaxed)"."""
    last_of = {
        1: reader.gettext("first games"),
        3: reader.gettext("easy"),
        5: reader.gettext("relaxed"),
        7: reader.gettext("medium"),
        8: reader.gettext("solid"),
        10: reader.gettext("hard"),
        12: reader.gettext("strong"),
        13: reader.gettext("very strong"),
        15: reader.gettext("expert"),
        16: reader.gettext("master"),
        17: reader.gettext("strongest"),
    }
    strength = next(name for last, name in last_of.items() if level <= last)
    return f"{level} · {character(level)} ({strength})"


def answered_challenge(reader: Reader) -> str:
    return reader.gettext("This challenge is over. Make a new one with /challenge.")


def rematch_offered(reader: Reader, error: refused_starts.RematchOffered) -> str:
    channel_id, message = error.where
    place = (
        channel(channel_id)
        if message is None
        else link(error.challenge.terms.guild, channel_id, message)
    )
    match error.challenge.state:
        case ChallengeState.ACCEPTED:
            sentence = reader.gettext(
                "The rematch is here: {place}. When it's over, press *Rematch* there."
            )
        case ChallengeState.DECLINED | ChallengeState.CANCELLED:
            sentence = answered_challenge(reader)
        case _:
            sentence = reader.gettext(
                "You've already offered a rematch. It's waiting here: {place}"
            )
    return sentence.format(place=place)


def challenge_accepted(reader: Reader, row: ChallengeRow, game: Game) -> Post:
    """Return the text that replaces a challenge when the game's thread is opened from it."""
    if row.terms.level is not None:  # of 0.1.0
        return machine_game_in_thread(reader, row)
    seats = (user(game.row.white), user(game.row.black))
    opponent = seats[user(row.terms.challenger) == seats[0]]
    words = reader.gettext("{opponent} accepted {challenger}'s challenge.")
    text = words.format(opponent=opponent, challenger=user(row.terms.challenger))
    return _in_thread(reader, text)


def machine_game_in_thread(reader: Reader, row: ChallengeRow) -> Post:
    """Return the message on which the thread of a game against the machine is opened."""
    level = row.terms.level
    words = reader.gettext("{challenger} vs {opponent}, level {level}.").format(
        challenger=user(row.terms.challenger),
        opponent="" if level is None else character(level),
        level=level,
    )
    return _in_thread(reader, words)


def _in_thread(reader: Reader, words: str) -> Post:
    return Post(content="\n".join([words, reader.gettext("Game in the thread below")]))


def challenge_closed(reader: Reader, row: ChallengeRow) -> Post:
    challenger = user(row.terms.challenger)
    if row.state is ChallengeState.DECLINED and (opponent := _opponent(row.terms)):
        sentence = reader.gettext("{opponent} declined {challenger}'s challenge.")
        return Post(content=sentence.format(opponent=opponent, challenger=challenger))
    if row.state is ChallengeState.EXPIRED:
        sentence = reader.ngettext(
            "{challenger}'s challenge expired after {days} day.",
            "{challenger}'s challenge expired after {days} days.",
            CHALLENGE_LIFE.days,
        )
        return Post(content=sentence.format(challenger=challenger, days=CHALLENGE_LIFE.days))
    return Post(
        content=reader.gettext("{challenger} canceled the challenge.").format(challenger=challenger)
    )


def _rated_line(reader: Reader, terms: ChallengeTerms) -> list[str]:
    lines = [reader.gettext("Rated: the result changes your rating. No hints.")]
    if terms.rated is None:
        lines.append(reader.gettext("If it's your first game against a person, it doesn't count."))
    return [] if terms.rated is False else [" ".join(lines)]


def _time_loss_lines(reader: Reader, terms: ChallengeTerms) -> list[str]:
    if terms.leaves_flags(rated=terms.rated is not False):
        return [flags_left(reader)]
    if terms.strict and replace(terms, strict=False).leaves_flags(rated=terms.rated is not False):
        return [reader.gettext("Run out of time, and you lose.")]
    return []


def _colors(reader: Reader, row: ChallengeRow) -> str:
    challenger = user(row.terms.challenger)
    match row.terms.colour:
        case ColorChoice.WHITE:
            return reader.gettext("{player} plays White.").format(player=challenger)
        case ColorChoice.BLACK:
            return reader.gettext("{player} plays Black.").format(player=challenger)
        case ColorChoice.RANDOM:
            return reader.gettext("Colors: random")


def board_words(reader: Reader, start: Start) -> str:
    """Describe the board at the start of the game."""
    if start is Start.PLACEMENT:
        return reader.gettext("Empty board: you place the pieces first.")
    if start is Start.POSITION:
        return reader.gettext("From this position, just for fun.")
    return reader.gettext("Even board: fair to both.")


def _opponent(terms: ChallengeTerms) -> str:
    """Name the challenged player, or return "" if anyone can accept."""
    return "" if terms.opponent is None else user(terms.opponent)


def _button(row: ChallengeRow, label: str, action: str, style: ButtonStyle) -> Button:
    return Button(label, challenge_button_id(row.id, action), style)


Refused = (
    refused_starts.BadOpponent
    | refused_starts.BlockedHere
    | refused_starts.ChannelBusy
    | refused_starts.MissingPermissions
    | refused_starts.NoThreadsHere
    | refused_starts.NotNow
    | refused_starts.TooManyChallenges
    | refused_starts.TooManyGames
    | refused_starts.WrongChannel
    | refused_starts.YouBlocked
)


def no_game(reader: Reader, error: Refused) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each type
    match error:
        case refused_starts.ChannelBusy():
            return _busy(reader, error)
        case refused_starts.BadOpponent(problem=refused_starts.OpponentProblem.YOURSELF):
            return reader.gettext(
                "You can't challenge yourself. Leave the opponent out to invite anyone."
            )
        case refused_starts.BadOpponent(problem=refused_starts.OpponentProblem.NO_MACHINE):
            return reader.gettext(
                "Games against me are switched off here. Challenge a person instead."
            )
        case refused_starts.BadOpponent(problem=refused_starts.OpponentProblem.GONE):
            return reader.gettext(
                "That player isn't in this server. Leave the opponent out to invite anyone."
            )
        case refused_starts.BadOpponent(problem=refused_starts.OpponentProblem.DELETED):
            return reader.gettext(
                "That player deleted their data, so I can't reach them. Challenge someone else."
            )
        case refused_starts.BadOpponent(problem=refused_starts.OpponentProblem.NOBODY_HERE):
            return reader.gettext(
                "Here it's just you and me: try /play. You can challenge others in a server."
            )
        case refused_starts.BadOpponent():
            return reader.gettext("I can't play other bots. Challenge a person, or me.")
        case refused_starts.BlockedHere():
            return _blocked_here(reader, error)
        case refused_starts.NoThreadsHere():
            return reader.gettext(
                "I can't open a thread here. Play here instead, or try a text channel."
            )
        case refused_starts.MissingPermissions():
            return _missing(reader, error)
        case refused_starts.WrongChannel():
            return reader.gettext(
                "Not in this channel, please. DVONN is played in {channels}."
            ).format(channels=shortened_people(reader, map(channel, sorted(error.allowed))))
        case refused_starts.TooManyGames():
            return _too_many_games(reader, error)
        case refused_starts.TooManyChallenges():
            return _too_many_challenges(reader, error)
        case refused_starts.NotNow():
            return reader.gettext(
                "You can't play {player} right now. Try someone else, or a challenge for anyone."
            ).format(player=user(error.who))
        case refused_starts.YouBlocked():
            return reader.gettext(
                "You've blocked {player}. To play them, unblock them first: *Blocks* in /settings."
            ).format(player=user(error.who))
        case unknown:
            assert_never(unknown)


def _blocked_here(reader: Reader, error: refused_starts.BlockedHere) -> str:
    block = error.block
    if not error.is_asker:
        sentence = reader.gettext(
            "{player} can't start games in this server until {until}. Try someone else."
        )
        return sentence.format(player=user(block.player), until=timestamp(block.until))
    sentence = reader.gettext(
        "A moderator has blocked you here until {until}. You can finish the games you're in."
    )
    return "\n".join([sentence.format(until=timestamp(block.until)), f"> {escaped(block.reason)}"])


def _busy(reader: Reader, error: refused_starts.ChannelBusy) -> str:
    mention = channel(error.channel)
    match error.reason:
        case refused_starts.BusyReason.DIRECT:
            return reader.gettext("We're already playing here. Finish that game, or /resign it.")
        case refused_starts.BusyReason.NO_THREADS:
            sentence = reader.gettext(
                "There's already a game in {where}, and Discord has no threads there for a second "
                "one. Wait until it ends, or try a text channel."
            )
        case refused_starts.BusyReason.LACKING:
            sentence = reader.gettext("There's already a game in {where}, so yours needs a thread.")
        case refused_starts.BusyReason.CONTINUED_GAME:
            sentence = reader.gettext(
                "There's another game in {where} now. Press it again once that's over."
            )
    text = sentence.format(where=mention)
    return text if error.lacking is None else f"{text} {_missing(reader, error.lacking)}"


def _missing(reader: Reader, error: refused_starts.MissingPermissions) -> str:
    count = len(error.permissions)
    problem = reader.ngettext(
        "I need this permission here: {permissions}.",
        "I need these permissions here: {permissions}.",
        count,
    ).format(permissions=and_list(reader, map(reader.gettext, error.permissions)))
    if error.asker_may_mend:
        remedy = reader.ngettext(
            "You can give it to me: in the channel's settings, under Permissions.",
            "You can give them to me: in the channel's settings, under Permissions.",
            count,
        )
    else:
        remedy = reader.gettext("Ask someone with Manage Permissions, such as the server's owner.")
    return f"{problem} {remedy}"


def _too_many_games(reader: Reader, error: refused_starts.TooManyGames) -> str:
    if error.is_asker:
        sentence = reader.ngettext(
            "You can play {limit} game at a time. Finish it first: /games shows it.",
            "You can play {limit} games at a time. Finish one first: /games lists them.",
            error.limit,
        )
    else:
        sentence = reader.ngettext(
            "{player} is already playing {limit} game, and that's the limit. Try again later.",
            "{player} is already playing {limit} games, and that's the limit. Try again later.",
            error.limit,
        )
    return sentence.format(player=user(error.who), limit=error.limit)


def _too_many_challenges(reader: Reader, error: refused_starts.TooManyChallenges) -> str:
    count = len(error.challenges)
    return reader.ngettext(
        "You have {count} open challenge in this server: {links}. "
        "Cancel it, or wait for an answer.",
        "You have {count} open challenges in this server: {links}. "
        "Cancel one, or wait for an answer.",
        count,
    ).format(
        count=count,
        links=and_list(
            reader,
            (
                channel(challenge.channel)
                if challenge.message is None
                else link(error.guild, challenge.channel, challenge.message)
                for challenge in error.challenges
            ),
        ),
    )
