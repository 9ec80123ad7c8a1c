"""Explains why a move can't be played, and names possible moves."""

import dvonn
from bot.base.formats import MAX_SHOWN, number_text
from bot.base.languages import Reader
from bot.play.model import refusals
from bot.play.words.names import player_name, your_color


def unreadable(reader: Reader, error: refusals.UnreadableMove) -> str:
    legal = _legal(reader, error.position, error.coordinates)
    return f"{_notation_problem(reader, error.error)} {legal}"


def illegal(reader: Reader, error: refusals.IllegalPlay) -> str:
    coordinates = error.coordinates
    move, position = error.error.move, error.error.position
    if move.source is None and position.phase is dvonn.Phase.MOVEMENT:
        return _start_alone(reader, error, move.target)
    reason = _reason(reader, error)
    return f"{reason} {_legal(reader, position, coordinates, attempt=move)}".rstrip()


def bad_list(reader: Reader, error: refusals.BadList) -> str:
    match error.problem:
        case refusals.ListProblem.MOVE:
            return reader.gettext("A list takes spaces only, no moves. I placed nothing.")
        case refusals.ListProblem.TWICE:
            return reader.gettext("{space} is in your list twice. I placed nothing.").format(
                space=error.space
            )
        case refusals.ListProblem.TAKEN:
            return reader.gettext(
                "{space} is taken, so I placed nothing. End with “else next free”, and I'll find "
                "another space."
            ).format(space=error.space)
        case refusals.ListProblem.TOO_MANY:
            return reader.ngettext(
                "A list holds {limit} space at most. I placed nothing.",
                "A list holds {limit} spaces at most. I placed nothing.",
                error.limit,
            ).format(limit=error.limit)
        case refusals.ListProblem.TOO_LONG:
            return reader.ngettext(
                "That's too much: I read {count} character at most.",
                "That's too much: I read {count} characters at most.",
                error.limit,
            ).format(count=number_text(reader, error.limit))
        case refusals.ListProblem.NOT_PLACING:
            return _one_move(reader)


def _one_move(reader: Reader) -> str:
    return reader.gettext("One move at a time here, please, such as d2-d4.")


def _notation_problem(reader: Reader, error: dvonn.NotationError) -> str:
    match error.problem:
        case dvonn.NotationProblem.PASS:
            return reader.gettext("You never need to pass. When you can't move, I do it for you.")
        case dvonn.NotationProblem.SEVERAL_MOVES:
            return _one_move(reader)
        case dvonn.NotationProblem.OFF_BOARD:
            return reader.gettext("There's no “{text}” on this board.").format(text=_word(error))
        case _:
            return reader.gettext("I didn't understand that.")


def _word(error: dvonn.NotationError) -> str:
    """Return the letters and digits at which parsing stopped.

    Other characters never stop it.
    """
    rest = error.text[error.at :]
    length = next((i for i, c in enumerate(rest) if not (c.isascii() and c.isalnum())), len(rest))
    return rest[: min(length, 8)]


def why_illegal(
    reader: Reader, error: dvonn.IllegalMoveError, coordinates: dvonn.Coordinates
) -> str:
    """Explain why the rules refuse a move, without naming legal moves."""
    refusal = refusals.IllegalPlay(error, coordinates)
    if error.move.source is None and error.position.phase is dvonn.Phase.MOVEMENT:
        return illegal(reader, refusal)
    return _reason(reader, refusal)


def _reason(  # noqa: C901, PLR0911 - one sentence for each reason
    reader: Reader, error: refusals.IllegalPlay
) -> str:
    coordinates, move, position = error.coordinates, error.error.move, error.error.position
    target = coordinates.label(move.target)
    source = target if move.source is None else coordinates.label(move.source)
    match error.error.reason:
        case dvonn.Reason.GAME_OVER:
            return reader.gettext("This game is already over. /challenge starts another one.")
        case dvonn.Reason.WRONG_PHASE:  # for a single space, see `_start_alone`
            return reader.gettext("We're still placing pieces, one space at a time.")
        case dvonn.Reason.OCCUPIED:
            return reader.gettext("There's already a piece on {target}.").format(target=target)
        case dvonn.Reason.SAME_POINT:
            return reader.gettext("A stack can't stay where it is.")
        case dvonn.Reason.EMPTY_SOURCE:
            return reader.gettext("There's nothing on {source}.").format(source=source)
        case dvonn.Reason.LONE_DVONN:
            return reader.gettext("Lone red pieces can't move.")
        case dvonn.Reason.NOT_OWNER:
            return _not_yours(reader, error, source)
        case dvonn.Reason.SURROUNDED:
            return _surrounded(reader, source)
        case dvonn.Reason.NOT_STRAIGHT:
            return reader.gettext("{target} isn't in a straight line from {source}.").format(
                target=target, source=source
            )
        case dvonn.Reason.WRONG_DISTANCE:
            return _wrong_distance(reader, move, position, source, target)
        case dvonn.Reason.EMPTY_TARGET:
            return reader.gettext("There's nothing on {target} to land on.").format(target=target)


def _wrong_distance(
    reader: Reader, move: dvonn.Move, position: dvonn.Position, source: str, target: str
) -> str:
    height = 0 if move.source is None else position.height(move.source)
    away = 0 if move.source is None else dvonn.distance(move.source, move.target)
    return reader.ngettext(
        "{source} is a single piece, so it moves 1 space. {target} is {away} away.",
        "{source} is {height} tall, so it moves {height} spaces. {target} is {away} away.",
        height,
    ).format(source=source, target=target, height=height, away=away)


def _not_yours(reader: Reader, error: refusals.IllegalPlay, source: str) -> str:
    """Name the owner of a stack, and the color of the player who tried to move it."""
    turn = error.error.position.turn
    assert turn is not None  # the game is running  # noqa: S101
    if error.opponent is None:
        reason = reader.gettext("{source} isn't yours.").format(source=source)
    else:
        owner = player_name(error.opponent, error.level)
        reason = reader.gettext("{source} is {player}'s.").format(source=source, player=owner)
    return reason if error.guessed else f"{reason} {your_color(reader, turn)}"


def _surrounded(reader: Reader, source: str) -> str:
    return reader.gettext("{source} is surrounded on all six sides, so it can't move.").format(
        source=source
    )


def _start_alone(reader: Reader, error: refusals.IllegalPlay, start: dvonn.Point) -> str:
    """Answer a player who named only one space instead of a stack and its target."""
    position, coordinates = error.error.position, error.coordinates
    source = coordinates.label(start)
    if landings := position.destinations(start):
        return reader.gettext("{source} can go to {targets}.").format(
            source=source, targets=", ".join(map(coordinates.label, landings))
        )
    if not position.height(start):
        reason = reader.gettext("There's nothing on {source}.").format(source=source)
    elif position.owner(start) is None:
        reason = reader.gettext("Lone red pieces can't move.")
    elif position.owner(start) is not position.turn:
        reason = _not_yours(reader, error, source)
    elif position.is_surrounded(start):
        reason = _surrounded(reader, source)
    else:
        reason = reader.gettext("{source} has nowhere to land.").format(source=source)
    return f"{reason} {_legal(reader, position, coordinates)}"


def _legal(
    reader: Reader,
    position: dvonn.Position,
    coordinates: dvonn.Coordinates,
    attempt: dvonn.Move | None = None,
) -> str:
    """Name legal moves, starting with those nearest to the attempted one."""
    if position.phase is dvonn.Phase.PLACEMENT:
        return _free_space(reader, position, coordinates, attempt)
    if position.phase is dvonn.Phase.OVER:
        return ""
    if attempt is not None and attempt.source is not None:
        landings = position.destinations(attempt.source)
        if landings:
            return reader.gettext("{source} can go to {targets}.").format(
                source=coordinates.label(attempt.source),
                targets=", ".join(coordinates.label(point) for point in landings),
            )
    moves = position.legal_moves()
    if len(moves) <= MAX_SHOWN:
        names = ", ".join(dvonn.format_move(move, coordinates) for move in moves)
        return _try(reader, names)
    return _try(reader, dvonn.format_move(moves[0], coordinates))


def _free_space(
    reader: Reader,
    position: dvonn.Position,
    coordinates: dvonn.Coordinates,
    attempt: dvonn.Move | None,
) -> str:
    free = [move.target for move in position.legal_moves()]
    neighbors = () if attempt is None else dvonn.neighbours(attempt.target)
    space = next((point for point in free if point in neighbors), free[0])
    return _try(reader, coordinates.label(space))


def _try(reader: Reader, moves: str) -> str:
    return reader.gettext("You can play {moves}.").format(moves=moves)
