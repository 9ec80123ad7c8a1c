"""What may be played, and what each move would do."""

from collections.abc import Iterable

from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.posts import Option, Post, fit
from bot.messages.stacks import about, by_row, by_stack
from bot.model.game import Game
from dvonn import Color, Coordinates, Move, Phase, Point, Position, format_move


def suggestions(game: Game, moves: Iterable[Move]) -> tuple[Option, ...]:
    """Moves to choose from, each with what it does: "d2-d4 · cuts off 3 · onto white 1"."""
    position, coordinates = game.position, game.row.coordinates
    return tuple(
        Option(
            label=" · ".join([format_move(move, coordinates), *_effects(position, move)]),
            value=format_move(move, coordinates),
        )
        for move in moves
    )


def legal_moves(game: Game) -> Post:
    """All that the player to move can play."""
    if game.position.phase is Phase.PLACEMENT:
        return Post(content=_free_spaces(game.position, game.row.coordinates))
    return Post(content=_stacks(game.position, game.row.coordinates))


def _effects(position: Position, move: Move) -> list[str]:
    """What a move does, in a few short phrases."""
    if move.source is None:
        return [_("places a red")] if position.to_place == "R" else []
    after = position.play(move)
    effects = []
    if cut := _cut(position, after):
        effects.append(cut)
    if after.phase is Phase.OVER:
        effects.append(_("ends the game"))
    elif after.turn is position.turn:
        effects.append(_("you move again"))
    return [*effects, _landing(position, move.target)]


def _landing(position: Position, target: Point) -> str:
    """What a stack lands on."""
    owner, height, reds = position.owner(target), position.height(target), position.reds(target)
    if owner is None:
        return _("takes a red")
    sentence = _("onto white {height}") if owner is Color.WHITE else _("onto black {height}")
    landing = sentence.format(height=height)
    if not reds:
        return landing
    return ngettext("{landing} with a red", "{landing} with {reds} reds", reds).format(
        landing=landing, reds=reds
    )


def _cut(position: Position, after: Position) -> str:
    """How many pieces a move cuts off, and how many of them its own player loses."""
    if not after.removed:
        return ""
    pieces = sum(map(len, after.removed.values()))
    own = sum(len(stack) for stack in after.removed.values() if stack[-1] == position.turn)
    cut = ngettext("cuts off {pieces}", "cuts off {pieces}", pieces).format(pieces=pieces)
    if not own:
        return cut
    if own == pieces:
        return ngettext("{cut}, yours", "{cut}, all yours", pieces).format(cut=cut)
    return ngettext("{cut}, {own} of them yours", "{cut}, {own} of them yours", own).format(
        cut=cut, own=own
    )


def _free_spaces(position: Position, coordinates: Coordinates) -> str:
    free = position.legal_moves()
    piece = {
        "R": _("You place a red DVONN piece."),
        "W": _("You place a white piece."),
        "B": _("You place a black piece."),
    }[position.to_place or "R"]
    count = ngettext("{count} space is free:", "{count} spaces are free:", len(free))
    lines = [f"{piece} {count.format(count=len(free))}"]
    for row, points in by_row(move.target for move in free).items():
        if points:
            names = ", ".join(map(coordinates.label, points))
            lines.append(
                _("Row {row}: {names}").format(row=coordinates.row_label(row), names=names)
            )
    return fit(lines)


def _stacks(position: Position, coordinates: Coordinates) -> str:
    stacks = by_stack(position)
    sentence = (
        ngettext(
            "You play White, and {count} stack can move:",
            "You play White, and {count} stacks can move:",
            len(stacks),
        )
        if position.turn is Color.WHITE
        else ngettext(
            "You play Black, and {count} stack can move:",
            "You play Black, and {count} stacks can move:",
            len(stacks),
        )
    )
    lines = [sentence.format(count=len(stacks))]
    for source, moves in stacks.items():
        name = coordinates.label(source)
        if position.height(source) > 1:
            name = f"{name} ({about(position, source)})"
        targets = ", ".join(_target(position, move, coordinates) for move in moves)
        lines.append(f"{name}: {targets}")
    return fit(lines)


def _target(position: Position, move: Move, coordinates: Coordinates) -> str:
    """Where a move goes, and what it cuts off."""
    name = coordinates.label(move.target)
    cut = _cut(position, position.play(move))
    return f"{name} ({cut})" if cut else name
