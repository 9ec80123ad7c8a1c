"""The view of a study, where users try, take back and comment on moves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.base.formats import day_text, number_text, percent_text
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection import posts
from bot.features.plans.use_cases import can_add_to_plan, tried_line_of
from bot.play.extension_points import ExtensionPoint
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.words.names import names_of_colors
from bot.play.words.picker import space_lists
from bot.play.words.pictures import is_turned
from bot.play.words.stack_buttons import by_stack, landing_buttons, stack_buttons
from bot.play.words.views import assumed_inside, heat, moves_text, to_page, whose_turn
from bot.replay.model.replays import (
    LONGEST_LINE,
    ReplayCursor,
    ReplayView,
    common_prefix_length,
    pack,
    sequence_of,
)
from bot.replay.words import views
from bot.replay.words.game_page import VIEWS, PageAsker
from bot.replay.words.play_from import play_from_here
from dvonn import Color, Phase, Point
from dvonn.reviews.review import in_percent
from renderer import Marking, Marks
from school.explore.model import LONGEST_COMMENT, Study, StudyFull, StudyNotFound, StudyRow

_SHOWN_LINES = 3
"""Maximum number of the engine's lines in the text. In the placement phase, the picture shows all
free points.
"""
_SHOWN_MOVES = 6
"""Maximum number of moves in each of the engine's lines."""
_LISTED = 23
"""Maximum number of lines in the select, besides the main line and the start."""


def explore_id(cursor: ReplayCursor) -> str:
    return f"dvonn:explore:{cursor.with_line}:at"


def study_id(study: Study, action: str) -> str:
    """Return a custom id for a study's button, which does nothing once the study has changed."""
    return f"dvonn:study:{study.id}:{study.revision}:{action}"


def where_to_paste(reader: Reader) -> str:
    return reader.gettext("/show draws a game or a position that you paste as text.")


def show_form(reader: Reader) -> posts.FormWords:
    return posts.FormWords(
        reader.gettext("Show a game or a position"),
        reader.gettext("Paste it here"),
        reader.gettext("A record, a list of moves, or a position"),
    )


StudyButtons = Callable[[Reader, Study], tuple[posts.Button, ...]]
STUDY_BUTTONS: Final = ExtensionPoint[StudyButtons]()


@dataclass(frozen=True, slots=True)
class ExploreOptions:
    """Options that determine which buttons a study has."""

    may_share: bool
    has_engine: bool
    more: tuple[StudyButtons, ...] = ()
    """Functions that add buttons (see `STUDY_BUTTONS`)."""


def explore(
    reader: Reader,
    study: Study,
    options: ExploreOptions,
    *,
    picking: bool = False,
    chosen: Point | None = None,
    thoughts: Sequence[Thought] = (),
    note: str = "",
) -> posts.Post:
    """Return the post for a user's study, possibly while they choose a move."""
    view = study.replay_view
    if study.turned:
        reader = replace(reader, player=study.player)
    lines = [*views.players(view), _where(reader, view)]
    lines += [note] if note else []
    lines += assumed_inside(reader, view.sequence.assumed)
    if view.cursor.line:
        line = views.line_text(reader, view.path, view.cursor.ply)
        lines.append(reader.gettext("You tried: **{moves}**").format(moves=line))
    if study.current_node.comment:
        lines.append(f"💬 {posts.escaped(study.current_node.comment)}")
    lines += _thoughts(reader, view, thoughts)
    lines.append(_next(reader, view, chosen))
    if study.game is None and not study.kept:
        lines.append(reader.gettext("Play both sides. I keep this board: find it in /games."))
    selects = tuple[posts.Select, ...]()
    marks: Marking | None
    if chosen is not None:
        marks = Marks.for_stack(view.position, chosen)
        buttons = landing_buttons(
            reader,
            view.position,
            by_stack(view.position).get(chosen, ()),
            view.coordinates,
            go=lambda move: study_id(study, f"go{pack((move,))}"),
            back=study_id(study, "pick"),
        )
    elif picking:
        stacks = tuple(by_stack(view.position))
        marks, label = Marks(landings=stacks), view.coordinates.label
        buttons = (
            *stack_buttons(
                reader,
                stacks,
                view.coordinates,
                lambda stack: study_id(study, f"stack-{label(stack)}"),
            ),
            posts.Button(reader.gettext("Back"), study_id(study, "at")),
        )
    else:
        lines += _how_to_plan(reader, view, study.player)
        marks = heat(view.position, thoughts)
        selects = (*_spaces(reader, study, view), *_lines(reader, study))
        buttons = _study_buttons(reader, study, view, options)
    return posts.Post(
        content="\n".join(lines)[: posts.CONTENT_LIMIT],
        picture=views.view_picture(reader, view, "explore", marks, turned=study.turned),
        selects=selects,
        buttons=buttons,
    )


def something_better(reader: Reader) -> str:
    """Return the question that asks a player to find a better move than their mistake."""
    return reader.gettext("Can you find something better?")


def delete_asked(reader: Reader, study: Study) -> posts.Post:
    count = 1 + sum(1 for _ in study.current_node.walk())
    sentence = reader.ngettext(
        "Delete {count} move of your board, from {move} on?",
        "Delete {count} moves of your board, from {move} on?",
        count,
    )
    path = study.replay_view.path
    move = views.numbered(reader, path, path.plies)
    yes = posts.Button(
        reader.gettext("Yes, delete"), study_id(study, "cut"), posts.ButtonStyle.DANGER
    )
    back = posts.Button(reader.gettext("Back"), study_id(study, "at"))
    return posts.Post(
        content=sentence.format(count=number_text(reader, count), move=move),
        picture=views.view_picture(reader, study.replay_view, "explore", turned=study.turned),
        buttons=(yes, back),
    )


def study_not_found(reader: Reader, _: StudyNotFound) -> str:
    return reader.gettext("That board isn't there anymore. Open a new one.")


def study_full(reader: Reader, _: StudyFull) -> str:
    return reader.gettext("This board is full. Delete a line or a comment first.")


def own_boards(reader: Reader, rows: Sequence[StudyRow]) -> tuple[posts.Select, ...]:
    if not rows:
        return ()
    options = []
    for number, row in enumerate(rows, start=1):
        count = reader.ngettext("{count} move", "{count} moves", row.moves).format(count=row.moves)
        choices = (
            reader.gettext("{number}. Your board, {moves}, {date}")
            if row.game is None
            else reader.gettext("{number}. From a game, {moves}, {date}")
        )
        date = day_text(reader, row.changed_at)
        label = choices.format(number=number, moves=count, date=date)
        options.append(posts.Option(label[: posts.OPTION_LIMIT], str(row.id)))
    placeholder = reader.gettext("Your own boards")
    return (posts.Select("dvonn:studies:open", placeholder, tuple(options)),)


def explore_of_page(reader: Reader, game: Game, _asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the button on a game's page that opens the reader's study of the game."""
    return (posts.Button(reader.gettext("Explore"), f"dvonn:explore:{game.row.id}:left"),)


def explore_of_replay(
    reader: Reader, view: ReplayView, _may_share: bool
) -> tuple[posts.Button, ...]:
    """Return the button below a replay that opens a study of the shown position."""
    return (posts.Button(reader.gettext("Explore from here"), explore_id(view.cursor), row=VIEWS),)


def explore_of_shared(
    reader: Reader, view: ReplayView, _may_share: bool = False
) -> tuple[posts.Button, ...]:
    """Return the button that lets others explore a shared board."""
    return (posts.Button(reader.gettext("Explore"), explore_id(view.cursor)),)


def on_board(game: Game) -> str:
    return explore_id(ReplayCursor(game.row.id, sequence_of(game).plies))


def explore_form(reader: Reader, view: ReplayView) -> posts.FormWords:
    example = moves_text(reader, view.position.legal_moves()[:1], view.coordinates)
    return posts.FormWords(
        reader.gettext("Type moves"),
        reader.gettext("One move or several"),
        reader.gettext("e.g. {example}").format(example=example),
    )


def comment_form(reader: Reader, study: Study) -> posts.FormWords:
    placeholder = reader.gettext("Up to {count} characters; leave it empty to delete it")
    return posts.FormWords(
        reader.gettext("Comment"),
        reader.gettext("Your comment on this move"),
        placeholder.format(count=LONGEST_COMMENT),
        study.current_node.comment,
    )


def shared_line(reader: Reader, view: ReplayView, by: UserId, *, link: str = "") -> posts.Post:
    line = views.line_text(reader, view.path, view.cursor.ply)
    lines = [
        reader.gettext("{player} tried this:").format(player=posts.user(by)),
        *views.players(view),
        *views.shared_text(view),
        _where(reader, view),
        *([f"**{line}**"] if line else []),
        whose_turn(reader, view.position, views.names_in(view)),
        *views.link_line(reader, link),
    ]
    return posts.Post(
        content="\n".join(lines)[: posts.CONTENT_LIMIT],
        picture=views.view_picture(reader, view, "shown"),
        buttons=explore_of_shared(reader, view),
    )


def _where(reader: Reader, view: ReplayView) -> str:
    """Return a text about a line's starting point and moves."""
    cursor, course = view.cursor, view.sequence
    place = (
        reader.gettext("After {move}.").format(move=views.numbered(reader, course, cursor.ply))
        if cursor.ply > course.dealt
        else reader.gettext("The board at the start.")
    )
    if cursor.ply < course.plies:
        played = views.numbered(reader, course, cursor.ply + 1)
        place += " " + reader.gettext("Played: {move}.").format(move=played)
    return place


def _next(reader: Reader, view: ReplayView, chosen: Point | None) -> str:
    if chosen is not None:
        label = reader.coordinates_or(view.coordinates).label
        return reader.gettext("{stack} can go to:").format(stack=label(chosen))
    return whose_turn(reader, view.position, views.names_in(view))


def _thoughts(reader: Reader, view: ReplayView, thoughts: Sequence[Thought]) -> list[str]:
    lines = []
    for thought in thoughts[:_SHOWN_LINES]:
        moves = moves_text(reader, thought.moves[:_SHOWN_MOVES], view.coordinates)
        worth = _worth(reader, thought)
        lines.append(f"🔎 {moves}" + (f" · {worth}" if worth else ""))
    return lines


def _worth(reader: Reader, thought: Thought) -> str:
    match thought.margin:
        case None:
            if thought.white_wins is None:
                return ""
            percent = percent_text(reader, in_percent(thought.white_wins, exact=False))
            return reader.gettext("White's chances {percent}").format(percent=percent)
        case 0:
            return reader.gettext("a draw with best play")
        case margin:
            winner = Color.WHITE if margin > 0 else Color.BLACK
            sentence = reader.gettext("{player} wins by {margin} with best play")
            name = names_of_colors(reader).name(winner)
            return sentence.format(player=name, margin=abs(margin))


def _spaces(reader: Reader, study: Study, view: ReplayView) -> tuple[posts.Select, ...]:
    """Return the selects of free spaces in the placement phase."""
    if view.position.phase is not Phase.PLACEMENT:
        return ()
    return space_lists(
        reader,
        lambda number: study_id(study, f"space{number}"),
        view.position,
        view.coordinates,
        turned=study.turned or is_turned(reader, view.game),
    )


def _lines(reader: Reader, study: Study) -> tuple[posts.Select, ...]:
    """Return the select that leads to the end of each line, if there is more than one."""
    course, ends = study.sequence, study.lines()
    if len(ends) <= 1:
        return ()
    options = [posts.Option(reader.gettext("Start"), "0")]
    for number, path, node in [ends[0], *ends[1:][-_LISTED:]]:
        ply = common_prefix_length(course.moves, path)
        since = ply if ply < len(path) else ply - 1
        label = views.line_text(reader, course.cut(ply, path[ply:]), since)
        options.append(
            posts.Option(
                _short(label),
                str(number),
                _short(f"💬 {node.comment}") if node.comment else None,
                chosen=path == study.place,
            )
        )
    placeholder = reader.gettext("Your lines")
    return (posts.Select(study_id(study, "line"), placeholder, tuple(options)),)


def _short(text: str) -> str:
    return text if len(text) <= posts.OPTION_LIMIT else f"{text[: posts.OPTION_LIMIT - 1]}…"


def _study_buttons(
    reader: Reader, study: Study, view: ReplayView, options: ExploreOptions
) -> tuple[posts.Button, ...]:
    is_over, is_helped = view.position.phase is Phase.OVER, not view.is_running

    def button(label: str, action: str, *, disabled: bool = False) -> posts.Button:
        return posts.Button(label, study_id(study, action), disabled=disabled)

    ways = [
        *(
            [button(reader.gettext("Move"), "pick")]
            if view.position.phase is Phase.MOVEMENT
            else []
        ),
        button(reader.gettext("Undo"), "back", disabled=len(study.place) <= study.first),
        button(f"{reader.gettext('Next')} ▶", "next", disabled=study.current_node.next is None),
        button(reader.gettext("Type moves"), "type", disabled=is_over),
    ]
    if options.has_engine and is_helped:
        ask = button(reader.gettext("Ask the machine"), "ask", disabled=is_over)
        ways.append(replace(ask, style=posts.ButtonStyle.PRIMARY))
    if options.may_share and is_helped:
        ways.append(button(reader.gettext("Share"), "share"))
    ways.append(button(reader.gettext("Comment"), "say"))
    if study.can_cut:
        ways.append(button(reader.gettext("Delete"), "delete"))
    if study.game is None:
        ways.append(button(reader.gettext("Turn the board"), "flip"))
    ways += _keep(reader, view, study.player)
    for buttons in options.more:
        ways += buttons(reader, study)
    if is_helped and not is_over:
        ways.append(button(play_from_here(reader), "from"))
    ways.append(button(reader.gettext("Replay"), "replay"))
    if study.game is not None:
        ways.append(to_page(reader, study.game.row.id))
    return tuple(ways)


def _how_to_plan(reader: Reader, view: ReplayView, asker: UserId) -> list[str]:
    """Return the tip that a line can be planned, for a player of a running game."""
    game = view.game
    if game is None or not can_add_to_plan(view, asker) or tried_line_of(view, asker):
        return []
    return [reader.gettext("To plan ahead, try the next moves here. Then keep them as your plan.")]


def _keep(reader: Reader, view: ReplayView, asker: UserId) -> list[posts.Button]:
    """Return the button that adds the line to the plan, for a player of a running game."""
    line = tried_line_of(view, asker)
    if line is None or len(view.cursor.line) > LONGEST_LINE:
        return []
    words = reader.gettext("Keep this line")
    if line.moves:
        words = reader.gettext("Play {moves}, keep the rest").format(
            moves=moves_text(reader, line.moves, view.coordinates)
        )
    return [
        posts.Button(words, f"dvonn:plan-line:{view.cursor.with_line}", posts.ButtonStyle.SUCCESS)
    ]
