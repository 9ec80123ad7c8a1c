"""Decisions ahead, in words."""

from bot.base.locales import Reader
from bot.play.model.ahead.decided import Ahead
from bot.play.model.ahead.text import Phrases, write
from bot.play.model.game import Game
from bot.play.model.lists import Plan


def spaces(reader: Reader, game: Game, plan: Plan) -> str:
    """Return the spaces of a list: "b2, c3, else the next free"."""
    names = ", ".join(map(reader.naming(game.row.coordinates).label, plan.spaces))
    return (
        reader.gettext("{spaces}, else the next free").format(spaces=names)
        if plan.else_next
        else names
    )


def told_lines(reader: Reader, game: Game, ahead: Ahead) -> list[str]:
    """Return its lines, numbered: "1. if d2-d4 then e3-e5"."""
    lines = write(ahead, reader.naming(game.row.coordinates), phrases(reader, game))
    return [f"{number}. {line}" for number, line in enumerate(lines, start=1)]


def phrases(reader: Reader, game: Game) -> Phrases:
    """Return the words in which a tree is told."""
    known = reader.gettext("if {moves} then {reply}")
    otherwise = reader.gettext("else {reply}")
    return Phrases(
        known=lambda moves, reply: known.format(moves=moves, reply=reply),
        otherwise=lambda reply: otherwise.format(reply=reply),
        ask=reader.gettext("ask me"),
        spaces=lambda plan: spaces(reader, game, plan),
    )
