"""A review in words: a line under the last board, and pages that are turned privately."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import dvonn
from bot.base.formats import percent_text
from bot.base.ids import GameId, UserId
from bot.base.locales import Reader
from bot.connection import posts
from bot.features.explore.words import explore_id
from bot.features.reviews.model import NoReview, ReviewProblem, is_reviewable
from bot.features.reviews.words.moves import (
    chances,
    chart,
    percent,
    reviewed_move,
    word_of_reason,
)
from bot.features.reviews.words.overview import decided, overview, side_name
from bot.play.model.courses import Seen, Spot, course_of
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.use_cases.update import Update
from bot.play.words.begin_form import play_from_here, play_from_id
from bot.play.words.boards import MOST_BUTTONS, board
from bot.play.words.game_page import PageAsker
from bot.play.words.pictures import is_turned, picture, position_as_text, seats
from bot.play.words.replay import FILES
from bot.play.words.views import BoardPart, heat, numbered, replay_id
from renderer import Arrows, Heat, Marking

OVERVIEW: Final = 0
"""The page that comes first."""
_LOOKED_AT: Final = 3
"""So many moves have a button there, those that gave away most."""
_LISTED_FROM: Final = 2
"""With so many pages or more there is a list of them."""
_OPTIONS: Final = 25
"""The most lines that Discord shows in a list."""


@dataclass(frozen=True, slots=True)
class OverviewPart:
    """Buttons for a reader of a review's first page, which a feature above adds."""

    buttons: Callable[[Reader, Game, dvonn.Review, UserId], tuple[posts.Button, ...]]


def review_button_id(game: GameId, page: int = OVERVIEW, *, as_text: bool = False) -> str:
    return f"dvonn:review:{game}:{page}" + (":text" if as_text else "")


def review_of_page(reader: Reader, game: Game, _asker: PageAsker) -> tuple[posts.Button, ...]:
    if not is_reviewable(game):
        return ()
    return (_opens(reader, game),)


def _opens(reader: Reader, game: Game) -> posts.Button:
    return posts.Button(
        reader.gettext("Review"), review_button_id(game.row.id), posts.ButtonStyle.PRIMARY
    )


def web_page_of_replay(reader: Reader, seen: Seen, _may_share: bool) -> tuple[posts.Button, ...]:
    if not seen.course.plies:
        return ()
    return (posts.Button(reader.gettext("Web page"), replay_id(seen.spot, "page"), row=FILES),)


def try_again_of_page(reader: Reader, game: Game, asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the button of a game's page that shows the board before one's own mistake."""
    if not is_reviewable(game) or game.seat(asker.user) is None:
        return ()
    return (posts.Button(reader.gettext("Try again"), f"dvonn:explore:{game.row.id}:again"),)


def reviewed_board(
    reader: Reader, update: Update, review: dvonn.Review, parts: Iterable[BoardPart] = ()
) -> posts.Post:
    """Return a game's last board once more, with what its review says in one sentence."""
    post = board(reader, update, parts=parts)
    said = decided(reader, update.game, review)
    *ways, more = post.buttons
    return posts.Post(
        content=f"{post.content[: posts.CONTENT_LIMIT - len(said) - 1]}\n{said}",
        picture=post.picture,
        buttons=(_opens(reader, update.game), *ways[: MOST_BUTTONS - 1], more),
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
    review: dvonn.Review,
    page: int,
    thoughts: Sequence[Thought] = (),
    *,
    eyes: dvonn.Color | None = None,
    more: tuple[posts.Button, ...] = (),
) -> posts.Post:
    """Return a page: the overview, a marked move, or a placement that cost something.

    Args:
        reader: Who reads it.
        game: The game.
        review: Its review.
        page: Which; the last one where there are not so many.
        thoughts: What the engine says of the free points, where the page is about a placement.
        eyes: The colour that the reader played, if they did: their own moves come first.
        more: Buttons of features, for the overview.
    """
    page = min(page, _pages(review) - 1)
    filename = f"dvonn-review-{game.row.id}-{page}.png"
    order = _order(review, eyes)
    if page == OVERVIEW:
        return posts.Post(
            content=posts.fit(reader, overview(reader, game, review, eyes)),
            picture=chart(reader, filename, game, review) if review.plies else None,
            buttons=(*_dearest(reader, game, review, eyes), *more),
            selects=_list(reader, game, review, order),
        )
    position, marks = _shown(game, review, page, thoughts)
    word: tuple[posts.Button, ...] = ()
    if page > len(review.marked):
        lines = _placement(reader, game, review, page, has_heat=isinstance(marks, Heat))
    else:
        lines = reviewed_move(reader, game, review.marked[page - 1])
        word = word_of_reason(reader, game, review.marked[page - 1])
    if page in order:
        place = reader.gettext("{number} of {count}")
        lines.append(place.format(number=order.index(page) + 1, count=len(order)))
    coordinates = reader.naming(game.row.coordinates)
    board_before = picture(reader, filename, position, coordinates, marks=marks, seen_in=game)
    named = replace(board_before, seats=seats(game))
    buttons = (*_ways(reader, game, page, order, position.plies), *word)
    return posts.Post(content=posts.fit(reader, lines), picture=named, buttons=buttons)


def _order(review: dvonn.Review, eyes: dvonn.Color | None) -> list[int]:
    """Return the pages as they are turned: the reader's own first, of a placement one a colour."""
    pages = [(number, one.color) for number, one in enumerate(review.marked, start=1)]
    last, seen = len(pages), set[dvonn.Color]()
    for number, cost in enumerate(() if review.placement is None else review.placement.costs):
        if cost.color not in seen:
            pages.append((last + 1 + number, cost.color))
        seen.add(cost.color)
    if not seen and review.placement is not None:
        pages.append((last + 1, eyes or dvonn.Color.WHITE))
    return [number for number, _ in sorted(pages, key=lambda one: eyes not in (None, one[1]))]


def _dearest(
    reader: Reader, game: Game, review: dvonn.Review, eyes: dvonn.Color | None
) -> tuple[posts.Button, ...]:
    """Return the way to each of the moves that cost most: the reader's, if they played."""
    own = [
        (number, one)
        for number, one in enumerate(review.marked, start=1)
        if eyes in (None, one.color)
    ]
    dearest = sorted(sorted(own, key=lambda one: -one[1].loss)[:_LOOKED_AT])
    course = course_of(game)
    return tuple(
        posts.Button(
            numbered(reader, course, one.ply),
            review_button_id(game.row.id, number),
            posts.ButtonStyle.PRIMARY,
        )
        for number, one in dearest
    )


def _list(
    reader: Reader, game: Game, review: dvonn.Review, order: Sequence[int]
) -> tuple[posts.Select, ...]:
    """Return a list of all pages, where there are more than buttons."""
    if len(order) < _LISTED_FROM:
        return ()
    course, options = course_of(game), []
    for number in order[:_OPTIONS]:
        if number > len(review.marked):
            cost = _cost(review, number)
            label = reader.gettext("**Placement**").strip("*")
            color = None if cost is None else cost.color
            about = None if color is None else side_name(reader, color)
        else:
            one = review.marked[number - 1]
            label = numbered(reader, course, one.ply)
            before, after = chances(reader, one)
            about = f"{side_name(reader, one.color)}: {before} → {after}"
        options.append(posts.Option(label, str(number), about))
    placeholder = reader.gettext("All moves worth a look")
    return (posts.Select(f"dvonn:review:{game.row.id}:list", placeholder, tuple(options)),)


def review_as_text(
    reader: Reader, game: Game, review: dvonn.Review, page: int, thoughts: Sequence[Thought] = ()
) -> posts.Post:
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
    return posts.Post(content=words[: posts.CONTENT_LIMIT])


def placement_shown(review: dvonn.Review, page: int) -> int | None:
    """After how many plies a page shows the board, if it is about a placement that cost something.

    Of that board the page tells what each free point was worth.
    """
    cost = _cost(review, min(page, _pages(review) - 1))
    return None if cost is None else cost.ply - 1


def _pages(review: dvonn.Review) -> int:
    placement = review.placement
    return 1 + len(review.marked) + (0 if placement is None else max(len(placement.costs), 1))


def _cost(review: dvonn.Review, page: int) -> dvonn.PlacementCost | None:
    """Return the placement that a page is about, if it is about one."""
    costs = () if review.placement is None else review.placement.costs
    number = page - len(review.marked) - 1
    return costs[number] if 0 <= number < len(costs) else None


def _shown(
    game: Game, review: dvonn.Review, page: int, thoughts: Sequence[Thought]
) -> tuple[dvonn.Position, Marking | None]:
    """Return the board of a page, with its marks; nothing where no placement cost anything."""
    marked, cost, course = review.marked, _cost(review, page), course_of(game)
    if page <= len(marked):
        one = marked[page - 1]
        arrows = Arrows(played=one.played, better=next(iter(one.best), None))
        return course.cut(one.ply - 1).positions()[-1], arrows
    if cost is None:
        return course.cut(len(dvonn.POINTS)).positions()[-1], None
    position = course.cut(cost.ply - 1).positions()[-1]
    both = Arrows(played=dvonn.Move(target=cost.played), better=dvonn.Move(target=cost.better))
    return position, heat(position, thoughts) or both


def _ways(
    reader: Reader, game: Game, page: int, order: Sequence[int], ply: int
) -> tuple[posts.Button, ...]:
    """Return the buttons of a page, which shows the board after so many moves."""
    number = game.row.id
    here = order.index(page) if page in order else -1
    ways = []
    if here > 0:
        ways.append(posts.Button(reader.gettext("Back"), review_button_id(number, order[here - 1])))
    if here + 1 < len(order):
        onward = review_button_id(number, order[here + 1])
        ways.append(posts.Button(reader.gettext("Next"), onward, posts.ButtonStyle.PRIMARY))
    as_text = review_button_id(number, page, as_text=True)
    return (
        *ways,
        posts.Button(reader.gettext("Overview"), review_button_id(number)),
        posts.Button(reader.gettext("Explore"), explore_id(Spot(number, ply), "at")),
        posts.Button(play_from_here(reader), play_from_id(Spot(number, ply))),
        posts.Button(reader.gettext("Board as text"), as_text),
    )


# The placement


def _placement(
    reader: Reader, game: Game, review: dvonn.Review, page: int, *, has_heat: bool
) -> list[str]:
    """Return a verdict for each side, and one player's worst placements, the shown one bold."""
    placement, shown = review.placement, _cost(review, page)
    if placement is None:
        return []
    outcome = placement.outcome
    chances = reader.gettext("Chance to win with the board full: White {white}, Black {black}.")
    lines = [
        reader.gettext("**Placement**"),
        chances.format(
            white=percent(reader, outcome, dvonn.Color.WHITE),
            black=percent(reader, outcome, dvonn.Color.BLACK),
        ),
    ]
    if shown is None:
        return lines
    lines.append(reader.gettext("What cost most:"))
    told = {cost.better: cost for cost in reversed(placement.costs) if cost.color is shown.color}
    for cost in sorted((told | {shown.better: shown}).values(), key=lambda one: -one.loss):
        said = _cost_text(reader, game, cost)
        lines.append(f"- **{said}**" if cost is shown else f"- {said}")
    if has_heat:
        figures = reader.gettext(
            "The numbers show {player}'s chance to win from each space, in percent."
        )
        lines.append(figures.format(player=posts.user(game.player(shown.color))))
    return lines


def _cost_text(reader: Reader, game: Game, cost: dvonn.PlacementCost) -> str:
    name = reader.naming(game.row.coordinates).label
    return reader.gettext(
        "{number}. {played} by {player}: {better} was worth {points} more"
    ).format(
        number=cost.ply,
        played=name(cost.played),
        player=posts.user(game.player(cost.color)),
        better=name(cost.better),
        points=percent_text(reader, round(100 * cost.loss)),
    )
