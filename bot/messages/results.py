"""How a game ended, and by how much."""

from bot.locales import Reader
from bot.messages.posts import user
from bot.model.events import Event
from bot.model.game import Game
from bot.model.outcome import How, Outcome
from bot.model.tournaments import decided_by
from dvonn import Color


def result(reader: Reader, game: Game, outcome: Outcome) -> str:
    """Who has won."""
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


def in_tournament(reader: Reader, game: Game, newest: Event) -> list[str]:
    """What a game without a result has brought in its tournament.

    Args:
        reader: All who read it.
        game: As it has ended.
        newest: The event by which it did.
    """
    outcome = game.outcome
    if game.row.tournament is None or outcome is None or outcome.has_result:
        return []
    winner = decided_by(game, newest).result.winner
    if winner is None:
        return []
    sentence = reader.gettext("In the tournament it counts as a win for {player}.")
    return [sentence.format(player=user(game.player(winner)))]


def reckoning(reader: Reader, game: Game, outcome: Outcome) -> list[str]:
    """What the board counts at the end."""
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
