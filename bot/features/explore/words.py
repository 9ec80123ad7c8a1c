"""A private board on which moves are tried, taken back, and looked at by the engine."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.base.formats import percent_text
from bot.base.ids import UserId
from bot.base.locales import Reader
from bot.connection import posts
from bot.features.explore.model import HintProblem, NoHint
from bot.features.plans.model import line_tried, may_keep
from bot.play.model.courses import LONGEST_LINE, Seen, Spot, course_of
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.words import views
from bot.play.words.begin_form import play_from
from bot.play.words.game_page import PageAsker
from bot.play.words.picker import landing_buttons, space_lists, stack_list
from bot.play.words.pictures import is_turned, picture
from bot.play.words.replay import VIEWS
from dvonn import Phase, Point, format_move
from dvonn.review import in_percent
from renderer import Arrows, Marks

_SHOWN_LINES = 3
"""So many lines of the engine's are told; the picture has all free points."""
_SHOWN_MOVES = 6
"""So much of each line of the engine's is shown."""


def explore_id(spot: Spot, action: str) -> str:
    return f"dvonn:explore:{spot.with_line}:{action}"


def show_form(reader: Reader) -> posts.FormWords:
    return posts.FormWords(
        reader.gettext("Show a game or a position"),
        reader.gettext("Paste it here"),
        reader.gettext("A record, a list of moves, or a position"),
    )


@dataclass(frozen=True, slots=True)
class Around:
    """The other things that are possible while exploring."""

    may_share: bool
    has_engine: bool
    asker: UserId | None = None
    """The person who explores, where they may play in the game."""


def explore(
    reader: Reader,
    seen: Seen,
    around: Around,
    *,
    chosen: Point | None = None,
    thoughts: Sequence[Thought] = (),
    again: bool = False,
) -> posts.Post:
    """Return a board to try moves on."""
    lines = [*views.players(seen), *views.own_text(seen), _where(reader, seen)]
    if again:
        lines.append(reader.gettext("Can you find something better?"))
    if seen.spot.line:
        tried = views.line_text(reader, seen.path, seen.spot.ply)
        lines.append(reader.gettext("You tried: **{moves}**").format(moves=tried))
    lines += _thoughts(reader, seen, thoughts)
    lines.append(_next(reader, seen, chosen))
    if chosen is None:
        lines += _how_to_plan(reader, seen, around.asker)
    marks = (
        views.heat(seen.position, thoughts) if chosen is None else Marks.of(seen.position, chosen)
    )
    return posts.Post(
        content="\n".join(lines)[: posts.CONTENT_LIMIT],
        picture=views.seen_picture(reader, seen, "explore", marks),
        selects=_choices(reader, seen, chosen),
        buttons=(
            _ways(reader, seen, around)
            if chosen is None
            else landing_buttons(
                reader,
                seen.position,
                chosen,
                seen.coordinates,
                go=lambda move: explore_id(seen.spot.then(move), "at"),
                back=explore_id(seen.spot, "at"),
            )
        ),
    )


def explore_of_page(reader: Reader, game: Game, _asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the button on a game's page, once there is a board."""
    return (posts.Button(reader.gettext("Explore"), on_board(game)),)


def explore_of_replay(reader: Reader, seen: Seen, _may_share: bool) -> tuple[posts.Button, ...]:
    """Return the button below a ply that is looked at."""
    return (
        posts.Button(reader.gettext("Explore from here"), explore_id(seen.spot, "at"), row=VIEWS),
    )


def explore_of_shared(reader: Reader, seen: Seen) -> tuple[posts.Button, ...]:
    """Return the way for others to go on by themselves from what is shared."""
    return (posts.Button(reader.gettext("Explore"), explore_id(seen.spot, "at")),)


def hint_of_board(reader: Reader, game: Game) -> tuple[posts.Button, ...]:
    """Return the button for a hint, where the player to move may ask for one."""
    if not game.gives_hints or game.to_move is None:
        return ()
    return (posts.Button(reader.gettext("Hint"), f"dvonn:hint:{game.row.id}"),)


def hint_of_page(reader: Reader, game: Game, asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the button on a game's page for a hint, or with which a player suggests hints."""
    if not asker.has_machine or not game.is_running:
        return ()
    if game.gives_hints:
        return hint_of_board(reader, game) if game.to_move == asker.user else ()
    if game.row.rated or game.seat(asker.user) is None:
        return ()
    return (posts.Button(reader.gettext("Suggest hints"), f"dvonn:hints:{game.row.id}"),)


def on_board(game: Game) -> str:
    """Return the id of the button that shows a game's newest board, to try moves on it."""
    return explore_id(Spot(game.row.id, course_of(game).plies), "at")


def explore_form(reader: Reader, seen: Seen) -> posts.FormWords:
    example = views.moves_text(reader, seen.position.legal_moves()[:1], seen.coordinates)
    return posts.FormWords(
        reader.gettext("Try moves"),
        reader.gettext("One move or several"),
        reader.gettext("e.g. {example}").format(example=example),
    )


def shared_line(reader: Reader, seen: Seen, by: UserId, *, link: str = "") -> posts.Post:
    tried = views.line_text(reader, seen.path, seen.spot.ply)
    lines = [
        reader.gettext("{player} tried this:").format(player=posts.user(by)),
        *views.players(seen),
        *views.shared_text(seen),
        _where(reader, seen),
        *([f"**{tried}**"] if tried else []),
        views.whose_turn(reader, seen.position),
        *views.link_line(reader, link),
    ]
    return posts.Post(
        content="\n".join(lines)[: posts.CONTENT_LIMIT],
        picture=views.seen_picture(reader, seen, "shown"),
        buttons=explore_of_shared(reader, seen),
    )


def no_hint(reader: Reader, error: NoHint) -> str:
    match error.problem:
        case HintProblem.NO_MACHINE:
            return reader.gettext("The engine is switched off here.")
        case HintProblem.OVER:
            return reader.gettext("Nobody can move any more, so there's nothing to find.")
        case HintProblem.TEAM:
            return reader.gettext("In a team game you find the moves together, without my hints.")
        case HintProblem.RATED:
            return reader.gettext("No hints in rated games.")
        case HintProblem.NOT_AGREED:
            return reader.gettext(
                "I only give hints if you both agree. Ask with *Suggest hints* on the game's "
                "page: /games."
            )


def hinted(reader: Reader, game: Game, thoughts: Sequence[Thought]) -> posts.Post:
    """Return a hint for the player to move; while pieces are placed, a coach for all spaces.

    Args:
        reader: Whom it is for.
        game: As it stands.
        thoughts: What the engine says of it, the best first; at least one.
    """
    position, coordinates = game.position, reader.naming(game.row.coordinates)
    best = thoughts[0].moves[0]
    chances = views.heat(position, thoughts)
    sentence = (
        reader.gettext("I'd play **{move}**.")
        if chances is None
        else reader.gettext(
            "I'd place on **{move}**. The numbers are your chances from each space, in percent."
        )
    )
    return posts.Post(
        content=sentence.format(move=format_move(best, coordinates)),
        picture=picture(
            reader,
            f"hint-{game.row.id}.png",
            position,
            coordinates,
            marks=chances or Arrows(better=best),
            game=game,
        ),
    )


def _where(reader: Reader, seen: Seen) -> str:
    """Return the start of the tried line, and what was played there."""
    spot, course = seen.spot, seen.course
    where = (
        reader.gettext("After {move}.").format(move=views.numbered(reader, course, spot.ply))
        if spot.ply > course.dealt
        else reader.gettext("From the start.")
    )
    if spot.ply < course.plies:
        played = views.numbered(reader, course, spot.ply + 1)
        where += " " + reader.gettext("Played here: {move}.").format(move=played)
    return where


def _next(reader: Reader, seen: Seen, chosen: Point | None) -> str:
    if chosen is not None:
        label = reader.naming(seen.coordinates).label
        return reader.gettext("{stack} can go to:").format(stack=label(chosen))
    return views.whose_turn(reader, seen.position)


def _thoughts(reader: Reader, seen: Seen, thoughts: Sequence[Thought]) -> list[str]:
    lines = []
    for thought in thoughts[:_SHOWN_LINES]:
        moves = views.moves_text(reader, thought.moves[:_SHOWN_MOVES], seen.coordinates)
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
        case margin if margin > 0:
            return reader.gettext("White wins by {margin} with best play").format(margin=margin)
        case margin:
            return reader.gettext("Black wins by {margin} with best play").format(margin=-margin)


def _choices(reader: Reader, seen: Seen, chosen: Point | None) -> tuple[posts.Select, ...]:
    """Lists to choose from what can be played: free spaces, or stacks that can move."""
    if len(seen.spot.line) >= LONGEST_LINE:
        return ()
    match seen.position.phase:
        case Phase.OVER:
            return ()
        case Phase.PLACEMENT:
            return space_lists(
                reader,
                lambda number: explore_id(seen.spot, f"space{number}"),
                seen.position,
                seen.coordinates,
                turned=is_turned(reader, seen.game),
            )
        case Phase.MOVEMENT:
            where = explore_id(seen.spot, "stack")
            return (stack_list(reader, where, seen.position, seen.coordinates, chosen),)


def _ways(reader: Reader, seen: Seen, around: Around) -> tuple[posts.Button, ...]:
    spot = seen.spot
    at_start = not spot.line and spot.ply == seen.course.dealt
    is_over = seen.position.phase is Phase.OVER
    ways = [
        posts.Button(reader.gettext("Take back"), explore_id(spot.back(), "at"), disabled=at_start),
        posts.Button(
            reader.gettext("Type moves"),
            explore_id(spot, "type"),
            disabled=is_over or len(spot.line) >= LONGEST_LINE,
        ),
    ]
    if around.has_engine and not seen.is_running:
        ask = posts.Button(
            reader.gettext("Ask the engine"),
            explore_id(spot, "ask"),
            posts.ButtonStyle.PRIMARY,
            disabled=is_over,
        )
        ways.append(ask)
    if around.may_share and not seen.is_running:
        ways.append(posts.Button(reader.gettext("Share"), explore_id(spot, "share")))
    ways += _keep(reader, seen, around.asker)
    ways += play_from(reader, seen)
    ways.append(posts.Button(reader.gettext("Replay"), views.replay_id(spot)))
    if spot.game is not None:
        ways.append(views.to_page(reader, spot.game))
    return tuple(ways)


def _how_to_plan(reader: Reader, seen: Seen, asker: UserId | None) -> list[str]:
    """Tell a player of a game that goes on how a line is made that can be kept."""
    game = seen.game
    if game is None or asker is None or not may_keep(seen, asker) or line_tried(seen, asker):
        return []
    sentence = (
        reader.gettext(
            "To plan ahead, try your move, {opponent}'s answer, and yours. Then keep it as your "
            "plan."
        )
        if game.to_move == asker
        else reader.gettext(
            "To plan ahead, try {opponent}'s move and your answer. Then keep it as your plan."
        )
    )
    return [sentence.format(opponent=posts.user(game.opponent(asker)))]


def _keep(reader: Reader, seen: Seen, asker: UserId | None) -> list[posts.Button]:
    """Return the way to keep what is tried, for a player of the game that goes on."""
    tried = None if asker is None else line_tried(seen, asker)
    if tried is None:
        return []
    words = reader.gettext("Keep this line")
    if tried.now:
        words = reader.gettext("Play {moves}, keep the rest").format(
            moves=views.moves_text(reader, tried.now, seen.coordinates)
        )
    return [
        posts.Button(words, f"dvonn:plan-line:{seen.spot.with_line}", posts.ButtonStyle.SUCCESS)
    ]
