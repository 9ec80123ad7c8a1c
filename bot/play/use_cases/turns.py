"""Checks that somebody is to move on the board that they see, and reads their text."""

from datetime import datetime

from bot.base.ids import Revision, UserId
from bot.play.model.ahead.reading import TypedTurn, read_turn
from bot.play.model.game import Game
from bot.play.model.refusals.playing import (
    IllegalPlay,
    MustChoose,
    NotAPlayer,
    NotYourTurn,
    TurnOver,
    UnreadableMove,
)
from bot.play.model.refusals.voting import NotYourVote
from dvonn import Coordinates, IllegalMoveError, NotationError


def at_board(game: Game, revision: Revision) -> Game:
    """Return a game whose board is as it was at a revision.

    Raises:
        TurnOver: if it is not.
    """
    if not game.has_board_of(revision):
        raise TurnOver
    return game


def check_turn(game: Game, user: UserId) -> None:
    """See that somebody is to move, or may vote.

    Raises:
        NotYourVote: if teams vote, and the other side is to move.
        NotAPlayer: if they only watch.
        MustChoose: if there is something to choose before.
        NotYourTurn: if the other player is to move.
    """
    if game.is_voted:
        return
    if game.row.vote is not None and game.to_move is not None:
        raise NotYourVote(game.to_move, game.row.id, game.row.revision)
    if game.seat(user) is None:
        raise NotAPlayer
    to_move = game.to_move
    if to_move is not None and game.choosing is not None:
        raise MustChoose(to_move)
    if to_move is not None and to_move != user:
        raise NotYourTurn(to_move, game.row.id, game.row.revision)


def check_written(game: Game, moment: datetime) -> None:
    """See that what was written at a moment does not answer an earlier board than there is.

    Between people whoever writes first is read first. The machine moves by itself: what was written
    before its last move was for a board that came to nothing, as where a backup was restored.

    Raises:
        NotYourTurn: if the machine has moved since.
    """
    last, machine = game.line[-1] if game.line else None, game.row.machine
    if last is not None and machine is not None and last.actor == machine and moment < last.at:
        raise NotYourTurn(machine, game.row.id, game.row.revision)


def read_in(game: Game, user: UserId, text: str, named: Coordinates | None) -> TypedTurn:
    """Read the text of a player who is to move.

    Args:
        game: The game.
        user: Who says it.
        text: The move.
        named: How they see spaces named; None: as in the game.

    Raises:
        UnreadableMove: if the text is no move.
        IllegalPlay: if the rules refuse the move.
        And what `check_turn` raises.
    """
    check_turn(game, user)
    coordinates = named or game.row.coordinates
    try:
        return read_turn(text, coordinates, game.position)
    except NotationError as error:
        raise UnreadableMove(error, game.position, coordinates, of_team=game.is_voted) from error
    except IllegalMoveError as error:
        raise IllegalPlay(error, coordinates, of_team=game.is_voted) from error
