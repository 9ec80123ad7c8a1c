"""How a game ended, and by how much."""

from bot.locales import gettext as _
from bot.locales import ngettext
from bot.messages.posts import user
from bot.model.game import Game, GameState, Told
from dvonn import Color


def result(game: Game, newest: Told) -> str:
    """Who has won."""
    match game.row.state:
        case GameState.RESIGNED | GameState.TIMED_OUT:
            winner = game.opponent(newest.event.actor)
            return _("{player} wins.").format(player=user(winner))
        case GameState.ABORTED:
            return _("It has no result.")
        case GameState.DRAWN:
            return _("The game is a draw.")
        case _:
            return _by_count(game)


def reckoning(game: Game) -> list[str]:
    """What the board counts at the end."""
    position, state = game.position, game.row.state
    if state is GameState.ABORTED or game.choosing is not None:
        return []
    after = (
        ngettext("After {plies} ply:", "After {plies} plies:", position.plies)
        if state is GameState.FINISHED
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
    if state is not GameState.FINISHED:
        lines.append(_("It was not played out: these numbers can only break a tie."))
    return lines


def _by_count(game: Game) -> str:
    winner = game.position.winner
    white, black = (game.position.score(color) for color in Color)
    if winner is None:
        return _("A draw, {white}–{black}.").format(white=white, black=black)
    return _("{player} wins {more}–{fewer}.").format(
        player=user(game.player(winner)), more=max(white, black), fewer=min(white, black)
    )
