"""Common parts of views: custom ids of buttons, and texts about moves and players."""

from bot.base.languages import Reader
from bot.connection.posts import NameOf, escaped
from bot.play.words.names import Names, names_for, seat_name
from bot.play.words.pictures import Film, Picture, caption_of, look_of, picture, seats
from bot.play.words.views import moves_text, plain
from bot.replay.model.pasted import coded, fenced
from bot.replay.model.replays import MoveSequence, ReplayCursor, ReplayView, ending_headers
from dvonn import Color, GameRecord, Review, format_move
from dvonn.link import encode
from renderer import NO_CAPTION, Marking, Reel


def replay_id(spot: ReplayCursor, by: str = "at") -> str:
    return f"dvonn:replay:{spot.text}:{by}"


def record_id(spot: ReplayCursor) -> str:
    return f"dvonn:replay:{spot.text}:record"


def numbered(reader: Reader, course: MoveSequence, ply: int) -> str:
    """Return a move with its number: "63. c4-c2"."""
    move = format_move(course.moves[ply - 1], reader.coordinates_or(course.coordinates))
    return f"{course.number(ply)}. {move}"


def line_text(reader: Reader, course: MoveSequence, since: int) -> str:
    """Return the moves after a ply, the first one with its number: "64. d3-d5 e5-e3"."""
    if since >= course.plies:
        return ""
    moves = moves_text(reader, course.moves[since:], course.coordinates)
    return f"{course.number(since + 1)}. {moves}"


def players(seen: ReplayView) -> list[str]:
    if seen.game is not None:
        white, black = (seat_name(seen.game, color) for color in Color)
        return [f"**{white} – {black}**"]
    if not any(seen.sequence.names):
        return []
    white, black = (escaped(name) or "?" for name in seen.sequence.names)
    return [f"**{white} – {black}**"]


def names_in(seen: ReplayView) -> Names | None:
    """Return the names of the players, or None if a record or a board has none."""
    if seen.game is not None:
        return names_for(seen.game)
    white, black = map(escaped, seen.sequence.names)
    return Names(white, black) if white and black else None


def own_text(seen: ReplayView) -> list[str]:
    """Return the pasted game in short form, or the position, which the buttons parse again."""
    if seen.game is not None:
        return []
    return [coded(seen.sequence) if seen.sequence.moves else fenced(seen.sequence)]


def shared_text(seen: ReplayView) -> list[str]:
    """Return a pasted game up to the shown ply. Buttons on the shared message parse it."""
    return [fenced(seen.sequence.cut(seen.cursor.ply))] if seen.game is None else []


def game_link(seen: ReplayView, page: str, name_of: NameOf) -> str:
    """Return a view's link on the page of games, with the players' names and the result.

    Args:
        seen: A ply of a game, or a line that was tried from it.
        page: The page's URL, or "" for no link.
        name_of: Returns players' names.
    """
    if not page:
        return ""
    course, headers = seen.path, dict(seen.path.headers)
    if seen.game is not None:
        names = zip(("White", "Black"), seats(seen.game).names(name_of), strict=True)
        headers = {tag: plain(name) for tag, name in names if name}
        headers |= ending_headers(seen.game.outcome) if seen.is_end else {}
    record = GameRecord(course.moves, headers, course.coordinates, start=course.start)
    return f"{page}#{encode(record)}"


def link_line(reader: Reader, link: str) -> list[str]:
    words = reader.gettext("Open it in a browser")
    return [f"[{words}](<{link}>)"] if link else []


def film(reader: Reader, seen: ReplayView, review: Review | None = None) -> Film:
    game, course = seen.game, seen.sequence
    first = course.dealt  # a start board is there all at once
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


def seen_picture(
    reader: Reader,
    seen: ReplayView,
    kind: str,
    marks: Marking | None = None,
    *,
    turned: bool = False,
) -> Picture:
    """Return the board at a cursor. Without a game, `turned` puts Black at the bottom."""
    game = seen.game
    return picture(
        reader,
        f"{kind}-{seen.cursor.game or 'board'}-{seen.position.plies}.png",
        seen.position,
        reader.coordinates_or(seen.coordinates),
        last=seen.last,
        marks=marks,
        game=game if seen.is_end and marks is None else None,
        seen_in=Color.BLACK if turned and game is None else game,
    )
