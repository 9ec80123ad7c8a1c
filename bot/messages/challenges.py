"""The words around a challenge."""

from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.durations import clock_line
from bot.messages.posts import (
    Button,
    ButtonStyle,
    Post,
    challenge_button_id,
    channel,
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


def challenge(row: ChallengeRow) -> Post:
    """The challenge as it is posted, with its buttons."""
    terms = row.terms
    if terms.level is not None:
        sentence = _("{challenger} plays DVONN against {opponent}, at level {level}.")
    elif terms.opponent is None:
        sentence = _("{challenger} wants to play DVONN. Whoever accepts first is the opponent.")
    else:
        sentence = _("{opponent}, {challenger} challenges you to a game of DVONN.")
    lines = [
        sentence.format(
            challenger=user(terms.challenger),
            opponent="" if terms.opponent is None else user(terms.opponent),
            level=terms.level,
        ),
        _colours(row),
    ]
    if terms.coordinates is Coordinates.PERGIOCO:
        lines.append(_("Coordinates: pergioco (rows e to a, numbers 1 to 11)."))
    if terms.start is Start.BALANCED:
        lines.append(_("The board is drawn by lot, balanced: stacks move at once."))
    elif terms.start is Start.SYMMETRIC:
        lines.append(_("The board is drawn by lot, symmetric: stacks move at once."))
    lines += clock_line(terms.clock)
    if terms.place is Place.THREAD:
        lines.append(_("The game gets a thread of its own."))
    against_machine = terms.level is not None
    accept = _("Start") if against_machine else _("Accept")
    buttons = [_button(row, accept, "accept", ButtonStyle.SUCCESS)]
    if terms.opponent is not None and not against_machine:
        buttons.append(_button(row, _("Decline"), "decline", ButtonStyle.DANGER))
    buttons.append(_button(row, _("Cancel"), "cancel", ButtonStyle.SECONDARY))
    ping = None if against_machine else terms.opponent
    return Post(content="\n".join(lines), ping=ping, buttons=tuple(buttons))


def rematch_offered(error: RematchOffered) -> str:
    """Why a rematch is not posted again, and where it is."""
    where, message = error.where
    place = channel(where) if message is None else link(error.challenge.terms.guild, where, message)
    match error.challenge.state:
        case ChallengeState.ACCEPTED:
            sentence = _(
                "This game has its rematch already: {place}. The last board there offers the next "
                "one."
            )
        case ChallengeState.DECLINED:
            sentence = _("Your rematch was declined. /challenge asks for another game.")
        case ChallengeState.CANCELLED:
            sentence = _("You have taken this rematch back. /challenge asks for another game.")
        case _:
            sentence = _("You have offered a rematch already, and it waits for its answer: {place}")
    return sentence.format(place=place)


def challenge_accepted(row: ChallengeRow, game: Game) -> Post:
    """What stands in place of a challenge that was accepted."""
    opponent = game.row.black if game.row.white == row.terms.challenger else game.row.white
    sentence = (
        _("{opponent} accepted the challenge of {challenger}.")
        if row.terms.level is None
        else _("{challenger} plays against {opponent}, level {level}.")
    )
    seats = (
        _("White: {white}, Black: {black}.")
        if game.choosing is None
        else _("{white} picks the board, and then {black} a colour.")
    )
    content = f"{sentence} {seats}".format(
        level=row.terms.level,
        opponent=user(opponent),
        challenger=user(row.terms.challenger),
        white=user(game.row.white),
        black=user(game.row.black),
    )
    if game.row.channel != row.terms.channel:
        content += "\n" + _("The game is in the thread of this message.")
    return Post(content=content)


def challenge_closed(row: ChallengeRow) -> Post:
    """What stands in place of a challenge that was declined, cancelled or never answered."""
    challenger = user(row.terms.challenger)
    if row.state is ChallengeState.DECLINED and row.terms.opponent is not None:
        sentence = _("{opponent} declined the challenge of {challenger}.")
        return Post(
            content=sentence.format(opponent=user(row.terms.opponent), challenger=challenger)
        )
    if row.state is ChallengeState.EXPIRED:
        sentence = ngettext(
            "The challenge of {challenger} expired: nobody accepted it within {days} day.",
            "The challenge of {challenger} expired: nobody accepted it within {days} days.",
            CHALLENGE_LIFE.days,
        )
        return Post(content=sentence.format(challenger=challenger, days=CHALLENGE_LIFE.days))
    return Post(content=_("{challenger} took the challenge back.").format(challenger=challenger))


def thread_name(number: int, white: str, black: str) -> str:
    """What a game's thread is called: plain names, at most 100 characters.

    Args:
        number: The game's number.
        white: The name of White's player, as Discord shows it.
        black: The name of Black's player.
    """
    return _("DVONN {number}: {white} – {black}").format(
        number=number, white=_plain(white), black=_plain(black)
    )[:100]


def _plain(name: str) -> str:
    """A name that leaves the direction of the words after it alone, and room for them."""
    return name.translate(_DIRECTIONS)[:40]


def _colours(row: ChallengeRow) -> str:
    if row.terms.start is Start.PIE:
        return _pie(row.terms)
    challenger = user(row.terms.challenger)
    match row.terms.colour:
        case ColourChoice.WHITE:
            return _("{challenger} plays White and begins.").format(challenger=challenger)
        case ColourChoice.BLACK:
            return _("{challenger} plays Black.").format(challenger=challenger)
        case ColourChoice.RANDOM:
            return _("Colours are drawn.")


def _pie(terms: ChallengeTerms) -> str:
    sentences = [_("Three balanced boards are drawn by lot.")]
    if terms.opponent is None:
        sentence = _("{challenger} picks one, then the opponent a colour, and White moves first.")
    elif terms.challenger_picks:
        sentence = _("{challenger} picks one, then {opponent} a colour, and White moves first.")
    else:
        sentence = _("{opponent} picks one, then {challenger} a colour, and White moves first.")
    opponent = "" if terms.opponent is None else user(terms.opponent)
    sentences.append(sentence.format(challenger=user(terms.challenger), opponent=opponent))
    if terms.rematch_of is None and terms.colour is not ColourChoice.RANDOM:
        sentences.append(_("The colour that was asked for does not count with this start."))
    return " ".join(sentences)


def _button(row: ChallengeRow, label: str, action: str, style: ButtonStyle) -> Button:
    return Button(label, challenge_button_id(row.id, action), style)
