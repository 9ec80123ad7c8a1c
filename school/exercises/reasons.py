"""Texts of the reasons why a move is worse than another."""

from typing import Final

from bot.base.languages import Reader
from bot.play.words.effects import cuts_off
from bot.play.words.names import Names
from bot.play.words.views import moves_text
from dvonn import Coordinates, Motif
from dvonn.review import ProvenReason


def reason_text(
    reader: Reader,
    why: ProvenReason,
    names: Names,
    coordinates: Coordinates = Coordinates.STANDARD,
) -> str:
    """Return a reason as text: the move, the place and the amount."""
    name = reader.coordinates_or(coordinates).label
    move = moves_text(reader, why.line[-1:], coordinates)
    if why.motif in _CUTS:
        return cuts_off(
            reader, move, map(name, why.points), why.count, whose=names.owner(why.sufferer)
        )
    return _sentence(reader, why).format(
        move=move,
        played=moves_text(reader, why.line[:1], coordinates),
        better=moves_text(reader, [] if why.better is None else [why.better], coordinates),
        player=names.of(reader, why.sufferer),
        other=names.of(reader, why.sufferer.opponent),
        count=why.count,
        point="" if why.point is None else name(why.point),
        others=why.others[0],
        count_then=why.others[1],
        others_then=why.others[2],
    )


def _sentence(reader: Reader, why: ProvenReason) -> str:
    count = why.count
    return {
        Motif.HANGING: reader.ngettext(
            "{move} takes the piece on {point} before it can get away.",
            "{move} takes the stack of {count} on {point} before it can get away.",
            count,
        ),
        Motif.ESCAPED: reader.ngettext(
            "{move} gets the piece away before it's taken.",
            "{move} gets the stack of {count} away before it's taken.",
            count,
        ),
        Motif.RETAKEN: reader.gettext("{move} takes the stack of {count} straight back."),
        Motif.SHARPSHOT: reader.gettext(
            "{move} takes the stack of {count} on {point}: it was built to land just there."
        ),
        Motif.TAKEN: reader.ngettext(
            "{move} takes the piece on {point} for good.",
            "{move} takes the stack of {count} on {point} for good.",
            count,
        ),
        Motif.LAST_MOVER: reader.ngettext(
            "After {move} only {other} can move, once.",
            "After {move} only {other} can move, {count} times.",
            count,
        ),
        Motif.MOBILITY: reader.gettext(
            "Moves to choose from, soon after {played}: {player} {count}, {other} {others}. "
            "After {better}: {player} {count_then}, {other} {others_then}."
        ),
        Motif.PIECES: reader.gettext(
            "With {played} it ends at about {count} for {player} and {others} for {other}. With "
            "{better}: {count_then} and {others_then}."
        ),
        Motif.SELF_STACKING: reader.gettext(
            "{move} joins two stacks of one player. It takes nothing and leaves one stack fewer "
            "to move."
        ),
    }[why.motif]


_CUTS: Final = (Motif.CUT_OFF, Motif.LAST_LINK, Motif.RED_CARRIED_OFF)
