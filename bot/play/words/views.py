"""Common parts of private views of a game: custom ids of buttons, and texts about moves."""

from collections.abc import Callable, Collection, Iterable, Sequence

from bot.base.ids import GameId, Revision
from bot.base.languages import Reader
from bot.connection.posts import DIRECTIONS, Button, ButtonStyle
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.words.names import Names, capitalized, names_of_colors
from dvonn import Color, Coordinates, Move, Phase, Point, Position, format_move
from renderer import Heat

HOW_TO_PLAY_ID = "dvonn:rules"
"""Custom id of the button that shows the rules to the user who presses it."""
BoardPart = Callable[[Reader, Game], Sequence[Button]]
"""Creates a feature's buttons below a board, for the player to move or after the game."""


def board_button_id(game: GameId, revision: Revision, action: str) -> str:
    return f"dvonn:board:{game}:{revision}:{action}"


def board_button(
    game: Game, label: str, action: str, style: ButtonStyle = ButtonStyle.SECONDARY
) -> Button:
    return Button(label, board_button_id(game.row.id, game.row.revision, action), style)


def pick_id(game: Game, action: str) -> str:
    """Return the id of a step of the move picker."""
    return f"dvonn:pick:{game.row.id}:{game.row.revision}:{action}"


def challenge_button_id(challenge: int, action: str) -> str:
    return f"dvonn:challenge:{challenge}:{action}"


def how_to_play(reader: Reader) -> Button:
    return Button(reader.gettext("How to play"), HOW_TO_PLAY_ID)


def buttons_of(reader: Reader, game: Game, parts: Iterable[BoardPart]) -> tuple[Button, ...]:
    return tuple(button for part in parts for button in part(reader, game))


def page_id(game: GameId) -> str:
    return f"dvonn:game:{game}:page"


def to_page(reader: Reader, game: GameId, row: int | None = None) -> Button:
    return Button(reader.gettext("Game page"), page_id(game), row=row)


def to_replay(reader: Reader, game: Game) -> tuple[Button, ...]:
    """Return the button that replays a game from its first ply, if it has any moves."""
    if not game.line and game.random_seed is None:
        return ()
    return (Button(reader.gettext("Replay"), f"dvonn:replay:{game.row.id}:{game.first_ply}:at"),)


def moves_text(
    reader: Reader, moves: Iterable[Move], coordinates: Coordinates = Coordinates.STANDARD
) -> str:
    """Return moves in a row, in the reader's notation or else in `coordinates`."""
    return " ".join(format_move(move, reader.coordinates_or(coordinates)) for move in moves)


def whose_turn(reader: Reader, position: Position, names: Names | None = None) -> str:
    """Return who moves next, or the final score. Without names, players are their colors."""
    names = names or names_of_colors(reader)
    if position.turn is None:
        return final_score(reader, position, names)
    return capitalized(
        reader.gettext("It's {player}'s turn.").format(player=names.name(position.turn))
    )


def final_score(reader: Reader, position: Position, names: Names) -> str:
    """Return the result of a board on which nobody can move. It addresses `names.you`, if known."""
    first = position.winner or Color.WHITE
    if position.winner is None:
        sentence = reader.gettext("A draw, {more} to {fewer}.")
    elif names.you is None:
        sentence = reader.gettext("{player} beats {other} {more}–{fewer}.")
    elif names.you is first:
        sentence = reader.gettext("You win, {more} to {fewer}.")
    else:
        sentence = reader.gettext("You lose, {fewer} to {more}.")
    text = sentence.format(
        player=names.name(first),
        other=names.name(first.opponent),
        more=position.score(first),
        fewer=position.score(first.opponent),
    )
    return capitalized(text)


def assumed_inside(reader: Reader, assumed: Collection[Point]) -> list[str]:
    """Return a sentence about stacks whose hidden pieces are assumed, if there are any."""
    if not assumed:
        return []
    return [
        reader.gettext(
            "I can't see inside the taller stacks, so I guessed. It changes nothing in play."
        )
    ]


def heat(position: Position, thoughts: Sequence[Thought]) -> Heat | None:
    if position.phase is not Phase.PLACEMENT:
        return None
    is_white = position.turn is Color.WHITE
    chances = {
        thought.moves[0].target: thought.white_wins if is_white else 1 - thought.white_wins
        for thought in thoughts
        if thought.white_wins is not None
    }
    return Heat(chances) if chances else None


def thread_name(reader: Reader, number: int, white: str, black: str, *, event: str = "") -> str:
    """Return the name of a game's thread, with plain names, in at most 100 characters.

    `event` is the event that the game belongs to, with its place there, if there is one.
    """
    players = f"{plain(white)} – {plain(black)}"
    if event:
        return f"{event.translate(DIRECTIONS)}: {players}"[:100]
    return reader.gettext("DVONN {number}: {white} – {black}").format(
        number=number, white=plain(white), black=plain(black)
    )[:100]


def plain(name: str) -> str:
    """Return a shortened name that can't change the writing direction of the text after it."""
    return name.translate(DIRECTIONS)[:40]
