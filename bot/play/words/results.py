"""The words on the end of a game, and its margin."""

from bot.base.locales import Reader
from bot.connection.posts import user
from bot.play.model.game import Game
from bot.play.model.outcome import How, Outcome
from dvonn import Color


def result(reader: Reader, game: Game, outcome: Outcome) -> str:
    """Name the winner."""
    winner = None if outcome.winner is None else user(game.player(outcome.winner))
    if not outcome.has_result:
        return reader.gettext("No result.")
    if outcome.how is How.COUNT:
        more, fewer = sorted((game.position.score(color) for color in Color), reverse=True)
        if winner is None:
            return reader.gettext("A draw, {white}–{black}.").format(white=more, black=fewer)
        return reader.gettext("{player} wins {more}–{fewer}.").format(
            player=winner, more=more, fewer=fewer
        )
    if winner is None:
        return reader.gettext("The game is a draw.")
    return reader.gettext("{player} wins.").format(player=winner)


def reckoning(reader: Reader, game: Game, outcome: Outcome) -> list[str]:
    """Tell the count of the board at the end."""
    position = game.position
    if not outcome.has_result or game.choosing is not None:
        return []
    score = reader.gettext("{white} (White) {white_count}, {black} (Black) {black_count}.").format(
        white=user(game.row.white),
        white_count=position.score(Color.WHITE),
        black=user(game.row.black),
        black_count=position.score(Color.BLACK),
    )
    if outcome.how is How.COUNT:
        return [score]
    return [reader.gettext("On the board: {score}").format(score=score)]
