"""How a game ended, and by how much."""

from bot.locales import Reader
from bot.messages.posts import user
from bot.model.game import Game
from bot.model.outcome import How, Outcome
from dvonn import Color


def result(reader: Reader, game: Game, outcome: Outcome) -> str:
    """Who has won."""
    winner = None if outcome.winner is None else user(game.player(outcome.winner))
    if not outcome.has_result:
        return reader.gettext("It has no result.")
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
    """What the board counts at the end."""
    position = game.position
    if not outcome.has_result or game.choosing is not None:
        return []
    after = (
        reader.ngettext("After {plies} ply:", "After {plies} plies:", position.plies)
        if outcome.how is How.COUNT
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
    if outcome.how is not How.COUNT:
        lines.append(reader.gettext("It was not played out: these numbers can only break a tie."))
    return lines
