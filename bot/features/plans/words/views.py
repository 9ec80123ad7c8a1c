"""Private texts that show players their plans."""

from collections.abc import Callable, Sequence
from typing import Final

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection import posts
from bot.features.plans.model.parsing import example_plan
from bot.features.plans.model.text import Phrases, mark_of, short, write
from bot.features.plans.model.tree import (
    LapsedPlan,
    LapseReason,
    OwnNode,
    Plan,
    PlanState,
    ReplyNode,
    as_plan,
    plan_in,
)
from bot.features.plans.use_cases import PlanOutdated, PlanQuestion
from bot.features.plans.words.plan_texts import plan_kept, plan_lines, spaces
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Moved
from bot.play.model.game import Game
from bot.play.model.typed import KeptPlan, PlacementList
from bot.play.words.names import name_of
from bot.play.words.views import to_page
from bot.replay.words.game_page import PageAsker
from dvonn import Coordinates, Move, format_move

_OPTIONS = 25
_LABEL: Final = 80
"""Maximum number of characters in a button's label."""
_FENCE: Final = "```"


def plan_id(game: Game, action: str) -> str:
    return f"dvonn:plan:{game.row.id}:{action}"


def plan_button(reader: Reader, game: Game) -> posts.Button:
    return posts.Button(reader.gettext("Plan ahead"), plan_id(game, "show"))


def plan_of_page(reader: Reader, game: Game, asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the button on a game's page for a player who may plan."""
    may_plan = game.is_running and game.seat(asker.user) is not None
    return (plan_button(reader, game),) if may_plan else ()


def plan_asked(
    reader: Reader, game: Game, plan_question: PlanQuestion, asker: UserId
) -> posts.Post:
    """Ask whether to play a plan's first move now, and quote the plan as typed."""
    naming, plan = reader.coordinates_or(game.row.coordinates), plan_question.turn.plan
    moves_text = " ".join(format_move(move, naming) for move in plan_question.turn.moves)
    fallback = _unconditional_move(plan)
    lines = list[str]()
    if fallback is not None:
        question = reader.gettext("Play {moves} now, and {reply} whatever {player} does?").format(
            moves=moves_text,
            reply=format_move(fallback, naming),
            player=name_of(game, game.opponent(asker)),
        )
    elif isinstance(plan, PlacementList):
        question = reader.gettext("Place {moves} now, and {spaces} on your next turns?").format(
            moves=moves_text, spaces=spaces(reader, game, plan)
        )
    else:
        question = reader.gettext("Play {moves} now?").format(moves=moves_text)
        if plan is not None:
            lines = [reader.gettext("And then:"), *plan_lines(reader, game, as_plan(plan), asker)]
    last = reader.gettext("Nothing is played yet, and only you see this.")
    code_block = f"{_FENCE}\n{plan_question.text.replace('`', ' ')}\n{_FENCE}"
    play_button = posts.Button(
        reader.gettext("Yes, play {moves}").format(moves=moves_text)[:_LABEL],
        plan_id(game, f"{game.row.revision}:play"),
        posts.ButtonStyle.SUCCESS,
    )
    leave_button = posts.Button(
        reader.gettext("Not now"), plan_id(game, f"{game.row.revision}:leave")
    )
    return posts.Post(
        content=_join_within_limit(f"**{question}**", lines, f"{code_block}\n{last}"),
        buttons=(play_button, leave_button),
    )


def text_in(content: str) -> str:
    """Return the plan in a question as it was typed, or "" if there is none."""
    return content.partition(f"{_FENCE}\n")[2].partition(f"\n{_FENCE}")[0]


def plan_unchanged(reader: Reader) -> posts.Post:
    return posts.Post(content=reader.gettext("OK. Nothing was played, and no plan was changed."))


def plan_outdated(reader: Reader, _: PlanOutdated) -> str:
    return reader.gettext("The board has changed since then. Plan anew with /plan.")


def plan_begun(reader: Reader, update: GameUpdate, asker: UserId) -> posts.Post:
    """Return the confirmation of planned moves just played, with the rest of the plan."""
    game = update.game
    naming = reader.coordinates_or(game.row.coordinates)
    own_events = (applied.event for applied in update.events if applied.event.actor == asker)
    moves = [
        event.data.move
        for event in own_events
        if isinstance(event.data, Moved) and event.data.why is None
    ]
    text = reader.gettext("Played: {move}.").format(
        move=" ".join(format_move(move, naming) for move in moves)
    )
    if update.plan_note is None:
        return posts.Post(content=text)
    note = update.plan_note.text(reader, game, asker)
    return posts.Post(
        content=_join_within_limit(text, note.split("\n"), ""), buttons=(plan_button(reader, game),)
    )


def _unconditional_move(plan: KeptPlan | None) -> Move | None:
    """Return the single move of a plan that is played after any move of the opponent."""
    match plan:
        case ReplyNode(replies=(), otherwise=OwnNode(move, then=None)):
            return move
        case _:
            return None


def plan_made(reader: Reader, game: Game, plan: Plan, asker: UserId) -> posts.Post:
    if isinstance(plan, PlacementList):
        content = plan_kept(reader, game, plan, asker)
    else:
        first, *lines = plan_kept(reader, game, plan, asker).split("\n")
        last = reader.gettext("Your moves come at once and cost you no time.")
        content = _join_within_limit(first, lines, last)
    return posts.Post(content=content, buttons=(plan_button(reader, game),))


def plan_shown(
    reader: Reader,
    game: Game,
    state: PlanState | None,
    asker: UserId,
    board: Callable[[Game], str] | None = None,
) -> posts.Post:
    """Return a player's plan, with ways to change it.

    Only they see it.

    Args:
        reader: The person who reads it.
        game: The game that it is for.
        state: The plan, the note that it lapsed, or None.
        asker: The player.
        board: Returns the custom id of the button for a board on which to try plans.
    """
    plan = plan_in(state)
    heading = reader.gettext("**Your plan** (only you see it):")
    if plan is None:
        content = "\n".join([*_lapse_lines(reader, game, state), _no_plan_text(reader, game)])
    elif isinstance(plan, PlacementList):
        content = f"{heading}\n{spaces(reader, game, plan)}"
    else:
        content = _join_within_limit(
            heading,
            plan_lines(reader, game, plan, asker),
            reader.gettext("Your moves come at once and cost you no time."),
        )
    return posts.Post(
        content=content,
        selects=_lines_to_drop(reader, game, plan),
        buttons=_plan_buttons(reader, game, plan, board),
    )


def plan_form(
    reader: Reader, game: Game, state: PlanState | None, asker: UserId
) -> posts.FormWords:
    """Return the form for typing a plan. It contains the current one."""
    coordinates, plan = reader.coordinates_or(game.row.coordinates), plan_in(state)
    lines = [] if plan is None else write(plan, coordinates, _typing_phrases(reader, coordinates))
    return posts.FormWords(
        reader.gettext("Plan ahead"),
        reader.gettext("Their move: your answer"),
        reader.gettext("e.g. {example}").format(example=_example(reader, game, asker)),
        "\n".join(lines),
    )


def _typing_phrases(reader: Reader, coordinates: Coordinates) -> Phrases:
    """Return the phrases for typing a tree: symbols, or the reader's words if there are none."""
    else_next = reader.gettext("{spaces}, else the next free")
    return short(coordinates, reader.gettext("ask me"), else_next)


def _join_within_limit(first: str, lines: Sequence[str], last: str) -> str:
    """Join lines between a first and a last one. Lines that don't fit are dropped from the end."""
    room = posts.CONTENT_LIMIT - len(first) - len(last) - 4
    result: list[str] = []
    for line in lines:
        if len(line) + 1 > room:
            result.append("…")
            break
        result.append(line)
        room -= len(line) + 1
    return "\n".join([first, *result, last])


def _lapse_lines(reader: Reader, game: Game, state: PlanState | None) -> list[str]:
    """Explain why a plan has lapsed."""
    if not isinstance(state, LapsedPlan):
        return []
    coordinates = reader.coordinates_or(game.row.coordinates)
    move = "" if state.move is None else format_move(state.move, coordinates)
    match state.reason:
        case LapseReason.LEFT:
            words = reader.gettext("Your plan is over: it had no answer to {move}.")
        case LapseReason.ILLEGAL:
            words = reader.gettext("Your plan is over: {move} wasn't possible anymore.")
        case LapseReason.BACK:
            words = reader.gettext("Your plan is over: the board was changed.")
    return [words.format(move=move)]


def _no_plan_text(reader: Reader, game: Game) -> str:
    if not game.is_running:
        return reader.gettext("You have no plan.")
    return reader.gettext("You have no plan yet. Try one on a board, or type it. Only you see it.")


def _example(reader: Reader, game: Game, asker: UserId) -> str:
    """Return an example for the current board, after the player's move: "d2-d4: e3-e5"."""
    color = game.seat(asker)
    assert color is not None  # only players can plan # noqa: S101
    return example_plan(reader.coordinates_or(game.row.coordinates), game.position, color)


def _lines_to_drop(reader: Reader, game: Game, plan: Plan | None) -> tuple[posts.Select, ...]:
    if plan is None or isinstance(plan, PlacementList):
        return ()
    mark = mark_of(plan)
    options = tuple(
        posts.Option(line[: posts.OPTION_LIMIT], f"{number}:{mark}")
        for number, line in enumerate(plan_lines(reader, game, plan)[:_OPTIONS])
    )
    return (posts.Select(plan_id(game, "drop"), reader.gettext("Remove a line"), options),)


def _plan_buttons(
    reader: Reader, game: Game, plan: Plan | None, board: Callable[[Game], str] | None
) -> tuple[posts.Button, ...]:
    if not game.is_running:
        return ()
    clear = posts.Button(
        reader.gettext("Delete"),
        plan_id(game, "clear"),
        posts.ButtonStyle.DANGER,
        disabled=plan is None,
    )
    on_board = reader.gettext("Choose on a board")
    return (
        *([posts.Button(on_board, board(game), posts.ButtonStyle.PRIMARY)] if board else ()),
        posts.Button(reader.gettext("Type moves"), plan_id(game, "type")),
        clear,
        to_page(reader, game.row.id),
    )
