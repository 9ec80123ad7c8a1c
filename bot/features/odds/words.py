"""The words around boards with odds."""

from typing import Final

from bot.base.ids import ChallengeId
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, user
from bot.features.odds.use_cases import Gap, Rung
from bot.play.model.game import Game
from dvonn import Color

AGAIN_ID: Final = "dvonn:odds"


def next_line(reader: Reader, rung: Rung) -> str:
    if rung.help > 0:
        sentence = reader.ngettext(
            "Next: level {level}. You start about {count} step ahead.",
            "Next: level {level}. You start about {count} steps ahead.",
            rung.help,
        )
    elif rung.help < 0:
        sentence = reader.ngettext(
            "Next: level {level}. I start about {count} step ahead.",
            "Next: level {level}. I start about {count} steps ahead.",
            -rung.help,
        )
    else:
        sentence = reader.gettext("Next: level {level}, on an even board.")
    return sentence.format(level=rung.level, count=abs(rung.help))


def again_button(reader: Reader, game: Game) -> Button:
    outcome = game.outcome
    winner = None if outcome is None else outcome.winner
    if winner is None:
        label = reader.gettext("Once more")
    else:
        machine = Color.WHITE if game.row.machine == game.row.white else Color.BLACK
        label = (
            reader.gettext("Easier, please")
            if winner is machine
            else reader.gettext("Again, one step harder")
        )
    return Button(label, AGAIN_ID, ButtonStyle.SUCCESS)


def gap_line(reader: Reader, gap: Gap) -> str:
    """Tell that two are far apart, and who would get the better board."""
    sentence = reader.gettext(
        "You're about {points} points apart. With odds, {player} gets the better board."
    )
    return sentence.format(points=gap.points, player=user(gap.weaker))


def even_button(reader: Reader, challenge: ChallengeId) -> Button:
    return Button(reader.gettext("Even it out"), f"dvonn:even:{challenge}")
