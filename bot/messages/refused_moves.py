"""Why a move cannot be played, and what could be instead."""

from bot.locales import Reader
from bot.messages.posts import SHOWN, some
from dvonn import (
    Coordinates,
    IllegalMoveError,
    Move,
    NotationError,
    NotationProblem,
    Phase,
    Position,
    Reason,
    distance,
    format_move,
    neighbours,
)


def unreadable(
    reader: Reader, error: NotationError, position: Position, coordinates: Coordinates
) -> str:
    """Why a text is no move, and what would be one."""
    return f"{_unread(reader, error, position)} {_legal(reader, position, coordinates)}"


def illegal(reader: Reader, error: IllegalMoveError, coordinates: Coordinates) -> str:
    """Why the rules refuse a move, and what they would allow."""
    move, position = error.move, error.position
    reason = _reason(reader, error.reason, move, position, coordinates)
    return f"{reason} {_legal(reader, position, coordinates, near=move)}".rstrip()


def _unread(reader: Reader, error: NotationError, position: Position) -> str:
    placement = position.phase is Phase.PLACEMENT
    match error.problem:
        case NotationProblem.PASS:
            return reader.gettext(
                "Nobody needs to pass: I pass for you whenever you have no legal move."
            )
        case NotationProblem.SEVERAL_MOVES:
            return reader.gettext(
                "One at a time, please: several go in a message only while pieces are placed, "
                "with your last piece, or while your opponent cannot move."
            )
        case NotationProblem.OFF_BOARD:
            return reader.gettext("The board has no space {text}.").format(
                text=_quoted(_word(error))
            )
        case _ if placement:
            return reader.gettext("I cannot read that as a space.")
        case _:
            return reader.gettext("I cannot read that as a move.")


def _word(error: NotationError) -> str:
    """The letters and digits at which reading stopped; nothing else can stand there."""
    rest = error.text[error.at :]
    length = next((i for i, c in enumerate(rest) if not (c.isascii() and c.isalnum())), len(rest))
    return rest[: min(length, 8)]


def _quoted(text: str) -> str:
    return f"“{text}”"


def _reason(  # noqa: C901, PLR0911 - one sentence for each reason
    reader: Reader,
    reason: Reason,
    move: Move,
    position: Position,
    coordinates: Coordinates,
) -> str:
    target = coordinates.label(move.target)
    source = target if move.source is None else coordinates.label(move.source)
    match reason:
        case Reason.GAME_OVER:
            return reader.gettext("This game is over.")
        case Reason.WRONG_PHASE if position.phase is Phase.PLACEMENT:
            return reader.gettext("Pieces are still being placed: name one free space.")
        case Reason.WRONG_PHASE:
            return reader.gettext("All pieces are placed: name the stack and where it goes.")
        case Reason.OCCUPIED:
            return reader.gettext("There is a piece on {target} already.").format(target=target)
        case Reason.SAME_POINT:
            return reader.gettext("A move needs two different spaces.")
        case Reason.EMPTY_SOURCE:
            return reader.gettext("There is nothing on {source}.").format(source=source)
        case Reason.LONE_DVONN:
            return reader.gettext("A single red piece never moves.")
        case Reason.NOT_OWNER:
            return reader.gettext("The stack on {source} is your opponent's.").format(source=source)
        case Reason.SURROUNDED:
            return reader.gettext(
                "The stack on {source} is surrounded on all six sides and cannot move."
            ).format(source=source)
        case Reason.NOT_STRAIGHT:
            return reader.gettext("{target} is not in a straight line from {source}.").format(
                target=target, source=source
            )
        case Reason.WRONG_DISTANCE:
            return _wrong_distance(reader, move, position, source, target)
        case Reason.EMPTY_TARGET:
            return reader.gettext("There is no stack on {target} to land on.").format(target=target)


def _wrong_distance(
    reader: Reader, move: Move, position: Position, source: str, target: str
) -> str:
    height = 0 if move.source is None else position.height(move.source)
    away = 0 if move.source is None else distance(move.source, move.target)
    return reader.ngettext(
        "The stack on {source} is {height} high and moves exactly {height} space; "
        "{target} is {away} away.",
        "The stack on {source} is {height} high and moves exactly {height} spaces; "
        "{target} is {away} away.",
        height,
    ).format(source=source, target=target, height=height, away=away)


def _legal(
    reader: Reader, position: Position, coordinates: Coordinates, near: Move | None = None
) -> str:
    """What would be legal, beginning with what comes nearest to what was tried."""
    if position.phase is Phase.PLACEMENT:
        return _free_spaces(reader, position, coordinates, near)
    if position.phase is Phase.OVER:
        return ""
    if near is not None and near.source is not None:
        landings = position.destinations(near.source)
        if landings:
            return reader.gettext("From {source} you can go to {targets}.").format(
                source=coordinates.label(near.source),
                targets=", ".join(coordinates.label(point) for point in landings),
            )
    moves = position.legal_moves()
    if len(moves) <= SHOWN:
        return reader.gettext("You can play {moves}.").format(
            moves=", ".join(format_move(move, coordinates) for move in moves)
        )
    sources = dict.fromkeys(move.source for move in moves if move.source is not None)
    return reader.gettext("You can move the stacks on {sources}; for example {example}.").format(
        sources=some(reader, map(coordinates.label, sources)),
        example=format_move(moves[0], coordinates),
    )


def _free_spaces(
    reader: Reader, position: Position, coordinates: Coordinates, near: Move | None
) -> str:
    free = [move.target for move in position.legal_moves()]
    if near is not None:
        beside = neighbours(near.target)
        free.sort(key=lambda point: point not in beside)
    return reader.gettext("Free spaces: {spaces}.").format(
        spaces=some(reader, map(coordinates.label, free))
    )
