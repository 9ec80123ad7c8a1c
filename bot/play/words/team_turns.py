"""Texts about the turns of teams: how a team chooses its move, and until when."""

from datetime import datetime, timedelta

from bot.base.formats import duration
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, due, user
from bot.play.model.events import MOST_EMPTY
from bot.play.model.game import Game
from bot.play.model.refusals import TeamDecides
from bot.play.words.views import board_button


def vote_rules(reader: Reader, length: timedelta) -> str:
    return reader.gettext("Everyone here votes, {time} for each move. The most votes win.").format(
        time=duration(reader, length)
    )


def how_to_vote(reader: Reader, example: str = "d2-d4") -> str:
    return reader.gettext("To vote, press *{verb}* or type a move, like {example}.").format(
        verb=reader.gettext("Vote"), example=example
    )


def vote_end(reader: Reader, ends: datetime) -> str:
    return reader.gettext("🗳️ Voting ends {when}.").format(when=due(ends))


def vote_button(reader: Reader, game: Game) -> Button:
    return board_button(game, reader.gettext("Vote"), "pick", ButtonStyle.PRIMARY)


def nobody_voted(reader: Reader, team: str) -> str:
    return reader.ngettext(
        "Nobody in {team} voted, {count} time in a row. The game is over.",
        "Nobody in {team} voted, {count} times in a row. The game is over.",
        MOST_EMPTY,
    ).format(team=team, count=MOST_EMPTY)


def team_votes(reader: Reader) -> str:
    return reader.gettext("This is a team game: press *Vote* under the newest board.")


def team_decides(reader: Reader, error: TeamDecides) -> str:
    if error.starter is not None:
        return reader.gettext(
            "Nobody can resign or make offers for the whole team. {player} started this game and "
            "can end it, or a moderator with /setup abort."
        ).format(player=user(error.starter))
    return reader.gettext(
        "Nobody can resign or make offers for the whole team. Stop voting, and the game ends "
        "by itself. A moderator has /setup abort."
    )
