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
    plan: Plan,
    player: UserId,
) -> str:
    """Return the confirmation that a plan is stored for the player's next turns."""
    mention = f" {plan_command(reader)}"
    if isinstance(plan, PlacementList):
        return reader.gettext("Got it. On your next turns I'll place {spaces}.{command}").format(
            spaces=spaces(reader, game, plan), command=mention
        )
    words = reader.gettext("Got it. On your next turns{command}:").format(command=mention)
    return "\n".join([words, *plan_lines(reader, game, plan, player)])


def spaces(reader: Reader, game: Game, plan: PlacementList) -> str:
    """Return a list's spaces: "b2, c3, else the next free"."""
    names = ", ".join(map(reader.coordinates_or(game.row.coordinates).label, plan.spaces))
    return (
        reader.gettext("{spaces}, else the next free").format(spaces=names)
        if plan.else_next
        else names
    )


def plan_lines(reader: Reader, game: Game, plan: Plan, player: UserId | None = None) -> list[str]:
    """Return a plan's lines, numbered: "1. if d2-d4 then e3-e5".

    The opponent is named if the text is for a given `player` and the name is known.
    """
    other = None if player is None else name_of(game, game.opponent(player))
    words = phrases(reader, game, other, is_single=len(lines_of(plan)) == 1)
    lines = write(plan, reader.coordinates_or(game.row.coordinates), words)
    return [f"{number}. {line}" for number, line in enumerate(lines, start=1)]


def phrases(
    reader: Reader, game: Game, other: str | None = None, *, is_single: bool = False
) -> Phrases:
    """Return the words that join the parts of a plan.

    Args:
        reader: The person who reads the text.
        game: The game.
        other: The opponent's name, or None if it is unknown.
        is_single: True if the plan has a single line.
    """
    template = reader.gettext("if {moves} then {reply}")
    if other is not None and is_single:
        fallback = reader.gettext("whatever {player} does: {reply}")
    else:
        fallback = reader.gettext("whatever else they do: {reply}")
    return Phrases(
        answer=lambda moves, reply: template.format(moves=moves, reply=reply),
        otherwise=lambda reply: fallback.format(reply=reply, player=other),
        ask=reader.gettext("ask me"),
        spaces=lambda plan: spaces(reader, game, plan),
    )
