"""Common parts of views: custom ids of buttons, and texts about moves and players."""

from bot.base.languages import Reader
from bot.connection.posts import NameOf, escaped
from bot.play.words.names import Names, names_for, seat_name
from bot.play.words.pictures import Film, Picture, caption_of, look_of, picture, seats
from bot.play.words.views import moves_text, plain
from bot.replay.model.pasted import code_block, link_code
from bot.replay.model.replays import MoveSequence, ReplayCursor, ReplayView, ending_headers
from dvonn import Color, GameRecord, Review, format_move
from dvonn.link import encode
from renderer import NO_CAPTION, Marking, Reel


def replay_id(cursor: ReplayCursor, by: str = "at") -> str:
    return f"dvonn:replay:{cursor.text}:{by}"


def record_id(cursor: ReplayCursor) -> str:
    return f"dvonn:replay:{cursor.text}:record"


def numbered(reader: Reader, sequence: MoveSequence, ply: int) -> str:
    """Return a move with its number: "63. c4-c2"."""
    move = format_move(sequence.moves[ply - 1], reader.coordinates_or(sequence.coordinates))
    return f"{sequence.number(ply)}. {move}"


def line_text(reader: Reader, sequence: MoveSequence, since: int) -> str:
    """Return the moves after a ply, the first one with its number: "64. d3-d5 e5-e3"."""
    if since >= sequence.plies:
        return ""
    moves = moves_text(reader, sequence.moves[since:], sequence.coordinates)
    return f"{sequence.number(since + 1)}. {moves}"


def players(view: ReplayView) -> list[str]:
    if view.game is not None:
        white, black = (seat_name(view.game, color) for color in Color)
        return [f"**{white} – {black}**"]
    if not any(view.sequence.names):
        return []
    white, black = (escaped(name) or "?" for name in view.sequence.names)
    return [f"**{white} – {black}**"]


def names_in(view: ReplayView) -> Names | None:
    """Return the names of the players, or None if a record or a board has none."""
    if view.game is not None:
        return names_for(view.game)
    white, black = map(escaped, view.sequence.names)
    return Names(white, black) if white and black else None


def own_text(view: ReplayView) -> list[str]:
    """Return the pasted game in short form, or the position. The view's buttons parse it."""
    if view.game is not None:
        return []
    return [link_code(view.sequence) if view.sequence.moves else code_block(view.sequence)]


def shared_text(view: ReplayView) -> list[str]:
    """Return a pasted game up to the shown ply. Buttons on the shared message parse it."""
    return [code_block(view.sequence.cut(view.cursor.ply))] if view.game is None else []


def game_link(view: ReplayView, page: str, name_of: NameOf) -> str:
    """Return a view's link on the page of games, with the players' names and the result.

    Args:
        view: A ply of a game, or a line that was tried from it.
        page: The page's URL, or "" for no link.
        name_of: Returns players' names.
    """
    if not page:
        return ""
    sequence, headers = view.path, dict(view.path.headers)
    if view.game is not None:
        names = zip(("White", "Black"), seats(view.game).names(name_of), strict=True)
        headers = {tag: plain(name) for tag, name in names if name}
        headers |= ending_headers(view.game.outcome) if view.is_end else {}
    record = GameRecord(sequence.moves, headers, sequence.coordinates, start=sequence.start)
    return f"{page}#{encode(record)}"


def link_line(reader: Reader, link: str) -> list[str]:
    words = reader.gettext("Open it in a browser")
    return [f"[{words}](<{link}>)"] if link else []


def film(reader: Reader, view: ReplayView, review: Review | None = None) -> Film:
    game, sequence = view.game, view.sequence
    first = sequence.dealt  # the start board appears all at once
    return Film(
        f"replay-{view.cursor.game or 'game'}",
        Reel.line(
            sequence.cut(first).positions()[-1],
            sequence.moves[first:],
            coordinates=reader.coordinates_or(sequence.coordinates),
            caption=NO_CAPTION if game is None else caption_of(game),
        ),
        look_of(reader, game),
        None if game is None else seats(game),
        review,
        reader.locale,
    )


def view_picture(
    reader: Reader,
    view: ReplayView,
    kind: str,
    marks: Marking | None = None,
    *,
    turned: bool = False,
) -> Picture:
    """Return the board at a cursor. Without a game, `turned` puts Black at the bottom."""
    game = view.game
    return picture(
        reader,
        f"{kind}-{view.cursor.game or 'board'}-{view.position.plies}.png",
        view.position,
        reader.coordinates_or(view.coordinates),
        last=view.last,
        marks=marks,
        game=game if view.is_end and marks is None else None,
        seen_in=Color.BLACK if turned and game is None else game,
    )
