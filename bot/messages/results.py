"""How a game ended, and by how much."""

from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.posts import user
from bot.model.game import Game
from bot.model.outcome import How, Outcome
from dvonn import Color


def result(game: Game, outcome: Outcome) -> str:
    """Who has won."""
    winner = None if outcome.winner is None else user(game.player(outcome.winner))
    if not outcome.has_result:
        return _("It has no result.")
    if outcome.how is How.COUNT:
        more, fewer = sorted((game.position.score(color) for color in Color), reverse=True)
        if winner is None:
            return _("A draw, {white}–{black}.").format(white=more, black=fewer)
        return _("{player} wins {more}–{fewer}.").format(player=winner, more=more, fewer=fewer)
    if winner is None:
        return _("The game is a draw.")
    return _("{player} wins.").format(player=winner)


def reckoning(game: Game, outcome: Outcome) -> list[str]:
    """What the board counts at the end."""
    position = game.position
    if not outcome.has_result or game.choosing is not None:
        return []
    after = (
        ngettext("After {plies} ply:", "After {plies} plies:", position.plies)
        if outcome.how is How.COUNT
        else ngettext(
            "On the board after {plies} ply:", "On the board after {plies} plies:", position.plies
        )
    ).format(plies=position.plies)
    score = _("{white} (White) {white_count}, {black} (Black) {black_count}.").format(
        white=user(game.row.white),
        white_count=position.score(Color.WHITE),
        black=user(game.row.black),
        black_count=position.score(Color.BLACK),
    )
    lines = [f"{after} {score}"]
    if outcome.how is not How.COUNT:
        lines.append(_("It was not played out: these numbers can only break a tie."))
    return lines
