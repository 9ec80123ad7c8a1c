"""How a game ended, and by how much."""

from bot.locales import Reader
from bot.messages.posts import user
from bot.model.game import Game, GameState, Told
from dvonn import Color


def result(reader: Reader, game: Game, newest: Told) -> str:
    """Who has won."""
    match game.row.state:
        case GameState.RESIGNED | GameState.TIMED_OUT:
            winner = game.opponent(newest.event.actor)
            return reader.gettext("{player} wins.").format(player=user(winner))
        case GameState.ABORTED:
            return reader.gettext("It has no result.")
        case GameState.DRAWN:
            return reader.gettext("The game is a draw.")
        case _:
            return _by_count(reader, game)


def reckoning(reader: Reader, game: Game) -> list[str]:
    """What the board counts at the end."""
    position, state = game.position, game.row.state
    if state is GameState.ABORTED or game.choosing is not None:
        return []
    after = (
        reader.ngettext("After {plies} ply:", "After {plies} plies:", position.plies)
        if state is GameState.FINISHED
        else reader.ngettext(
            "On the board after {plies} ply:", "On the board after {plies} plies:", position.plies
        )
    ).format(plies=position.plies)
    score = reader.gettext("{white} (White) {white_count}, {black} (Black) {black_count}.").format(
        white=user(game.row.white),
        white_count=position.score(Color.WHITE),
        black=user(game.row.black),
        black_count=position.score(Color.BLACK),
    )
    lines = [f"{after} {score}"]
    if state is not GameState.FINISHED:
        lines.append(reader.gettext("It was not played out: these numbers can only break a tie."))
    return lines


def _by_count(reader: Reader, game: Game) -> str:
    winner = game.position.winner
    white, black = (game.position.score(color) for color in Color)
    if winner is None:
        return reader.gettext("A draw, {white}–{black}.").format(white=white, black=black)
    return reader.gettext("{player} wins {more}–{fewer}.").format(
        player=user(game.player(winner)), more=max(white, black), fewer=min(white, black)
    )
