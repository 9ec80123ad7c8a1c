"""The parts of all private views of a game: ids of buttons, and the words for moves."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.base.ids import GameId
from bot.base.locales import Reader
from bot.connection.posts import Button, user
from bot.play.model.courses import Course, course_of, first_ply
from bot.play.model.game import Game
from bot.play.model.pasted import fenced
from bot.play.model.spots import Seen, Spot
from bot.play.model.thoughts import Thought
from bot.play.words.buttons import BoardPart, buttons_of
from bot.play.words.pictures import Film, Picture, caption_of, look_of, picture, seats
from dvonn import Color, Coordinates, Move, Phase, Position, Review, format_move
from renderer import NO_CAPTION, Heat, Marking, Reel


def replay_id(spot: Spot, by: str = "at") -> str:
    """Return the id of a button that shows a ply; two of them in one view may show the same."""
    return f"dvonn:replay:{spot.text}:{by}"


def record_id(spot: Spot) -> str:
    """Return the id of the button that gives the record."""
    return f"dvonn:replay:{spot.text}:record"


def page_id(game: GameId) -> str:
    """Return the id of the button that opens a game's page."""
    return f"dvonn:game:{game}:page"


def suggest_hints_id(game: GameId) -> str:
    """Return the id of the button that asks the other player to agree on hints."""
    return f"dvonn:hints:{game}"


def to_page(reader: Reader, game: GameId, row: int | None = None) -> Button:
    """Return the button that opens a game's page, or goes back to it."""
    return Button(reader.gettext("Game page"), page_id(game), row=row)


def looking_back(reader: Reader, game: Game, parts: Iterable[BoardPart]) -> tuple[Button, ...]:
    """Return the buttons under a game's last board that open what only the presser sees."""
    if not course_of(game).moves:
        return ()
    return (
        Button(reader.gettext("Replay"), replay_id(Spot(game.row.id, first_ply(game)))),
        *buttons_of(reader, game, parts),
        to_page(reader, game.row.id),
    )


def numbered(reader: Reader, course: Course, ply: int) -> str:
    """Return a move with its number: "63. c4-c2"."""
    move = format_move(course.moves[ply - 1], reader.naming(course.coordinates))
    return f"{course.numbers()[ply - 1]}. {move}"


def line_text(reader: Reader, course: Course, since: int) -> str:
    """Return the moves of a course after a ply, the first with its number: "64. d3-d5 e5-e3"."""
    if since >= course.plies:
        return ""
    moves = moves_text(reader, course.moves[since:], course.coordinates)
    return f"{course.numbers()[since]}. {moves}"


def moves_text(
    reader: Reader, moves: Iterable[Move], coordinates: Coordinates = Coordinates.STANDARD
) -> str:
    """Return moves one after the other, on a board that has these coordinates for everybody."""
    return " ".join(format_move(move, reader.naming(coordinates)) for move in moves)


def whose_turn(reader: Reader, position: Position) -> str:
    """Name the player who is to place or to move, or tell how the pieces were counted."""
    match position.turn, position.to_place:
        case None, _:
            return reader.gettext("The end: White {white}, Black {black}.").format(
                white=position.score(Color.WHITE), black=position.score(Color.BLACK)
            )
        case Color.WHITE, None:
            return reader.gettext("White to move.")
        case Color.BLACK, None:
            return reader.gettext("Black to move.")
        case Color.WHITE, _:
            return reader.gettext("White to place.")
        case _:
            return reader.gettext("Black to place.")


def players(seen: Seen) -> list[str]:
    """Name the players, where they are known."""
    if seen.game is None:
        return []
    row = seen.game.row
    return [f"**{user(row.white)} – {user(row.black)}**"]


def own_text(seen: Seen) -> list[str]:
    """Return the pasted text, from which the view's buttons read it again."""
    return [fenced(seen.course)] if seen.game is None else []


def shared_text(seen: Seen) -> list[str]:
    """Return the shared part of a pasted text, from which others' buttons read it."""
    return [fenced(seen.course.cut(seen.spot.ply))] if seen.game is None else []


def film(reader: Reader, seen: Seen, review: Review | None = None) -> Film:
    """Return a whole game, up to where it stands, as an animated picture or a page of its own."""
    game, course = seen.game, seen.course
    first = 0 if game is None else first_ply(game)  # before it a ready-made board is there at once
    return Film(
        f"replay-{seen.spot.game or 'game'}",
        Reel.line(
            course.cut(first).positions()[-1],
            course.moves[first:],
            coordinates=reader.naming(course.coordinates),
            caption=NO_CAPTION if game is None else caption_of(game),
        ),
        look_of(reader, game),
        None if game is None else seats(game),
        review,
        reader.locale,
    )


def heat(position: Position, thoughts: Sequence[Thought]) -> Heat | None:
    """Return the engine's values of free points for a picture; None where it has none."""
    if position.phase is not Phase.PLACEMENT:
        return None
    is_white = position.turn is Color.WHITE
    chances = {
        one.moves[0].target: one.white_wins if is_white else 1 - one.white_wins
        for one in thoughts
        if one.white_wins is not None
    }
    return Heat(chances) if chances else None


def seen_picture(reader: Reader, seen: Seen, kind: str, marks: Marking | None = None) -> Picture:
    """Return the board of a spot, with the players' names; the end of a game is shown as such."""
    game = seen.game
    made = picture(
        reader,
        f"{kind}-{seen.spot.game or 'board'}-{seen.position.plies}.png",
        seen.position,
        reader.naming(seen.coordinates),
        last=seen.last,
        marks=marks,
        game=game if seen.is_end and marks is None else None,
        seen_in=game,
    )
    if game is None:
        return made
    return replace(made, seats=seats(game))
