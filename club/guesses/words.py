"""Texts about guesses: spectators' choices, their guesses, and the best guessers."""

from collections.abc import Sequence
from typing import Final

from bot.base.formats import shortened_people
from bot.base.ids import NO_GUILD, UserId
from bot.base.languages import Reader
from bot.connection.posts import BUTTON_LIMIT, Button, FormWords, Post, user
from bot.play.model.game import Game
from bot.play.words.names import name_of
from bot.play.words.picker import move_form
from bot.play.words.pictures import Picture, picture
from bot.play.words.stack_buttons import by_stack, landing_buttons, stack_buttons, with_row_below
from bot.play.words.views import to_page
from bot.replay.words.game_page import PageAsker
from club.guesses.model import CannotGuess, Guesser, GuessProblem, Reveal, may_guess
from club.guesses.use_cases import Ranking
from dvonn import POINTS, Move, Phase, Point, format_move
from renderer import Arrows, Marking, Marks

_ANYBODY: Final = UserId(0)
"""Placeholder for a user who is not a player."""
_NAMED: Final = 3
"""Maximum number of people named below a board for guessing right."""


def guess_id(game: Game, action: str) -> str:
    return f"dvonn:call:{game.row.id}:{game.row.revision}:{action}"


def guess_of_page(reader: Reader, game: Game, asker: PageAsker) -> tuple[Button, ...]:
    if not may_guess(game, asker.user):
        return ()
    return (Button(reader.gettext("Guess the move"), guess_id(game, "open")),)


def guess_of_board(reader: Reader, game: Game) -> tuple[Button, ...]:
    """Return the button for spectators to guess the next move, if guesses are possible.

    Each board of a game has it.
    """
    is_direct = game.row.guild == NO_GUILD and not game.row.visiting
    if (
        is_direct
        or game.row.is_solo
        or game.row.vote is not None
        or not game.is_running
        or not _moves_next(game)
    ):
        return ()
    return (
        Button(
            reader.gettext("Guess the move"),
            guess_id(game, "open"),
            disabled=not may_guess(game, _ANYBODY),
        ),
    )


def _moves_next(game: Game) -> bool:
    """Return True if the next move is a player's movement, which can be guessed."""
    thinks = game.to_move == game.row.machine
    last = thinks and game.position.plies == len(POINTS) - 1
    return game.position.phase is Phase.MOVEMENT or last


def how_to_guess(reader: Reader, game: Game, asker: UserId) -> tuple[str, ...]:
    """Return the hint for users who may guess a game's next move."""
    if not may_guess(game, asker):
        return ()
    return (
        reader.gettext(
            "Watching? Press *Guess the move* under the board, or type it: the next board tells "
            "whether you were right."
        ),
    )


def _seen_by_you(reader: Reader) -> str:
    return reader.gettext(
        "Only you see your guess, and you can still change it. The next board tells who was right."
    )


def guess_picker(reader: Reader, game: Game, before: Move | None) -> Post:
    """Return the first step of a spectator's guess: choosing a stack."""
    lines = [
        reader.gettext("**Guess the move.** What does {player} play next?").format(
            player=_mover(game)
        )
    ]
    if before is not None:
        lines.append(_guess(reader, game, before))
    lines.append(_seen_by_you(reader))
    marks = (
        Marks(landings=tuple(by_stack(game.position))) if before is None else Arrows(played=before)
    )
    return Post(
        content="\n".join(lines),
        picture=_picture(reader, game, marks),
        buttons=_stacks(reader, game),
    )


def guess_landings(reader: Reader, game: Game, source: Point) -> Post:
    coordinates, label = game.row.coordinates, reader.coordinates_or(game.row.coordinates).label
    return Post(
        content=reader.gettext("{stack} can go to:").format(stack=label(source)),
        picture=_picture(reader, game, Marks.for_stack(game.position, source)),
        buttons=landing_buttons(
            reader,
            game.position,
            by_stack(game.position)[source],
            coordinates,
            go=lambda move: guess_id(game, f"go:{format_move(move, coordinates)}"),
            back=guess_id(game, "open"),
        ),
    )


def guess_form(reader: Reader, game: Game) -> FormWords:
    words = move_form(reader, game)
    return FormWords(reader.gettext("Guess the move"), words.label, words.placeholder)


def guessed(reader: Reader, game: Game, move: Move) -> Post:
    lines = [
        "🎯 " + _guess(reader, game, move),
        _seen_by_you(reader),
    ]
    return Post(
        content="\n".join(lines),
        picture=_picture(reader, game, Arrows(played=move)),
        buttons=(
            Button(reader.gettext("Change"), guess_id(game, "open")),
            _table(reader, game),
            to_page(reader, game.row.id),
        ),
    )


def guess_table(reader: Reader, game: Game, table: Ranking, asker: UserId) -> Post:
    lines = [reader.gettext("**Best guessers in this server**")]
    if not table.best:
        lines.append(reader.gettext("Nobody has guessed a move right yet."))
    for number, guesser in enumerate(table.best, start=1):
        score = _score(reader, guesser)
        lines.append(f"{number}. {user(guesser.player)} · {score}")
    if table.own is not None and asker not in (record.player for record in table.best):
        lines.append(reader.gettext("You: {score}").format(score=_score(reader, table.own)))
    buttons = [to_page(reader, game.row.id)]
    if game.is_running:
        buttons.insert(0, Button(reader.gettext("Back"), guess_id(game, "open")))
    return Post(content="\n".join(lines), buttons=tuple(buttons))


def reveal_lines(reader: Reader, game: Game, reveals: Sequence[Reveal]) -> list[str]:
    """Return the lines below a board about guesses of the last moves."""
    coordinates = reader.coordinates_or(game.row.coordinates)
    moves = {ply.revision: format_move(ply.move, coordinates) for ply in game.line}
    return [
        _reveal(reader, reveal, moves[reveal.revision])
        for reveal in reveals
        if reveal.revision in moves
    ]


def cannot_guess(reader: Reader, error: CannotGuess) -> str:
    match error.problem:
        case GuessProblem.PLAYS:
            return reader.gettext("You're playing here yourself. Guessing is for people who watch.")
        case GuessProblem.MACHINE:
            return reader.gettext("You can't guess my moves. Try the next one.")
        case GuessProblem.ONLY_MOVE:
            return reader.gettext("There's only one legal move. Guess the next one.")
        case GuessProblem.PLAYED:
            return reader.gettext(
                "Too late, that move has been played. Press *Guess the move* under the newest "
                "board to guess the next one."
            )


def _reveal(reader: Reader, reveal: Reveal, move: str) -> str:
    if not reveal.right:
        words = reader.ngettext(
            "🎯 Nobody guessed {move} ({count} tried).",
            "🎯 Nobody guessed {move} ({count} tried).",
            reveal.count,
        )
        return words.format(move=move, count=reveal.count)
    names = shortened_people(reader, map(user, reveal.right), _NAMED)
    if len(reveal.right) == reveal.count:
        return reader.gettext("🎯 {names} guessed {move}!").format(move=move, names=names)
    return reader.ngettext(
        "🎯 {names} guessed {move} ({count} tried)!",
        "🎯 {names} guessed {move} ({count} tried)!",
        reveal.count,
    ).format(move=move, names=names, count=reveal.count)


def _guess(reader: Reader, game: Game, move: Move) -> str:
    move_text = format_move(move, reader.coordinates_or(game.row.coordinates))
    return reader.gettext("You guess **{move}**.").format(move=move_text)


def _score(reader: Reader, guesser: Guesser) -> str:
    return reader.gettext("{right} of {count} right").format(
        right=guesser.right, count=guesser.guesses
    )


def _mover(game: Game) -> str:
    assert game.to_move is not None  # guesses are only possible if someone is to move # noqa: S101
    return name_of(game, game.to_move)


def _stacks(reader: Reader, game: Game) -> tuple[Button, ...]:
    """Return buttons for the stacks that can move, and other buttons if there is room."""
    coordinates = game.row.coordinates
    stacks = stack_buttons(
        reader,
        by_stack(game.position),
        coordinates,
        lambda stack: guess_id(game, f"from:{coordinates.label(stack)}"),
    )
    other_buttons = (_type(reader, game), to_page(reader, game.row.id), _table(reader, game))
    return with_row_below(stacks, other_buttons) or (*stacks, *other_buttons)[:BUTTON_LIMIT]


def _type(reader: Reader, game: Game) -> Button:
    return Button(reader.gettext("Type a move"), guess_id(game, "type"))


def _table(reader: Reader, game: Game) -> Button:
    return Button(reader.gettext("Best guessers"), guess_id(game, "table"))


def _picture(reader: Reader, game: Game, marks: Marking) -> Picture:
    return picture(
        reader,
        f"call-{game.row.id}-{game.row.revision}.png",
        game.position,
        reader.coordinates_or(game.row.coordinates),
        marks=marks,
        game=game,
    )
