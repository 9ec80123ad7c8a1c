"""Checks whose turn it is, and parses their move, whether typed or chosen with a button."""

from collections.abc import Callable
from datetime import datetime

import dvonn
from bot.base.ids import UserId
from bot.base.spelling import one_move
from bot.play.model import refusals
from bot.play.model.game import Game
from bot.play.model.typed import TypedTurn

ParseTurn = Callable[[str, dvonn.Coordinates, dvonn.Position], TypedTurn]
"""Parses text from the player to move, if it isn't just one move.

Raises the same errors as `read_typed`.
"""


def check_turn(game: Game, user: UserId) -> None:
    """Check that it is a user's turn, or that they may vote.

    Raises:
        NotYourVote: if teams vote and it is the other side's turn.
        NotAPlayer: if they are a spectator.
        NotYourTurn: if it is the other player's turn.
    """
    if game.is_voted:
        return
    if game.row.vote is not None and game.to_move is not None:
        raise refusals.NotYourVote(game.to_move, game.row.id, game.row.revision)
    if game.seat(user) is None:
        raise refusals.NotAPlayer
    to_move = game.to_move
    if to_move is not None and to_move != user:
        raise refusals.NotYourTurn(to_move, game.row.id, game.row.revision)


def check_seat(game: Game, user: UserId) -> None:
    """Check that a user is one of the two players of a game.

    Raises:
        TeamDecides: if teams play the game.
        NotAPlayer: if they are a spectator.
    """
    if game.seat(user) is None:
        raise refusals.NotAPlayer if game.row.vote is None else refusals.TeamDecides


def check_not_outdated(game: Game, moment: datetime) -> None:
    """Check that a text is not older than the machine's last move.

    An older text was meant for a board that no longer exists, for example after a backup was
    restored.

    Raises:
        NotYourTurn: if the machine has moved since.
    """
    last, machine = game.line[-1] if game.line else None, game.row.machine
    if last is not None and machine is not None and last.actor == machine and moment < last.at:
        raise refusals.NotYourTurn(machine, game.row.id, game.row.revision)


def parse_for_game(
    game: Game, user: UserId, text: str, notation: dvonn.Coordinates | None, parse: ParseTurn
) -> TypedTurn:
    """Parse text from a player whose turn it is.

    Raises:
        UnreadableMove: if the text is not a move.
        IllegalPlay: if the move is illegal.
        The same errors as `check_turn`.
    """
    check_turn(game, user)
    coordinates = notation or game.row.coordinates
    if (move := one_move(text, coordinates, game.position.phase)) is not None:
        check_legal(game, move, coordinates)
        return TypedTurn((move,))
    try:
        return parse(text, coordinates, game.position)
    except dvonn.NotationError as error:
        raise refusals.UnreadableMove(
            error, game.position, coordinates, of_team=game.is_voted
        ) from error
    except dvonn.IllegalMoveError as error:
        raise illegal_play(game, error, coordinates) from error


def chosen_turn(game: Game, user: UserId, label: str) -> TypedTurn:
    """Return a button's move.

    Its label names spaces in the game's coordinates.

    The label is not typed by a person. It consists of exactly one or two spaces, such as `d2-d4`.

    Raises:
        StaleBoard: if it names anything else.
        IllegalPlay: if the move is illegal.
        The same errors as `check_turn`.
    """
    check_turn(game, user)
    match [game.row.coordinates.point(name) for name in label.split("-")]:
        case [str(target)]:
            move = dvonn.Move(target=target)
        case [str(source), str(target)] if source != target:
            move = dvonn.Move(source=source, target=target)
        case _:
            raise refusals.StaleBoard
    check_legal(game, move, game.row.coordinates)
    return TypedTurn((move,))


def check_legal(game: Game, move: dvonn.Move, coordinates: dvonn.Coordinates) -> None:
    """Check that a move is legal. A refusal names spaces in these coordinates.

    Raises:
        IllegalPlay: if it isn't.
    """
    try:
        game.position.play(move)
    except dvonn.IllegalMoveError as error:
        raise illegal_play(game, error, coordinates) from error


def illegal_play(
    game: Game,
    error: dvonn.IllegalMoveError,
    coordinates: dvonn.Coordinates,
    *,
    guessed: bool = False,
) -> refusals.IllegalPlay:
    """Return the refusal of a move that breaks the rules."""
    to_move = game.to_move
    opponent = None if to_move is None else game.opponent(to_move)
    return refusals.IllegalPlay(
        error,
        coordinates,
        of_team=game.is_voted and not guessed,
        opponent=opponent,
        level=game.row.level if opponent == game.row.machine else None,
        guessed=guessed,
    )
