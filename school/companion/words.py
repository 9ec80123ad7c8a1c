"""Texts of remarks by the machine's character."""

from typing import Final

from bot.base.formats import and_list
from bot.base.languages import Reader
from bot.connection.posts import Button, Post
from bot.play.model.game import Game
from bot.play.switches import Switch
from bot.play.words.characters import character_says
from bot.play.words.pictures import only_person, picture
from dvonn import Position, format_move
from dvonn_lessons.remarks import DecisiveCut, Idea, Remark
from renderer import Arrows
from school.companion.model import COMPANION, PlacedRemark

COMPANION_SWITCH: Final = Switch(
    of=COMPANION,
    label=lambda reader: reader.gettext("Let my opponent comment"),
    hint=lambda reader: reader.gettext("In games against the machine, three times at most"),
)


def remark_line(reader: Reader, game: Game, remark: Remark) -> str:
    """Return a remark with the character's name, such as "**Pip**: Ouch, that cut off your g3."."""
    return character_says(reader, game.row.level or 1, _sentence(reader, game, remark))


def _sentence(reader: Reader, game: Game, remark: Remark) -> str:
    coordinates = reader.coordinates_or(game.row.coordinates)
    sentence = {
        Idea.CUT_OWN: reader.gettext("Ouch, {move} cut off your own {points}."),
        Idea.LET_CUT: reader.gettext("After {better} I couldn't have cut you off."),
        Idea.ONLY_SAFE: reader.gettext("{move} was the only safe move, and you found it!"),
        Idea.GREAT_CUT: reader.gettext("What a cut! I didn't see that coming."),
        Idea.TOOK_TALLEST: reader.gettext("There goes my tallest stack. Well played!"),
    }[remark.idea]
    better = "" if remark.better is None else format_move(remark.better, coordinates)
    points = and_list(reader, map(coordinates.label, remark.points))
    move = format_move(remark.move, coordinates)
    return sentence.format(points=points, better=better, move=move)


def why_button(reader: Reader, game: Game, remark: PlacedRemark) -> Button:
    """Return the button that opens the board that a remark is about."""
    return Button(reader.gettext("Why?"), f"dvonn:why:{game.row.id}:{remark.plies}")


def why(reader: Reader, game: Game, placed: PlacedRemark, before: Position) -> Post:
    """Return the board before the move that a remark is about, with an arrow."""
    remark, coordinates = placed.remark, reader.coordinates_or(game.row.coordinates)
    position, arrow = before, Arrows(played=remark.move)
    content = remark_line(reader, game, remark)
    if remark.better is not None:
        arrow = Arrows(better=remark.better)
        sentence = reader.gettext("You played {move}, and {reply} cut off your {points}.")
        text = sentence.format(
            move=format_move(remark.move, coordinates),
            reply="" if remark.reply is None else format_move(remark.reply, coordinates),
            points=and_list(reader, map(coordinates.label, remark.points)),
        )
        content = f"{content}\n{text}"
    return Post(
        content=content,
        picture=picture(
            reader,
            f"why-{game.row.id}-{placed.plies}.png",
            position,
            coordinates,
            marks=arrow,
            seen_in=game,
            you=only_person(game),
        ),
    )


def difference_line(reader: Reader, game: Game, difference: DecisiveCut) -> str:
    """Return the sentence about the cut that decided an ended game."""
    move = format_move(difference.move, reader.coordinates_or(game.row.coordinates))
    winner = None if game.outcome is None else game.outcome.winner
    sentence = (
        reader.gettext("Your {move} made the difference: it cut off {count} pieces.")
        if winner is only_person(game)
        else reader.gettext("{move} made the difference: it cut off {count} of your pieces.")
    )
    return sentence.format(move=move, count=difference.pieces)
