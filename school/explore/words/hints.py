"""Texts and buttons of hints for the player to move."""

from collections.abc import Sequence

from bot.base.languages import Reader
from bot.connection import posts
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.words import effects, views
from bot.play.words.pictures import picture
from bot.play.words.views import moves_text, pick_id
from bot.replay.words.game_page import PageAsker
from dvonn import format_move
from dvonn_lessons.move_effects import MoveEffects
from renderer import Arrows
from school.explore.model import HintProblem, NoHint

_LONGEST_LINE = 4
"""Maximum number of moves in a hint, including the best move itself."""


def hint_of_board(reader: Reader, game: Game) -> tuple[posts.Button, ...]:
    """Return the button for a hint below a board, if the player to move can ask for one."""
    if not game.gives_hints or game.to_move is None:
        return ()
    return (posts.Button(reader.gettext("Hint"), f"dvonn:hint:{game.row.id}"),)


def hint_of_page(reader: Reader, game: Game, asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the button on a game's page that asks for a hint, or that suggests hints."""
    if not asker.has_machine or not game.is_running:
        return ()
    if game.gives_hints:
        return hint_of_board(reader, game) if game.to_move == asker.user else ()
    if game.row.rated or game.seat(asker.user) is None:
        return ()
    return (posts.Button(reader.gettext("Suggest hints"), f"dvonn:hints:{game.row.id}"),)


def no_hint(reader: Reader, error: NoHint) -> str:
    match error.problem:
        case HintProblem.NO_MACHINE:
            return reader.gettext("The machine is switched off here.")
        case HintProblem.OVER:
            return reader.gettext("Nobody can move anymore, so there's nothing to find.")
        case HintProblem.TEAM:
            return reader.gettext("In a team game you find the moves together, without my hints.")
        case HintProblem.RATED:
            return reader.gettext("No hints in rated games.")
        case HintProblem.NOT_AGREED:
            return reader.gettext(
                "I only give hints if you both agree. Ask with *Suggest hints* on the game's "
                "page: /games."
            )


def hinted(
    reader: Reader, game: Game, thoughts: Sequence[Thought], *, goes_on: bool = False
) -> posts.Post:
    """Return a hint for the player to move.

    If `goes_on`, it includes the likely moves after the best one. In the placement phase, it shows
    the values of all free spaces. `thoughts` has at least one evaluated move, best first.
    """
    position, coordinates = game.position, reader.coordinates_or(game.row.coordinates)
    best = thoughts[0].moves[0]
    chances = views.heat(position, thoughts)
    sentence = (
        reader.gettext("I'd play **{move}**.")
        if chances is None
        else reader.gettext(
            "I'd place on **{move}**. The numbers are your chances from each space, in percent."
        )
    )
    best_text = format_move(best, game.row.coordinates)
    play = posts.Button(
        reader.gettext("Play it"), pick_id(game, f"play:{best_text}"), posts.ButtonStyle.SUCCESS
    )
    reason = (
        [] if chances is not None else effects.reason(reader, game, MoveEffects(position, best))
    )
    if goes_on and (line := thoughts[0].moves[1:_LONGEST_LINE]):
        reason.append(reader.gettext("Then {moves}.").format(moves=moves_text(reader, line)))
    return posts.Post(
        content=" ".join([sentence.format(move=format_move(best, coordinates)), *reason]),
        buttons=(play,),
        picture=picture(
            reader,
            f"hint-{game.row.id}.png",
            position,
            coordinates,
            marks=chances or Arrows(better=best),
            game=game,
            spoken=posts.SpokenPart.NOTHING if chances is None else posts.SpokenPart.ALL,
        ),
    )
