"""What has happened in a game, a sentence for each event."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import assert_never

from bot.games import PATIENCE
from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.posts import user
from bot.model.events import (
    Aborted,
    BoardPicked,
    Continued,
    Deserted,
    DrawAgreed,
    Moved,
    OfferDeclined,
    OfferMade,
    Resigned,
    RestPlaced,
    SidePicked,
    Started,
    TakenBack,
    TimedOut,
    Told,
)
from bot.model.game import Game, Offer, Ply, Why
from bot.model.ids import UserId
from dvonn import Color, format_move

_FEW = 6
"""Up to how many earlier events get a line each."""


def what(game: Game, told: Told) -> str:  # noqa: C901, PLR0911, PLR0912 - a sentence for each kind
    """One event in a sentence; nothing for the start."""
    actor = user(told.event.actor)
    match told.event.what:
        case Started():
            return ""
        case Moved(move, why):
            sentence = _moved(why, is_placement=move.source is None)
            return sentence.format(player=actor, move=format_move(move, game.row.coordinates))
        case Resigned():
            return _("{player} resigned.").format(player=actor)
        case Aborted(no_place=True):
            return _("The game of {white} and {black} has no place any more.").format(
                white=user(game.row.white), black=user(game.row.black)
            )
        case Aborted() if game.left_by not in (None, told.event.actor):
            return _deserted(game.left_by, actor)
        case Aborted():
            return _("{player} ended this game.").format(player=actor)
        case BoardPicked(number):
            return _("{player} picked board {number}.").format(player=actor, number=number)
        case SidePicked(color):
            plays = _("{player} plays White."), _("{player} plays Black.")
            return plays[color is Color.BLACK].format(player=actor)
        case OfferMade(offer):
            return _asks(game, offer, told.event.actor, told.undone)
        case OfferDeclined(withdrawn=True):
            return _("{player} took the offer back.").format(player=actor)
        case OfferDeclined():
            return _("{player} declined.").format(player=actor)
        case TakenBack():
            return _taken_back(game, told)
        case DrawAgreed():
            return _("{player} accepted the draw.").format(player=actor)
        case RestPlaced(seed):
            sentence = _("{player} agreed: the rest is placed by lot; its seed is {seed}.")
            return sentence.format(player=actor, seed=seed)
        case Continued():
            return _(
                "{player} plays on against {machine}, level {level}; it counts for nothing."
            ).format(
                player=actor,
                machine=user(game.row.machine or told.event.actor),
                level=game.row.level,
            )
        case TimedOut():
            return _("The time of {player} is up.").format(player=actor)
        case Deserted():
            return ngettext(
                "This game has waited for {days} day.",
                "This game has waited for {days} days.",
                PATIENCE.days,
            ).format(days=PATIENCE.days)
        case unknown:
            assert_never(unknown)


def details(game: Game, told: Told) -> list[str]:
    """What the rules made of an event: pieces that are cut off, players who must pass."""
    lines = []
    removed = told.position.removed if told.event.kind is Moved else {}
    if removed:
        pieces = sum(len(stack) for stack in removed.values())
        points = ", ".join(game.row.coordinates.label(point) for point in removed)
        lines.append(
            ngettext(
                "Cut off: {points} ({pieces} piece).",
                "Cut off: {points} ({pieces} pieces).",
                pieces,
            ).format(points=points, pieces=pieces)
        )
    lines += _lapsed(told)
    passed = told.position.passed if told.event.what.brings_position else ()
    lines += [
        _("{player} ({colour}) has no legal move and must pass.").format(
            player=user(game.player(color)), colour=_colour(color)
        )
        for color in passed
    ]
    return lines


def listed(game: Game, told: Sequence[Told]) -> list[str]:
    """Several events, a line each; many placements in a row take a line for each player."""
    lines = []
    for are_placements, together in groupby(told, _is_placement):
        some = list(together)
        if are_placements and len(some) > _FEW:
            lines += [_placed(game, player, some) for player in (game.row.white, game.row.black)]
        else:
            told_of = [one for one in some if what(game, one)]
            lines += [" ".join(["-", what(game, one), *details(game, one)]) for one in told_of]
    return lines


def standing_offer(game: Game) -> str:
    """What one player asks of the other, who has not answered yet; empty where nothing is asked."""
    offered = game.offered
    if offered is None:
        return ""
    undone = () if offered.goes_back_to is None else game.line[offered.goes_back_to :]
    return _asks(game, offered.what, offered.by, undone)


def plies_text(game: Game, plies: Iterable[Ply]) -> str:
    """Some plies in the game's coordinates: "d2, d2-d4"."""
    return ", ".join(format_move(ply.move, game.row.coordinates) for ply in plies)


def _moved(why: Why | None, *, is_placement: bool) -> str:
    match why:
        case None:
            return _("{player} placed {move}.") if is_placement else _("{player} moved {move}.")
        case Why.LISTED:
            return _("{player} placed {move}, as listed.")
        case Why.ONLY:
            if is_placement:
                return _("{player} placed {move}, the only space left.")
            return _("{player} moved {move}, the only move.")


def _asks(game: Game, what_for: Offer, asker: UserId, undone: Iterable[Ply]) -> str:
    match what_for:
        case Offer.DRAW:
            return _("{player} offers a draw.").format(player=user(asker))
        case Offer.FINISH:
            return _("{player} proposes that I place all that is left, by lot.").format(
                player=user(asker)
            )
        case Offer.TAKEBACK:
            return _("{player} asks to take back {moves}.").format(
                player=user(asker), moves=plies_text(game, undone)
            )


def _deserted(gone: UserId, actor: str) -> str:
    return ngettext(
        "{player} ended this game: {gone} had not moved for {days} day.",
        "{player} ended this game: {gone} had not moved for {days} days.",
        PATIENCE.days,
    ).format(player=actor, gone=user(gone), days=PATIENCE.days)


def _taken_back(game: Game, told: Told) -> str:
    actor, moves = told.event.actor, plies_text(game, told.undone)
    if told.undone and told.undone[0].actor == actor:
        return _("{player} took back {moves}.").format(player=user(actor), moves=moves)
    return _("{player} agreed to take back {moves}.").format(player=user(actor), moves=moves)


def _lapsed(told: Told) -> list[str]:
    if told.lapsed is None:
        return []
    match told.lapsed.what:
        case Offer.DRAW:
            return [_("The offer of a draw is off.")]
        case Offer.FINISH:
            return [_("The proposal to place the rest by lot is off.")]
        case Offer.TAKEBACK:
            return [_("Nothing is taken back.")]


def _placed(game: Game, player: UserId, told: Iterable[Told]) -> str:
    moves = ", ".join(
        format_move(one.event.what.move, game.row.coordinates)
        for one in told
        if one.event.actor == player and isinstance(one.event.what, Moved)
    )
    return "- " + _("{player} placed {moves}.").format(player=user(player), moves=moves)


def _is_placement(told: Told) -> bool:
    what = told.event.what
    return isinstance(what, Moved) and what.move.source is None


def _colour(color: Color) -> str:
    return _("White") if color is Color.WHITE else _("Black")
