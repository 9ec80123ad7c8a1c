"""The words around a challenge."""

from bot.locales import Reader
from bot.messages.durations import clock_line
from bot.messages.posts import (
    Button,
    ButtonStyle,
    Post,
    challenge_button_id,
    channel,
    how_to_play,
    link,
    user,
)
from bot.model.conduct import CHALLENGE_LIFE
from bot.model.game import Game
from bot.model.refusals import RematchOffered
from bot.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColourChoice,
    Place,
    Start,
)
from dvonn import Coordinates

# The characters that turn the direction of writing; letters know theirs by themselves.
_DIRECTIONS = dict.fromkeys(
    [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)


def challenge(reader: Reader, row: ChallengeRow) -> Post:
    """The challenge as it is posted, with its buttons."""
    terms = row.terms
    if terms.level is not None:
        sentence = reader.gettext("{challenger} plays DVONN against {opponent}, at level {level}.")
    elif terms.opponent is None:
        sentence = reader.gettext(
            "{challenger} wants to play DVONN. Whoever accepts first is the opponent."
        )
    else:
        sentence = reader.gettext("{opponent}, {challenger} challenges you to a game of DVONN.")
    lines = [
        sentence.format(
            challenger=user(terms.challenger),
            opponent="" if terms.opponent is None else user(terms.opponent),
            level=terms.level,
        ),
        _colours(reader, row),
    ]
    if terms.coordinates is Coordinates.PERGIOCO:
        lines.append(reader.gettext("Coordinates: pergioco (rows e to a, numbers 1 to 11)."))
    if terms.start is Start.BALANCED:
        lines.append(reader.gettext("The board is made by lot, balanced: stacks move at once."))
    elif terms.start is Start.SYMMETRIC:
        lines.append(reader.gettext("The board is made by lot, symmetric: stacks move at once."))
    lines += clock_line(reader, terms.clock)
    if terms.place is Place.THREAD:
        lines.append(reader.gettext("The game gets a thread of its own."))
    against_machine = terms.level is not None
    accept = reader.gettext("Start") if against_machine else reader.gettext("Accept")
    buttons = [_button(row, accept, "accept", ButtonStyle.SUCCESS)]
    if terms.opponent is not None and not against_machine:
        buttons.append(_button(row, reader.gettext("Decline"), "decline", ButtonStyle.DANGER))
    buttons.append(_button(row, reader.gettext("Cancel"), "cancel", ButtonStyle.SECONDARY))
    buttons.append(how_to_play(reader))
    ping = None if against_machine else terms.opponent
    return Post(content="\n".join(lines), ping=ping, buttons=tuple(buttons))


def rematch_offered(reader: Reader, error: RematchOffered) -> str:
    """Why a rematch is not posted again, and where it is."""
    where, message = error.where
    place = channel(where) if message is None else link(error.challenge.terms.guild, where, message)
    match error.challenge.state:
        case ChallengeState.ACCEPTED:
            sentence = reader.gettext(
                "This game has its rematch already: {place}. The last board there offers the next "
                "one."
            )
        case ChallengeState.DECLINED:
            sentence = reader.gettext(
                "Your rematch was declined. /challenge asks for another game."
            )
        case ChallengeState.CANCELLED:
            sentence = reader.gettext(
                "You have taken this rematch back. /challenge asks for another game."
            )
        case _:
            sentence = reader.gettext(
                "You have offered a rematch already, and it waits for its answer: {place}"
            )
    return sentence.format(place=place)


def challenge_accepted(reader: Reader, row: ChallengeRow, game: Game) -> Post:
    """What stands in place of a challenge that was accepted."""
    opponent = game.row.black if game.row.white == row.terms.challenger else game.row.white
    sentence = (
        reader.gettext("{opponent} accepted the challenge of {challenger}.")
        if row.terms.level is None
        else reader.gettext("{challenger} plays against {opponent}, level {level}.")
    )
    seats = (
        reader.gettext("White: {white}, Black: {black}.")
        if game.choosing is None
        else reader.gettext("{white} picks the board, and then {black} a colour.")
    )
    content = f"{sentence} {seats}".format(
        level=row.terms.level,
        opponent=user(opponent),
        challenger=user(row.terms.challenger),
        white=user(game.row.white),
        black=user(game.row.black),
    )
    if game.row.channel != row.terms.channel:
        content += "\n" + reader.gettext("The game is in the thread of this message.")
    return Post(content=content)


def challenge_closed(reader: Reader, row: ChallengeRow) -> Post:
    """What stands in place of a challenge that was declined, cancelled or never answered."""
    challenger = user(row.terms.challenger)
    if row.state is ChallengeState.DECLINED and row.terms.opponent is not None:
        sentence = reader.gettext("{opponent} declined the challenge of {challenger}.")
        return Post(
            content=sentence.format(opponent=user(row.terms.opponent), challenger=challenger)
        )
    if row.state is ChallengeState.EXPIRED:
        sentence = reader.ngettext(
            "The challenge of {challenger} expired: nobody accepted it within {days} day.",
            "The challenge of {challenger} expired: nobody accepted it within {days} days.",
            CHALLENGE_LIFE.days,
        )
        return Post(content=sentence.format(challenger=challenger, days=CHALLENGE_LIFE.days))
    return Post(
        content=reader.gettext("{challenger} took the challenge back.").format(
            challenger=challenger
        )
    )


def thread_name(reader: Reader, number: int, white: str, black: str) -> str:
    """What a game's thread is called: plain names, at most 100 characters.

    Args:
        reader: Whose language it is in.
        number: The game's number.
        white: The name of White's player, as Discord shows it.
        black: The name of Black's player.
    """
    return reader.gettext("DVONN {number}: {white} – {black}").format(
        number=number, white=_plain(white), black=_plain(black)
    )[:100]


def _plain(name: str) -> str:
    """A name that leaves the direction of the words after it alone, and room for them."""
    return name.translate(_DIRECTIONS)[:40]


def _colours(reader: Reader, row: ChallengeRow) -> str:
    if row.terms.start is Start.PIE:
        return _pie(reader, row.terms)
    challenger = user(row.terms.challenger)
    match row.terms.colour:
        case ColourChoice.WHITE:
            return reader.gettext("{challenger} plays White and begins.").format(
                challenger=challenger
            )
        case ColourChoice.BLACK:
            return reader.gettext("{challenger} plays Black.").format(challenger=challenger)
        case ColourChoice.RANDOM:
            return reader.gettext("Colours are random.")


def _pie(reader: Reader, terms: ChallengeTerms) -> str:
    sentences = [reader.gettext("Three balanced boards are made by lot.")]
    if terms.opponent is None:
        sentence = reader.gettext(
            "{challenger} picks one, then the opponent a colour, and White moves first."
        )
    elif terms.challenger_picks:
        sentence = reader.gettext(
            "{challenger} picks one, then {opponent} a colour, and White moves first."
        )
    else:
        sentence = reader.gettext(
            "{opponent} picks one, then {challenger} a colour, and White moves first."
        )
    opponent = "" if terms.opponent is None else user(terms.opponent)
    sentences.append(sentence.format(challenger=user(terms.challenger), opponent=opponent))
    if terms.rematch_of is None and terms.colour is not ColourChoice.RANDOM:
        sentences.append(
            reader.gettext("The colour that was asked for does not count with this start.")
        )
    return " ".join(sentences)


def _button(row: ChallengeRow, label: str, action: str, style: ButtonStyle) -> Button:
    return Button(label, challenge_button_id(row.id, action), style)
