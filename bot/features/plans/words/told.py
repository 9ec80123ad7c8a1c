"""Texts that describe plans."""

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.features.plans.model.text import Phrases, write
from bot.features.plans.model.tree import Plan, lines_of
from bot.play.model.game import Game
from bot.play.model.typed import PlacementList
from bot.play.words.names import name_of


def plan_command(reader: Reader) -> str:
    return reader.gettext("(/plan)")


def plan_kept(
    reader: Reader,
    game: Game,
    made: Plan,
    player: UserId,
) -> str:
    """Tell a player that their plan is stored for their next turns."""
    named = f" {plan_command(reader)}"
    if isinstance(made, PlacementList):
        return reader.gettext("Got it. On your next turns I'll place {spaces}.{command}").format(
            spaces=spaces(reader, game, made), command=named
        )
    words = reader.gettext("Got it. On your next turns{command}:").format(command=named)
    return "\n".join([words, *told_lines(reader, game, made, player)])


def spaces(reader: Reader, game: Game, plan: PlacementList) -> str:
    """Return a list's spaces: "b2, c3, else the next free"."""
    names = ", ".join(map(reader.coordinates_or(game.row.coordinates).label, plan.spaces))
    return (
        reader.gettext("{spaces}, else the next free").format(spaces=names)
        if plan.else_next
        else names
    )


def told_lines(reader: Reader, game: Game, ahead: Plan, player: UserId | None = None) -> list[str]:
    """Return a plan's lines, numbered: "1. if d2-d4 then e3-e5".

    The opponent is named if the text is for a given `player` and the name is known.
    """
    other = None if player is None else name_of(game, game.opponent(player))
    words = phrases(reader, game, other, alone=len(lines_of(ahead)) == 1)
    lines = write(ahead, reader.coordinates_or(game.row.coordinates), words)
    return [f"{number}. {line}" for number, line in enumerate(lines, start=1)]


def phrases(
    reader: Reader, game: Game, other: str | None = None, *, alone: bool = False
) -> Phrases:
    """Return the words that join the parts of a plan.

    Args:
        reader: The person who reads the text.
        game: The game.
        other: The opponent's name, or None if it is unknown.
        alone: True if the plan has a single line.
    """
    known = reader.gettext("if {moves} then {reply}")
    if other is None:
        otherwise = reader.gettext("whatever else they do: {reply}")
    elif alone:
        otherwise = reader.gettext("whatever {player} does: {reply}")
    else:
        otherwise = reader.gettext("whatever else {player} does: {reply}")
    return Phrases(
        known=lambda moves, reply: known.format(moves=moves, reply=reply),
        otherwise=lambda reply: otherwise.format(reply=reply, player=other),
        ask=reader.gettext("ask me"),
        spaces=lambda plan: spaces(reader, game, plan),
    )
