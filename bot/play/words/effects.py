"""Sentences about the effects of a move: captures and cut-off stacks."""

from collections.abc import Callable, Iterable, Mapping

from bot.base.formats import and_list
from bot.base.languages import Reader
from bot.play.model.game import Game
from bot.play.words.names import seat_name
from bot.play.words.pictures import look_of
from dvonn import Color, Move, Point, Position, format_move
from dvonn_lessons.move_effects import Landing, MoveEffects
from dvonn_lessons.remarks import Purpose, use_of
from renderer import stack_facts

_MAX_LISTED = 4
"""Maximum number of a player's lost spaces that are listed without their number."""


# For the line about a turn


def movement_sentence(
    reader: Reader, game: Game, effects: MoveEffects, move: str, *, reads: Color | None = None
) -> str:
    """Return the sentence about a movement that was just played.

    Args:
        reader: The person who reads the sentence.
        game: The game.
        effects: The movement's effects.
        move: The movement as text, with the reason for it if the player did not choose it.
        reads: The player that the message addresses as "you".
    """
    landing, mover = effects.landing, effects.mover
    if landing.owner is None:
        sentence = reader.gettext("{player} moved onto red: {move}.")
    elif not effects.takes:
        sentence = reader.gettext("{player} moved {move}.")
    elif reads is mover.opponent:
        sentence = _took_yours(reader, landing)
    else:
        sentence = _took(reader, landing)
    return sentence.format(
        player=seat_name(game, mover),
        other=seat_name(game, mover.opponent),
        height=landing.height,
        move=move,
    )


def _took_yours(reader: Reader, landing: Landing) -> str:
    if landing.height == 1:
        return reader.gettext("{player} took your piece: {move}.")
    if landing.reds:
        return reader.gettext("{player} took your stack of {height} with red: {move}.")
    return reader.gettext("{player} took your stack of {height}: {move}.")


def _took(reader: Reader, landing: Landing) -> str:
    if landing.height == 1:
        return reader.gettext("{player} took {other}'s piece: {move}.")
    if landing.reds:
        return reader.gettext("{player} took {other}'s stack of {height} with red: {move}.")
    return reader.gettext("{player} took {other}'s stack of {height}: {move}.")


def cut_off(
    reader: Reader, game: Game, effects: MoveEffects, *, reads: Color | None = None
) -> list[str]:
    """Return a sentence about stacks that were cut off from red and who lost them, if any.

    Args:
        reader: The person who reads the sentence.
        game: The game.
        effects: The movement's effects.
        reads: The only reader among the players, who is addressed as "you".
    """
    label = reader.coordinates_or(game.row.coordinates).label
    order = (effects.mover, effects.mover.opponent)[:: 1 if reads is effects.mover else -1]
    losses = {player: effects.cut_off(player) for player in order}
    losers = [player for player in order if losses[player]]
    if not losers:
        return []
    first, last = losers[0], losers[-1]
    if first is reads:
        sentence = (
            reader.gettext("Cut off: you lose {losses}.")
            if first is last
            else reader.gettext("Cut off: you lose {losses}, {other} {others}.")
        )
    else:
        sentence = (
            reader.gettext("Cut off: {player} loses {losses}.")
            if first is last
            else reader.gettext("Cut off: {player} loses {losses}, {other} {others}.")
        )
    text = sentence.format(
        player=seat_name(game, first),
        losses=_losses(reader, losses[first], label),
        other=seat_name(game, last),
        others=_losses(reader, losses[last], label),
    )
    return [text]


def cuts_off(
    reader: Reader, move: str, points: Iterable[str], pieces: int, *, owner: str | None
) -> str:
    """Return the sentence that a move cuts off a player's stacks.

    If the player is None, they belong to the reader.
    """
    sentence = (
        reader.gettext("{move} cuts off your {losses}.")
        if owner is None
        else reader.gettext("{move} cuts off {player}'s {losses}.")
    )
    losses = _lost_text(reader, list(points), pieces)
    return sentence.format(move=move, player=owner, losses=losses)


def _losses(reader: Reader, points: Mapping[Point, int], label: Callable[[Point], str]) -> str:
    return _lost_text(reader, [*map(label, points)], sum(points.values()))


def _lost_text(reader: Reader, points: list[str], pieces: int) -> str:
    """Return the spaces of lost stacks, with the number of pieces if it isn't obvious."""
    spaces = and_list(reader, points)
    if pieces == len(points) <= _MAX_LISTED:
        return spaces
    return reader.gettext("{spaces} ({count} pieces)").format(count=pieces, spaces=spaces)


# For recommending a move


def reason(reader: Reader, game: Game, effects: MoveEffects) -> list[str]:
    """Describe what a move achieves for its player, judging only by the rules."""
    use = use_of(effects.before, effects.move)
    if use is None:
        return _capture(reader, game, effects)
    coordinates = reader.coordinates_or(game.row.coordinates)
    sentence = {
        Purpose.CUTS: reader.gettext("It cuts off {other}'s {losses}."),
        Purpose.KEEPS: reader.gettext("It keeps {losses} yours: {threat} could cut you off."),
        Purpose.TAKES: reader.ngettext(
            "It takes a piece that {other} can't take back at once.",
            "It takes a stack of {count} that {other} can't take back at once.",
            use.pieces,
        ),
        Purpose.ESCAPES: reader.gettext("It saves your stack of {count} from {threat}."),
        Purpose.PASSES: reader.gettext("Then {other} can't move, and you move again."),
    }[use.purpose]
    text = sentence.format(
        other=seat_name(game, effects.mover.opponent),
        losses=_lost_text(reader, [*map(coordinates.label, use.points)], use.pieces),
        threat="" if use.threat is None else format_move(use.threat, coordinates),
        count=use.pieces,
    )
    return [text]


def _capture(reader: Reader, game: Game, effects: MoveEffects) -> list[str]:
    """Say which stack a move captures, if any."""
    height = effects.landing.height
    if not effects.takes:
        return []
    sentence = reader.ngettext(
        "It takes a piece of {other}'s.", "It takes {other}'s stack of {count}.", height
    )
    return [sentence.format(other=seat_name(game, effects.mover.opponent), count=height)]


# For choosing a move


def landing_label(
    reader: Reader, position: Position, move: Move, name: str, *, with_costs: bool
) -> str:
    """Return a landing's button label: "e4 · costs you 3", "f1 · cuts off 2", "g2 · red"."""
    parts = weights(reader, MoveEffects(position, move)) if with_costs else []
    if not parts and move.target in position.stacks:
        parts = [landing_words(reader, Landing.from_position(position, move.target))]
    return " · ".join([name, *parts])


def weights(reader: Reader, effects: MoveEffects) -> list[str]:
    """Describe what a move costs its player and what it cuts off, if anything."""
    own_loss, opponent_loss = effects.lost(effects.mover), effects.lost(effects.mover.opponent)
    return [
        *([reader.gettext("costs you {count}").format(count=own_loss)] if own_loss else ()),
        *(
            [reader.gettext("cuts off {count}").format(count=opponent_loss)]
            if opponent_loss
            else ()
        ),
    ]


def landing_words(reader: Reader, landing: Landing) -> str:
    """Describe the stack on a space: "red", "black", "white (3 tall, 1 red)"."""
    if landing.owner is None:
        return reader.pgettext("piece", "red")
    color = (
        reader.pgettext("piece", "white")
        if landing.owner is Color.WHITE
        else reader.pgettext("piece", "black")
    )
    pieces = "R" * landing.reds + landing.owner.value * (landing.height - landing.reds)
    facts = stack_facts(pieces, look_of(reader).words)
    return f"{color} ({facts})" if facts else color
