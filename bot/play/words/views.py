"""The parts of all private views of a game: ids of buttons, and the words for moves."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from bot.base.ids import GameId, Revision
from bot.base.languages import Reader
from bot.connection.posts import DIRECTIONS, Button, ButtonStyle, NameOf, escaped
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.model.pasted import coded, fenced
from bot.play.model.replays import MoveSequence, ReplayCursor, ReplayView, course_of, ending_headers
from bot.play.words.names import seat_name
from bot.play.words.pictures import Film, Picture, caption_of, look_of, picture, seats
from dvonn import Color, Coordinates, GameRecord, Move, Phase, Point, Position, Review, format_move
from dvonn.link import encode
from renderer import NO_CAPTION, Heat, Marking, Reel

HOW_TO_PLAY_ID = "dvonn:rules"
"""Id of the button that shows the rules to its presser."""
BoardPart = Callable[[Reader, Game], Sequence[Button]]
"""Makes a feature's buttons under a board: of the player to move, or of a game that is over."""


def board_button_id(game: GameId, revision: Revision, action: str) -> str:
    return f"dvonn:board:{game}:{revision}:{action}"


def board_button(
    game: Game, label: str, action: str, style: ButtonStyle = ButtonStyle.SECONDARY
) -> Button:
    return Button(label, board_button_id(game.row.id, game.row.revision, action), style)


def challenge_button_id(challenge: int, action: str) -> str:
    return f"dvonn:challenge:{challenge}:{action}"


def how_to_play(reader: Reader) -> Button:
    return Button(reader.gettext("How to play"), HOW_TO_PLAY_ID)


def buttons_of(reader: Reader, game: Game, parts: Iterable[BoardPart]) -> tuple[Button, ...]:
    return tuple(button for part in parts for button in part(reader, game))


def replay_id(spot: ReplayCursor, by: str = "at") -> str:
    return f"dvonn:replay:{spot.text}:{by}"


def record_id(spot: ReplayCursor) -> str:
    return f"dvonn:replay:{spot.text}:record"


def page_id(game: GameId) -> str:
    return f"dvonn:game:{game}:page"


def to_page(reader: Reader, game: GameId, row: int | None = None) -> Button:
    return Button(reader.gettext("Game page"), page_id(game), row=row)


def to_replay(reader: Reader, game: Game) -> tuple[Button, ...]:
    if not course_of(game).plies:
        return ()
    return (Button(reader.gettext("Replay"), replay_id(ReplayCursor(game.row.id, game.first_ply))),)


def numbered(reader: Reader, course: MoveSequence, ply: int) -> str:
    """Return a move with its number: "63. c4-c2"."""
    move = format_move(course.moves[ply - 1], reader.coordinates_or(course.coordinates))
    return f"{course.number(ply)}. {move}"


def line_text(reader: Reader, course: MoveSequence, since: int) -> str:
    """Return the moves of a course after a ply, the first with its number: "64. d3-d5 e5-e3"."""
    if since >= course.plies:
        return ""
    moves = moves_text(reader, course.moves[since:], course.coordinates)
    return f"{course.number(since + 1)}. {moves}"


def moves_text(
    reader: Reader, moves: Iterable[Move], coordinates: Coordinates = Coordinates.STANDARD
) -> str:
    """Return moves one after the other, on a board that has these coordinates for everybody."""
    return " ".join(format_move(move, reader.coordinates_or(coordinates)) for move in moves)


def whose_turn(reader: Reader, position: Position) -> str:
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


def final_score(reader: Reader, position: Position) -> str:
    white, black = position.score(Color.WHITE), position.score(Color.BLACK)
    match position.winner:
        case Color.WHITE:
            sentence = reader.gettext("White wins {white} to {black}.")
        case Color.BLACK:
            sentence = reader.gettext("Black wins {black} to {white}.")
        case _:
            sentence = reader.gettext("A draw, {white} to {black}.")
    return sentence.format(white=white, black=black)


def players(seen: ReplayView) -> list[str]:
    if seen.game is not None:
        white, black = (seat_name(seen.game, color) for color in Color)
        return [f"**{white} – {black}**"]
    if not any(seen.sequence.names):
        return []
    white, black = (escaped(name) or "?" for name in seen.sequence.names)
    return [f"**{white} – {black}**"]


def own_text(seen: ReplayView) -> list[str]:
    """Return the pasted game in short or the position, which the buttons read again."""
    if seen.game is not None:
        return []
    return [coded(seen.sequence) if seen.sequence.moves else fenced(seen.sequence)]


def assumed_inside(reader: Reader, assumed: Collection[Point]) -> list[str]:
    """Return a sentence about stacks with assumed pieces, if there are any."""
    if not assumed:
        return []
    return [
        reader.gettext(
            "I can't see inside the taller stacks, so I guessed. It changes nothing in play."
        )
    ]


def shared_text(seen: ReplayView) -> list[str]:
    """Return the shared part of a pasted text, which other users' buttons read."""
    return [fenced(seen.sequence.cut(seen.cursor.ply))] if seen.game is None else []


def game_link(seen: ReplayView, page: str, name_of: NameOf) -> str:
    """Return the link to a view on the page of games, with the players' names and the result.

    Args:
        seen: A ply of a game, or a line that was tried there.
        page: The page's address, or an empty text for no link.
        name_of: Returns the names of players.
    """
    if not page:
        return ""
    course, headers = seen.path, dict(seen.path.headers)
    if seen.game is not None:
        names = zip(("White", "Black"), seats(seen.game).names(name_of), strict=True)
        headers = {tag: _plain(name) for tag, name in names if name}
        headers |= ending_headers(seen.game.outcome) if seen.is_end else {}
    record = GameRecord(course.moves, headers, course.coordinates, start=course.start)
    return f"{page}#{encode(record)}"


def link_line(reader: Reader, link: str) -> list[str]:
    words = reader.gettext("Open it in a browser")
    return [f"[{words}](<{link}>)"] if link else []


def film(reader: Reader, seen: ReplayView, review: Review | None = None) -> Film:
    game, course = seen.game, seen.sequence
    first = course.dealt  # before it a ready-made board is there at once
    return Film(
        f"replay-{seen.cursor.game or 'game'}",
        Reel.line(
            course.cut(first).positions()[-1],
            course.moves[first:],
            coordinates=reader.coordinates_or(course.coordinates),
            caption=NO_CAPTION if game is None else caption_of(game),
        ),
        look_of(reader, game),
        None if game is None else seats(game),
        review,
        reader.locale,
    )


def heat(position: Position, thoughts: Sequence[Thought]) -> Heat | None:
    if position.phase is not Phase.PLACEMENT:
        return None
    is_white = position.turn is Color.WHITE
    chances = {
        one.moves[0].target: one.white_wins if is_white else 1 - one.white_wins
        for one in thoughts
        if one.white_wins is not None
    }
    return Heat(chances) if chances else None


def seen_picture(
    reader: Reader,
    seen: ReplayView,
    kind: str,
    marks: Marking | None = None,
    *,
    turned: bool = False,
) -> Picture:
    """Return the board at a spot. Without a game, `turned` puts Black at the bottom."""
    game = seen.game
    made = picture(
        reader,
        f"{kind}-{seen.cursor.game or 'board'}-{seen.position.plies}.png",
        seen.position,
        reader.coordinates_or(seen.coordinates),
        last=seen.last,
        marks=marks,
        game=game if seen.is_end and marks is None else None,
        seen_in=Color.BLACK if turned and game is None else game,
    )
    if game is None:
        return made
    return replace(made, seats=seats(game))


def thread_name(reader: Reader, number: int, white: str, black: str) -> str:
    """Return the name of a game's thread: plain names, at most 100 characters."""
    return reader.gettext("DVONN {number}: {white} – {black}").format(
        number=number, white=_plain(white), black=_plain(black)
    )[:100]


def _plain(name: str) -> str:
    """Return a name that leaves the direction of the words after it alone, and room for them."""
    return name.translate(DIRECTIONS)[:40]
