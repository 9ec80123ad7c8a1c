"""A review in words: a line under the last board, and pages that are turned privately."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.base.formats import percent_text
from bot.base.ids import GameId, UserId
from bot.base.locales import Reader
from bot.connection.posts import BUTTONS_IN_ROW, CONTENT_LIMIT, Button, ButtonStyle, Post, fit, user
from bot.features.explore.words import explore_id
from bot.features.reviews.model import NoReview, ReviewProblem, is_reviewable
from bot.features.reviews.words.moves import (
    chances,
    chart,
    in_short,
    percent,
    reviewed_move,
)
from bot.play.model.courses import Seen, Spot, course_of, first_ply
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.use_cases.update import Update
from bot.play.words.boards import board
from bot.play.words.game_page import PageAsker
from bot.play.words.pictures import is_turned, picture, position_as_text, seats
from bot.play.words.replay import FILES
from bot.play.words.views import BoardPart, heat, numbered, replay_id
from dvonn import (
    POINTS,
    Color,
    Move,
    PlacementCost,
    Position,
    Review,
)
from renderer import Arrows, Heat, Marking

OVERVIEW: Final = 0
"""The page that comes first."""
_LOOKED_AT: Final = 3
"""So many moves are named there, those that gave away most."""


@dataclass(frozen=True, slots=True)
class OverviewPart:
    """Buttons for a reader of a review's first page, which a feature above adds."""

    buttons: Callable[[Reader, Game, Review, UserId], tuple[Button, ...]]


def review_button_id(game: GameId, page: int = OVERVIEW, *, as_text: bool = False) -> str:
    return f"dvonn:review:{game}:{page}" + (":text" if as_text else "")


def review_of_page(reader: Reader, game: Game, _asker: PageAsker) -> tuple[Button, ...]:
    if not is_reviewable(game):
        return ()
    return (Button(reader.gettext("Review"), review_button_id(game.row.id), ButtonStyle.PRIMARY),)


def web_page_of_replay(reader: Reader, seen: Seen, _may_share: bool) -> tuple[Button, ...]:
    if not seen.course.plies:
        return ()
    return (Button(reader.gettext("Web page"), replay_id(seen.spot, "page"), row=FILES),)


def try_again_of_board(reader: Reader, game: Game) -> tuple[Button, ...]:
    """Return the button of the last board that shows the board before one's own mistake."""
    if game.is_running or game.row.vote is not None:  # a mistake of a team's is nobody's own
        return ()
    return (Button(reader.gettext("Try again"), f"dvonn:explore:{game.row.id}:again"),)


def reviewed_board(
    reader: Reader, update: Update, review: Review, parts: Iterable[BoardPart] = ()
) -> Post:
    """Return a game's last board once more, with what its review says in one sentence."""
    post = board(reader, update, parts=parts)
    said = _turning_point(reader, update.game, review)
    number = update.game.row.id
    opens = Button(reader.gettext("Review"), review_button_id(number), ButtonStyle.PRIMARY)
    buttons = (opens, *post.buttons)
    if len(buttons) > BUTTONS_IN_ROW:  # the game's page has a replay as well
        replay = replay_id(Spot(number, first_ply(update.game)))
        buttons = tuple(one for one in buttons if one.custom_id != replay)
    return Post(
        content=f"{post.content[: CONTENT_LIMIT - len(said) - 1]}\n{said}",
        picture=post.picture,
        buttons=buttons,
    )


def no_review(reader: Reader, error: NoReview) -> str:
    match error.problem:
        case ReviewProblem.RUNNING:
            return reader.gettext("This game is still running. Its review comes at the end.")
        case ReviewProblem.EMPTY:
            return reader.gettext("Nobody moved in this game, so there's nothing to review.")
        case ReviewProblem.NO_MACHINE:
            return reader.gettext("Reviews are switched off here.")
        case ReviewProblem.WAITING:
            return reader.gettext("I'm reviewing this game. Press Review again in a few seconds.")
        case ReviewProblem.FAILED:
            return reader.gettext("Sorry, I couldn't review this game.")


def review_page(
    reader: Reader,
    game: Game,
    review: Review,
    page: int,
    thoughts: Sequence[Thought] = (),
    *,
    more: tuple[Button, ...] = (),
) -> Post:
    """Return a page: the overview, then each marked move, then the worst placements.

    Args:
        reader: Who reads it.
        game: The game.
        review: Its review.
        page: Which; the last one where there are not so many.
        thoughts: What the engine says of the free points, where the page is about a placement.
        more: Buttons of features, for the overview.
    """
    marked = review.marked
    pages = _pages(review)
    page = min(page, pages - 1)
    filename = f"dvonn-review-{game.row.id}-{page}.png"
    if page == OVERVIEW:
        buttons = (*_ways(reader, game, page, pages, None), *more)
        shown = chart(reader, filename, game, review) if review.plies else None
        lines = _overview(reader, game, review)
        return Post(content=fit(reader, lines), picture=shown, buttons=buttons)
    position, marks = _shown(game, review, page, thoughts)
    buttons = _ways(reader, game, page, pages, position.plies)
    if page > len(marked):
        lines = _placement(reader, game, review, page, has_heat=isinstance(marks, Heat))
    else:
        place = reader.gettext("{number} of {count}").format(number=page, count=len(marked))
        lines = [*reviewed_move(reader, game, marked[page - 1]), place]
    coordinates = reader.naming(game.row.coordinates)
    board_before = picture(reader, filename, position, coordinates, marks=marks, seen_in=game)
    named = replace(board_before, seats=seats(game))
    return Post(content=fit(reader, lines), picture=named, buttons=buttons)


def review_as_text(
    reader: Reader, game: Game, review: Review, page: int, thoughts: Sequence[Thought] = ()
) -> Post:
    """Return the board of a page in words and as a diagram, for who cannot see the picture."""
    page = max(min(page, _pages(review) - 1), 1)
    position, marks = _shown(game, review, page, thoughts)
    words = position_as_text(
        reader,
        position,
        reader.naming(game.row.coordinates),
        marks=marks,
        turned=is_turned(reader, game),
    )
    return Post(content=words[:CONTENT_LIMIT])


def placement_shown(review: Review, page: int) -> int | None:
    """After how many plies a page shows the board, if it is about a placement that cost something.

    Of that board the page tells what each free point was worth.
    """
    cost = _cost(review, min(page, _pages(review) - 1))
    return None if cost is None else cost.ply - 1


def _pages(review: Review) -> int:
    placement = review.placement
    return 1 + len(review.marked) + (0 if placement is None else max(len(placement.costs), 1))


def _cost(review: Review, page: int) -> PlacementCost | None:
    """Return the placement that a page is about, if it is about one."""
    costs = () if review.placement is None else review.placement.costs
    number = page - len(review.marked) - 1
    return costs[number] if 0 <= number < len(costs) else None


def _shown(
    game: Game, review: Review, page: int, thoughts: Sequence[Thought]
) -> tuple[Position, Marking | None]:
    """Return the board of a page, with its marks; nothing where no placement cost anything."""
    marked, cost, course = review.marked, _cost(review, page), course_of(game)
    if page <= len(marked):
        one = marked[page - 1]
        arrows = Arrows(played=one.played, better=next(iter(one.best), None))
        return course.cut(one.ply - 1).positions()[-1], arrows
    if cost is None:
        return course.cut(len(POINTS)).positions()[-1], None
    position = course.cut(cost.ply - 1).positions()[-1]
    both = Arrows(played=Move(target=cost.played), better=Move(target=cost.better))
    return position, heat(position, thoughts) or both


def _ways(reader: Reader, game: Game, page: int, pages: int, ply: int | None) -> tuple[Button, ...]:
    """Return the buttons of a page, which shows the board after so many moves, if it does."""
    number = game.row.id
    ways = []
    if page > OVERVIEW + 1:
        ways.append(Button(reader.gettext("Back"), review_button_id(number, page - 1)))
    if page + 1 < pages:
        style = ButtonStyle.PRIMARY
        ways.append(Button(reader.gettext("Next"), review_button_id(number, page + 1), style))
    if ply is not None:
        ways.append(Button(reader.gettext("Overview"), review_button_id(number)))
        ways.append(Button(reader.gettext("Explore"), explore_id(Spot(number, ply), "at")))
        as_text = review_button_id(number, page, as_text=True)
        ways.append(Button(reader.gettext("Board as text"), as_text))
    return tuple(ways)


# The overview


def _overview(reader: Reader, game: Game, review: Review) -> list[str]:
    white, black = user(game.row.white), user(game.row.black)
    of_white, of_black = (_accuracy(reader, one) for one in review.accuracy)
    lines = [
        reader.gettext("**Review** of {white} (White) vs {black} (Black)").format(
            white=white, black=black
        ),
        reader.gettext("Accuracy: White {white}, Black {black}.").format(
            white=of_white, black=of_black
        ),
        *_exact_from(reader, game, review),
    ]
    if not review.marked:
        return [*lines, _turning_point(reader, game, review)]
    lines.append(reader.gettext("Worth a look:"))
    dearest = sorted(review.marked, key=lambda one: -one.loss)[:_LOOKED_AT]
    dearest.sort(key=lambda one: one.ply)
    return lines + [f"- {in_short(reader, game, one)}" for one in dearest]


def _accuracy(reader: Reader, accuracy: float | None) -> str:
    return (
        percent_text(reader, round(accuracy))
        if accuracy is not None
        else reader.gettext("no moves")
    )


def _turning_point(reader: Reader, game: Game, review: Review) -> str:
    """Return the move that decided most, and what it gave away, if one did."""
    found = review.turning_point
    if found is None:
        return reader.gettext("Well played! Nobody gave much away.")
    sentence = (
        reader.gettext("It turned on {move}: White's chances fell from {before} to {after}.")
        if found.color is Color.WHITE
        else reader.gettext("It turned on {move}: Black's chances fell from {before} to {after}.")
    )
    before, after = chances(reader, found)
    return sentence.format(
        move=numbered(reader, course_of(game), found.ply), before=before, after=after
    )


def _exact_from(reader: Reader, game: Game, review: Review) -> list[str]:
    """Return the point from which on it is known how the game ends."""
    first = next((one for one in review.plies if one.ply == review.exact_from), None)
    if first is None:
        return []
    margin = round(first.before.margin[0])
    if margin == 0:
        sentence = reader.gettext("From move {number}, it was a draw with best play.")
    elif margin > 0:
        sentence = reader.gettext("From move {number}, White could force a win.")
    else:
        sentence = reader.gettext("From move {number}, Black could force a win.")
    return [sentence.format(number=course_of(game).number(first.ply))]


# The placement


def _placement(
    reader: Reader, game: Game, review: Review, page: int, *, has_heat: bool
) -> list[str]:
    """Return a verdict for each side, with the worst placements; the picture's stands out."""
    placement, shown = review.placement, _cost(review, page)
    if placement is None:
        return []
    outcome = placement.outcome
    chances = reader.gettext("Chance to win with the board full: White {white}, Black {black}.")
    lines = [
        reader.gettext("**Placement**"),
        chances.format(
            white=percent(reader, outcome, Color.WHITE),
            black=percent(reader, outcome, Color.BLACK),
        ),
    ]
    if shown is None:
        return lines
    lines.append(reader.gettext("What cost most:"))
    for cost in placement.costs:
        said = _cost_text(reader, game, cost)
        lines.append(f"- **{said}**" if cost is shown else f"- {said}")
    if has_heat:
        figures = reader.gettext(
            "The numbers show {player}'s chance to win from each space, in percent."
        )
        lines.append(figures.format(player=user(game.player(shown.color))))
    return lines


def _cost_text(reader: Reader, game: Game, cost: PlacementCost) -> str:
    name = reader.naming(game.row.coordinates).label
    return reader.gettext(
        "{number}. {played} by {player}: {better} was worth {points} more"
    ).format(
        number=cost.ply,
        played=name(cost.played),
        player=user(game.player(cost.color)),
        better=name(cost.better),
        points=percent_text(reader, round(100 * cost.loss)),
    )
