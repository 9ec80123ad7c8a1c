"""A game's events as text, one sentence each."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import assert_never

from bot.base.formats import duration
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import timestamp
from bot.play.model import events, offer_events, time_events
from bot.play.model.compat_0_1_0 import BoardPicked, SidePicked
from bot.play.model.explanations import is_first_cut
from bot.play.model.game import AutoMoveReason, Game, Offer, Ply
from bot.play.model.terms import EndReason, Outcome
from bot.play.words import effects
from bot.play.words.clocks import ended_left, has_left_server, nobody_moved, ran_out, why_gone
from bot.play.words.compat_0_1_0 import picked
from bot.play.words.names import name_of
from bot.play.words.team_turns import nobody_voted
from dvonn import Color, Phase, format_move
from dvonn_lessons.move_effects import MoveEffects

_PLACING = Phase.PLACEMENT
_MAX_LINES = 6
"""Maximum number of earlier events that get a line each."""


def event_sentence(  # noqa: C901, PLR0911, PLR0912 - a sentence for each kind
    reader: Reader, game: Game, applied: events.AppliedEvent, *, reads: Color | None = None
) -> str:
    """Describe an event in one sentence, or return "" for the start.

    If only one player `reads` it, they are addressed as "you".
    """
    actor = name_of(game, applied.event.actor)
    match applied.event.data:
        case events.Started():
            return ""
        case events.Moved(move, reason):
            name = _with_reason(
                reader, format_move(move, reader.coordinates_or(game.row.coordinates)), reason
            )
            if move.source is None:
                return reader.gettext("{player} placed {moves}.").format(player=actor, moves=name)
            return effects.movement_sentence(
                reader, game, MoveEffects(applied.before, move), name, reads=reads
            )
        case events.Resigned():
            return reader.gettext("{player} resigned.").format(player=actor)
        case events.Aborted(no_place=True):
            return reader.gettext("The channel of this game is gone ({white} vs {black}).").format(
                white=name_of(game, game.row.white), black=name_of(game, game.row.black)
            )
        case events.Aborted(decided=True):
            return reader.gettext("The result is set, so this game stops here.")
        case events.Aborted(no_votes=True):
            return nobody_voted(reader, actor)
        case events.Aborted() if game.left_by not in (None, applied.event.actor):
            return ended_left(reader, game, game.left_by, actor)
        case events.Aborted():
            return reader.gettext("{player} ended this game.").format(player=actor)
        case BoardPicked() | SidePicked() as pick:
            return picked(reader, actor, pick)
        case offer_events.OfferMade(offer):
            return _offer_sentence(reader, game, offer, applied.event.actor, applied.undone_plies)
        case offer_events.OfferDeclined(withdrawn=True):
            return reader.gettext("{player} withdrew the offer.").format(player=actor)
        case offer_events.OfferDeclined():
            return reader.gettext("{player} declined.").format(player=actor)
        case offer_events.TakenBack():
            return _takeback_sentence(reader, game, applied)
        case offer_events.DrawAgreed():
            return reader.gettext("{player} accepted the draw.").format(player=actor)
        case offer_events.HintsAgreed():
            return reader.gettext("{player} agreed. You can both ask me for hints now.").format(
                player=actor
            )
        case offer_events.RestPlaced():
            return reader.gettext("{player} agreed. I placed the rest at random.").format(
                player=actor
            )
        case time_events.TimeGiven(seconds):
            return reader.gettext("{player} gave {other} {time}.").format(
                player=actor,
                other=name_of(game, game.opponent(applied.event.actor)),
                time=duration(reader, timedelta(seconds=seconds)),
            )
        case time_events.VacationTaken(until_s):
            return reader.gettext(
                "{player}'s time was up, so they're on vacation until {until}. *End vacation* in "
                "/settings ends it."
            ).format(player=actor, until=timestamp(datetime.fromtimestamp(until_s, UTC)))
        case time_events.PauseAgreed():
            return reader.gettext(
                "{player} agreed: the game is paused, and no time runs until one of you goes on."
            ).format(player=actor)
        case time_events.PauseEnded():
            return reader.gettext("{player} ended the pause.").format(player=actor)
        case events.Continued():
            return reader.gettext(
                "{player} plays on against me (level {level}), just for practice."
            ).format(player=actor, level=game.row.level)
        case events.TimedOut(round_over=True):
            return reader.gettext("The round is over, and {player} has used more time.").format(
                player=actor
            )
        case events.TimedOut() if _was_too_short(game):
            return reader.gettext(
                "{player} ran out of time. The game against {opponent} had hardly begun."
            ).format(player=actor, opponent=name_of(game, game.opponent(applied.event.actor)))
        case events.TimedOut() if applied.event.source is not None:
            return why_gone(reader, game, applied.event.actor)
        case events.TimedOut():
            return ran_out(reader, applied.event.actor)
        case events.Deserted() if game.clock is not None and not game.is_member_gone:
            return reader.gettext("{player} ran out of time, but can still move.").format(
                player=actor
            )
        case events.Deserted(from_server=True):
            return has_left_server(reader, applied.event.actor)
        case events.Deserted():
            return nobody_moved(reader)
        case unknown:
            assert_never(unknown)


def _was_too_short(game: Game) -> bool:
    """Return True if a game was too short for a result. In a tournament it counts anyway."""
    has_result = game.outcome is None or game.outcome.has_result
    return not has_result and game.row.tournament is None


def details(reader: Reader, game: Game, applied: events.AppliedEvent) -> list[str]:
    return [*_cut_off(reader, game, applied), *_lapsed_line(reader, applied)]


def passes(reader: Reader, game: Game, applied: events.AppliedEvent) -> list[str]:
    passed = applied.position.passed if applied.event.data.changes_position else ()
    players = [game.player(color) for color in passed]
    return [
        reader.gettext("{player} can't move and passes.").format(player=name_of(game, player))
        for player in players
    ]


def event_lines(
    reader: Reader, game: Game, applied_events: Sequence[events.AppliedEvent]
) -> list[str]:
    """Return several events, one per line. Many placements in a row become one line per player."""
    lines = []
    for mover, run in groupby(applied_events, _mover):
        group = list(run)
        if mover is _PLACING and len(group) > _MAX_LINES:
            lines += [
                _placements_line(reader, game, player, group)
                for player in (game.row.white, game.row.black)
            ]
        elif isinstance(mover, int) and len(group) > 1:
            cuts = (line for applied in group for line in details(reader, game, applied))
            lines.append(" ".join(["-", moved_on(reader, game, group), *cuts]))
        else:
            announced = [applied for applied in group if event_sentence(reader, game, applied)]
            lines += [
                " ".join(
                    [
                        "-",
                        event_sentence(reader, game, applied),
                        *_extra_lines(reader, game, applied),
                    ]
                )
                for applied in announced
            ]
    return lines


def standing_offer(reader: Reader, game: Game) -> str:
    """Describe the pending offer, or return "" if there is none."""
    offer = game.offered
    if offer is None:
        return ""
    undone = () if offer.goes_back_to is None else game.line[offer.goes_back_to :]
    return _offer_sentence(reader, game, offer.offer, offer.by, undone)


def hints_line(reader: Reader, game: Game) -> list[str]:
    return [reader.gettext("💡 With hints for both.")] if game.shares_hints else []


def plies_text(reader: Reader, game: Game, plies: Iterable[Ply]) -> str:
    return ", ".join(
        format_move(ply.move, reader.coordinates_or(game.row.coordinates)) for ply in plies
    )


def _with_reason(reader: Reader, move: str, reason: AutoMoveReason | None) -> str:
    """Return a move, with the reason for it if the player did not choose it just now."""
    match reason:
        case None:
            return move
        case AutoMoveReason.LISTED:
            return reader.gettext("{move} (as planned)").format(move=move)
        case AutoMoveReason.ONLY:
            return reader.gettext("{move} (the only move)").format(move=move)


def _offer_sentence(
    reader: Reader, game: Game, what_for: Offer, asker: UserId, undone: Iterable[Ply]
) -> str:
    match what_for:
        case Offer.DRAW:
            return reader.gettext("{player} offers a draw.").format(player=name_of(game, asker))
        case Offer.FINISH:
            return reader.gettext("{player} suggests placing the rest at random.").format(
                player=name_of(game, asker)
            )
        case Offer.HINTS:
            return reader.gettext("{player} suggests hints from me, for both.").format(
                player=name_of(game, asker)
            )
        case Offer.PAUSE:
            return reader.gettext("{player} suggests a pause: no time runs for either.").format(
                player=name_of(game, asker)
            )
        case Offer.TAKEBACK:
            return reader.gettext("{player} would like to undo {moves}.").format(
                player=name_of(game, asker), moves=plies_text(reader, game, undone)
            )


def _takeback_sentence(reader: Reader, game: Game, applied: events.AppliedEvent) -> str:
    plies = applied.undone_plies
    actor = plies[0].actor if plies else applied.event.actor
    return reader.gettext("{player} took back {moves}.").format(
        player=name_of(game, actor), moves=plies_text(reader, game, plies)
    )


def _lapsed_line(reader: Reader, applied: events.AppliedEvent) -> list[str]:
    if applied.lapsed_offer is None:
        return []
    return [reader.gettext("The offer is off the table.")]


def _placements_line(
    reader: Reader, game: Game, player: UserId, applied_events: Iterable[events.AppliedEvent]
) -> str:
    moves = _moves(
        reader, game, (applied for applied in applied_events if applied.event.actor == player)
    )
    return "- " + reader.gettext("{player} placed {moves}.").format(
        player=name_of(game, player), moves=moves
    )


def _moves(reader: Reader, game: Game, applied_events: Iterable[events.AppliedEvent]) -> str:
    naming = reader.coordinates_or(game.row.coordinates)
    moves = (
        applied.event.data.move
        for applied in applied_events
        if isinstance(applied.event.data, events.Moved)
    )
    return ", ".join(format_move(move, naming) for move in moves)


def _mover(applied: events.AppliedEvent) -> UserId | Phase | None:
    """Return the player who moved a stack, a marker for a placement, or None for other events."""
    match applied.event.data:
        case events.Moved(move):
            return _PLACING if move.source is None else applied.event.actor
        case _:
            return None


def split(
    game: Game, applied_events: Sequence[events.AppliedEvent]
) -> tuple[Sequence[events.AppliedEvent], ...]:
    """Return the earlier events, and the newest events, which are announced first.

    After the end of a game, the newest events are the last mover's consecutive moves. A person's
    own moves against the machine are left out.
    """
    mover = _mover(applied_events[-1])
    if game.outcome is None or not isinstance(mover, int):
        return applied_events[:-1], applied_events[-1:]
    since = max(
        (at for at, applied in enumerate(applied_events, 1) if _mover(applied) != mover), default=0
    )
    plain_flags = [
        _is_plain_move(applied) and game.row.is_solo for applied in applied_events[:since]
    ]
    return [
        applied
        for applied, is_known in zip(applied_events, plain_flags, strict=False)
        if not is_known
    ], applied_events[since:]


def _is_plain_move(applied: events.AppliedEvent) -> bool:
    return isinstance(applied.event.data, events.Moved) and applied.event.data.why is None


def moved_on(reader: Reader, game: Game, applied_events: Sequence[events.AppliedEvent]) -> str:
    """Describe in one line a player's moves while the other player could not move."""
    mover = applied_events[0].event.actor
    moves = _moves(reader, game, applied_events)
    sentence = reader.gettext("{other} couldn't move, so {player} moved {moves}.")
    return sentence.format(
        other=name_of(game, game.opponent(mover)), player=name_of(game, mover), moves=moves
    )


def _extra_lines(reader: Reader, game: Game, applied: events.AppliedEvent) -> list[str]:
    return [*details(reader, game, applied), *passes(reader, game, applied)]


def _cut_off(reader: Reader, game: Game, applied: events.AppliedEvent) -> list[str]:
    match applied.event.data:
        case events.Moved(move) if applied.position.removed:
            return effects.cut_off(reader, game, MoveEffects(applied.before, move))
        case _:
            return []


def why_cut_off(
    reader: Reader, game: Game, applied_events: Sequence[events.AppliedEvent]
) -> list[str]:
    """Explain cut-off pieces, the first time in a game. Players of a tournament know the rule."""
    if game.row.tournament is not None or not any(map(is_first_cut, applied_events)):
        return []
    return [reader.gettext("Stacks with no link to red come off the board.")]


def result(reader: Reader, game: Game, outcome: Outcome) -> str:
    """Announce the winner. Name both players if no other text at the end does."""
    if not outcome.has_result:
        return f"{reader.gettext('No result')}."
    first = outcome.winner or Color.WHITE
    return _result(reader, outcome).format(
        player=name_of(game, game.player(first)),
        other=name_of(game, game.player(first.opponent)),
        more=game.position.score(first),
        fewer=game.position.score(first.opponent),
    )


def _result(reader: Reader, outcome: Outcome) -> str:
    is_counted, winner = outcome.reason is EndReason.COUNT, outcome.winner
    if winner is None:
        return (
            reader.gettext("{player} and {other} draw {more}–{fewer}.")
            if is_counted
            else reader.gettext("{player} and {other} agree on a draw.")
        )
    if not is_counted:
        return reader.gettext("{player} wins.")
    return reader.gettext("{player} beats {other} {more}–{fewer}.")
