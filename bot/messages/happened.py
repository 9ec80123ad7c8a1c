"""What has happened in a game, a sentence for each event."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from bot.games import PATIENCE
from bot.games.events import NO_PLACE
from bot.locales import Reader
from bot.messages.posts import user
from bot.model.events import EventKind, Offer
from bot.model.game import LISTED, WITHDRAWN, Game, Ply, Told
from bot.model.ids import UserId
from dvonn import Color, format_move, parse_move

NEW_POSITION = (EventKind.START, EventKind.MOVE, EventKind.FINISH, EventKind.SIDE)
"""The kinds of event that bring about a position on which somebody may have to pass."""
_FEW = 6
"""Up to how many earlier events get a line each."""


def what(reader: Reader, game: Game, told: Told) -> str:  # noqa: C901, PLR0911, PLR0912 - a sentence for each kind
    """One event in a sentence; nothing for the start."""
    actor, detail = user(told.event.actor), told.event.detail
    match told.event.kind:
        case EventKind.START:
            return ""
        case EventKind.MOVE:
            return _moved(reader, told).format(player=actor, move=move_text(game, told))
        case EventKind.RESIGN:
            return reader.gettext("{player} resigned.").format(player=actor)
        case EventKind.ABORT if detail == NO_PLACE:
            return reader.gettext("The game of {white} and {black} has no place any more.").format(
                white=user(game.row.white), black=user(game.row.black)
            )
        case EventKind.ABORT if game.left_by not in (None, told.event.actor):
            return _deserted(reader, game.left_by, actor)
        case EventKind.ABORT:
            return reader.gettext("{player} ended this game.").format(player=actor)
        case EventKind.PICK:
            return reader.gettext("{player} picked board {number}.").format(
                player=actor, number=detail
            )
        case EventKind.SIDE if detail == "white":
            return reader.gettext("{player} plays White.").format(player=actor)
        case EventKind.SIDE:
            return reader.gettext("{player} plays Black.").format(player=actor)
        case EventKind.OFFER:
            return _asks(reader, game, Offer(detail or ""), told.event.actor, told.undone)
        case EventKind.DECLINE if detail == WITHDRAWN:
            return reader.gettext("{player} took the offer back.").format(player=actor)
        case EventKind.DECLINE:
            return reader.gettext("{player} declined.").format(player=actor)
        case EventKind.TAKEBACK:
            return _taken_back(reader, game, told)
        case EventKind.DRAW:
            return reader.gettext("{player} accepted the draw.").format(player=actor)
        case EventKind.FINISH:
            sentence = reader.gettext(
                "{player} agreed: the rest is placed by lot; its seed is {seed}."
            )
            return sentence.format(player=actor, seed=detail)
        case EventKind.CONTINUE:
            return reader.gettext(
                "{player} plays on against {machine}, level {level}; it counts for nothing."
            ).format(
                player=actor,
                machine=user(game.row.machine or told.event.actor),
                level=game.row.level,
            )
        case EventKind.TIMEOUT:
            return reader.gettext("The time of {player} is up.").format(player=actor)
        case EventKind.DESERT:
            return reader.ngettext(
                "This game has waited for {days} day.",
                "This game has waited for {days} days.",
                PATIENCE.days,
            ).format(days=PATIENCE.days)


def details(reader: Reader, game: Game, told: Told) -> list[str]:
    """What the rules made of an event: pieces that are cut off, players who must pass."""
    lines = []
    removed = told.position.removed if told.event.kind is EventKind.MOVE else {}
    if removed:
        pieces = sum(len(stack) for stack in removed.values())
        points = ", ".join(game.row.coordinates.label(point) for point in removed)
        lines.append(
            reader.ngettext(
                "Cut off: {points} ({pieces} piece).",
                "Cut off: {points} ({pieces} pieces).",
                pieces,
            ).format(points=points, pieces=pieces)
        )
    lines += _lapsed(reader, told)
    passed = told.position.passed if told.event.kind in NEW_POSITION else ()
    lines += [
        reader.gettext("{player} ({colour}) has no legal move and must pass.").format(
            player=user(game.player(color)), colour=_colour(reader, color)
        )
        for color in passed
    ]
    return lines


def listed(reader: Reader, game: Game, told: Sequence[Told]) -> list[str]:
    """Several events, a line each; many placements in a row take a line for each player."""
    lines = []
    for are_placements, together in groupby(told, _is_placement):
        some = list(together)
        if are_placements and len(some) > _FEW:
            lines += [
                _placed(reader, game, player, some) for player in (game.row.white, game.row.black)
            ]
        else:
            told_of = [one for one in some if what(reader, game, one)]
            lines += [
                " ".join(["-", what(reader, game, one), *details(reader, game, one)])
                for one in told_of
            ]
    return lines


def standing_offer(reader: Reader, game: Game) -> str:
    """What one player asks of the other, who has not answered yet; empty where nothing is asked."""
    offered = game.offered
    if offered is None:
        return ""
    undone = () if offered.goes_back_to is None else game.line[offered.goes_back_to :]
    return _asks(reader, game, offered.what, offered.by, undone)


def plies_text(game: Game, plies: Iterable[Ply]) -> str:
    """Some plies in the game's coordinates: "d2, d2-d4"."""
    return ", ".join(format_move(ply.move, game.row.coordinates) for ply in plies)


def move_text(game: Game, told: Told) -> str:
    """The move of an event, in the game's coordinates."""
    return format_move(parse_move(told.event.move or ""), game.row.coordinates)


def _moved(reader: Reader, told: Told) -> str:
    placed = _is_placement(told)
    match told.event.detail:
        case None:
            return (
                reader.gettext("{player} placed {move}.")
                if placed
                else reader.gettext("{player} moved {move}.")
            )
        case detail if detail == LISTED:
            return reader.gettext("{player} placed {move}, as listed.")
        case _:
            if placed:
                return reader.gettext("{player} placed {move}, the only space left.")
            return reader.gettext("{player} moved {move}, the only move.")


def _asks(reader: Reader, game: Game, what_for: Offer, asker: UserId, undone: Iterable[Ply]) -> str:
    match what_for:
        case Offer.DRAW:
            return reader.gettext("{player} offers a draw.").format(player=user(asker))
        case Offer.FINISH:
            return reader.gettext(
                "{player} proposes that I place all that is left, by lot."
            ).format(player=user(asker))
        case Offer.TAKEBACK:
            return reader.gettext("{player} asks to take back {moves}.").format(
                player=user(asker), moves=plies_text(game, undone)
            )


def _deserted(reader: Reader, gone: UserId, actor: str) -> str:
    return reader.ngettext(
        "{player} ended this game: {gone} had not moved for {days} day.",
        "{player} ended this game: {gone} had not moved for {days} days.",
        PATIENCE.days,
    ).format(player=actor, gone=user(gone), days=PATIENCE.days)


def _taken_back(reader: Reader, game: Game, told: Told) -> str:
    actor, moves = told.event.actor, plies_text(game, told.undone)
    if told.undone and told.undone[0].actor == actor:
        return reader.gettext("{player} took back {moves}.").format(player=user(actor), moves=moves)
    return reader.gettext("{player} agreed to take back {moves}.").format(
        player=user(actor), moves=moves
    )


def _lapsed(reader: Reader, told: Told) -> list[str]:
    if told.lapsed is None:
        return []
    match told.lapsed.what:
        case Offer.DRAW:
            return [reader.gettext("The offer of a draw is off.")]
        case Offer.FINISH:
            return [reader.gettext("The proposal to place the rest by lot is off.")]
        case Offer.TAKEBACK:
            return [reader.gettext("Nothing is taken back.")]


def _placed(reader: Reader, game: Game, player: UserId, told: Iterable[Told]) -> str:
    moves = ", ".join(move_text(game, one) for one in told if one.event.actor == player)
    return "- " + reader.gettext("{player} placed {moves}.").format(
        player=user(player), moves=moves
    )


def _is_placement(told: Told) -> bool:
    return told.event.move is not None and parse_move(told.event.move).source is None


def _colour(reader: Reader, color: Color) -> str:
    return reader.gettext("White") if color is Color.WHITE else reader.gettext("Black")
