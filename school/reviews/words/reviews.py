"""Reviews as text: a line below the last board, and private pages."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

import dvonn
from bot.base.formats import and_list, percent_text
from bot.base.ids import GameId, UserId
from bot.base.languages import Reader
from bot.connection import posts
from bot.play.extension_points import ExtensionPoint
from bot.play.game_changes import GameUpdate
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.words.boards import board
from bot.play.words.names import seat_name
from bot.play.words.pictures import caption_aloud, is_turned, only_person, picture, position_as_text
from bot.play.words.views import BoardPart, heat
from bot.replay.model.replays import ReplayCursor, ReplayView, sequence_of
from bot.replay.words.game_page import FILES, PageAsker
from bot.replay.words.play_from import play_from_buttons, play_from_id
from bot.replay.words.views import numbered, replay_id
from dvonn.reviews.review import Moment
from renderer import Arrows, Heat, Marking
from school.explore.words.boards import explore_id
from school.reviews.model import NoReview, ReviewProblem, is_reviewable
from school.reviews.words.moves import (
    captions_of,
    chance_text,
    chart,
    explained,
    in_short,
    motif_of,
    reviewed_move,
    scene_of_reason,
    word_of_reason,
)
from school.reviews.words.overview import decided, footnotes, overview, side_name

OVERVIEW: Final = 0
"""Number of the first page."""
_PLIES: Final = 100
"""Offset from a ply's number to its page number."""
_MOST_MOMENTS: Final = 3
"""Maximum number of moves on the first page, which shows the costliest ones."""
_ALIKE: Final = 2
"""Maximum number of reasons of one kind on the first page."""
_MOST_OTHERS: Final = 25
"""Maximum number of pages in the select (Discord's limit)."""


OVERVIEW_BUTTONS: Final = ExtensionPoint[
    Callable[[Reader, Game, dvonn.Review, UserId], tuple[posts.Button, ...]]
]()
"""Functions that return buttons for a review's first page, for a given reader."""


def review_button_id(game: GameId, page: int = OVERVIEW, *, as_text: bool = False) -> str:
    return f"dvonn:review:{game}:{page}" + (":text" if as_text else "")


def review_of_page(reader: Reader, game: Game, _asker: PageAsker) -> tuple[posts.Button, ...]:
    if not is_reviewable(game):
        return ()
    return (_opens(reader, game),)


def review_of_board(reader: Reader, game: Game) -> tuple[posts.Button, ...]:
    """Return the button for a review below the last board of a game against the machine.

    Below other boards, the button is added once there is a review.
    """
    if game.is_running or not game.row.is_solo:
        return ()
    return (replace(_opens(reader, game), disabled=not is_reviewable(game)),)


def _opens(reader: Reader, game: Game) -> posts.Button:
    return posts.Button(
        reader.gettext("Review"), review_button_id(game.row.id), posts.ButtonStyle.PRIMARY
    )


def web_page_of_replay(
    reader: Reader, view: ReplayView, _may_share: bool
) -> tuple[posts.Button, ...]:
    if not view.sequence.plies:
        return ()
    return (posts.Button(reader.gettext("Web page"), replay_id(view.cursor, "page"), row=FILES),)


def try_again_of_page(reader: Reader, game: Game, asker: PageAsker) -> tuple[posts.Button, ...]:
    """Return the button on a game's page that opens the board before the reader's mistake."""
    if not is_reviewable(game) or game.seat(asker.user) is None:
        return ()
    return (posts.Button(reader.gettext("Try again"), f"dvonn:explore:{game.row.id}:again"),)


def reviewed_board(
    reader: Reader, update: GameUpdate, review: dvonn.Review, parts: Iterable[BoardPart] = ()
) -> posts.Post:
    """Return a game's last board with the key sentence of its review.

    If the board already explains the result, the sentence replaces that, but only if it names the
    move on which the game turned.
    """
    game, sentence = update.game, ""
    winner = None if game.outcome is None else game.outcome.winner
    is_explained = any(item.explains_result for item in update.additions)
    if review.turning_point(winner) is not None or not is_explained:
        additions = tuple(item for item in update.additions if not item.explains_result)
        update = replace(update, additions=additions)
        sentence = decided(reader, game, review, only_person(game))
    post, opens = board(reader, update, parts=parts), _opens(reader, game)
    return posts.Post(
        content=f"{post.content[: posts.CONTENT_LIMIT - len(sentence) - 1]}\n{sentence}".rstrip(),
        picture=post.picture,
        buttons=post.buttons if opens in post.buttons else (*post.buttons, opens),
    )


def no_review(reader: Reader, error: NoReview) -> str:
    match error.problem:
        case ReviewProblem.RUNNING:
            return reader.gettext("This game is still on, so I'll keep quiet until it's over.")
        case ReviewProblem.EMPTY:
            return reader.gettext("Nobody moved in this game, so there's nothing to review.")
        case ReviewProblem.NO_MACHINE:
            return reader.gettext("Reviews are switched off here.")
        case ReviewProblem.WAITING:
            return reader.gettext("I'm still looking at this game. The review will appear here.")
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
    buttons_below: tuple[posts.Button, ...] = (),
) -> posts.Post:
    """Return a page of a review: the overview, a marked move, or a costly placement.

    Args:
        reader: The person who reads the page.
        game: The game.
        review: The review of the game.
        page: Number of the page. An unknown number gives the overview.
        thoughts: The engine's evaluation of the free points, if the page is about a placement.
        eyes: The color that the reader played, if any. Their own moves come first.
        buttons_below: Buttons that features add to the overview.
    """
    page = _found(review, page)
    filename = f"dvonn-review-{game.row.id}-{page}.png"
    order = _order(review, eyes)
    if page == OVERVIEW:
        costliest = _costliest(review, eyes)
        told_of = {page_of(marked.ply) for moment in costliest for marked in moment.plies}
        other_plies = [ply for ply in order if ply not in told_of and _is_notable(review, ply)]
        other_plies = other_plies[:_MOST_OTHERS]
        notes = footnotes(reader, game, review, eyes)
        return posts.Post(
            content=posts.join_within_limit(reader, overview(reader, game, review, eyes)),
            picture=chart(reader, filename, game, review, eyes) if review.plies else None,
            sections=_sections(reader, game, costliest, eyes),
            footnote="\n".join(notes),
            selects=_others(reader, game, review, other_plies, eyes),
            buttons=buttons_below,
        )
    position, marks = _page_board(game, review, page, thoughts)
    word: tuple[posts.Button, ...] = ()
    marked_ply, second, captions = _marked(review, page), None, None
    if marked_ply is None:
        lines = _placement(reader, game, review, page, eyes, has_heat=isinstance(marks, Heat))
    else:
        lines = reviewed_move(reader, game, marked_ply, eyes)
        word = word_of_reason(reader, game, marked_ply)
        name = f"dvonn-review-{game.row.id}-{page}-why.png"
        second = scene_of_reason(reader, name, game, marked_ply, eyes)
        captions = None if second is None else captions_of(reader, game, marked_ply)
    if page in order:
        place = reader.gettext("{number} of {count}")
        lines.append(place.format(number=order.index(page) + 1, count=len(order)))
    coordinates = reader.coordinates_or(game.row.coordinates)
    board_before = picture(
        reader, filename, position, coordinates, marks=marks, seen_in=game, you=eyes
    )
    return posts.Post(
        content=posts.join_within_limit(reader, lines),
        picture=board_before,
        second_picture=second,
        captions=captions,
        buttons=(*_navigation_buttons(reader, game, page, order, position.plies), *word),
    )


def page_of(ply: int) -> int:
    """Return the number of the page about a ply.

    The number doesn't depend on other marks, because a closer look may change them.
    """
    return _PLIES + ply


def _marked(review: dvonn.Review, page: int) -> dvonn.PlyReview | None:
    """Return the marked move that a page is about, or None."""
    return next((ply for ply in review.marked if page_of(ply.ply) == page), None)


def _pages(review: dvonn.Review) -> list[int]:
    """Return all pages except the overview: marked moves, then placements, or the full board."""
    plies = [ply.ply for ply in review.marked]
    if review.placement is not None:
        plies += [cost.ply for cost in review.placement.costs] or [len(dvonn.POINTS)]
    return [page_of(ply) for ply in plies]


def _found(review: dvonn.Review, page: int) -> int:
    """Return the number of a page, or of the overview if there is no such page."""
    return page if page in _pages(review) else OVERVIEW


def _order(review: dvonn.Review, eyes: dvonn.Color | None) -> list[int]:
    """Return the pages in order, the reader's own first, with one placement page per color."""
    pages = [(page_of(ply.ply), ply.color) for ply in review.marked]
    colors = set[dvonn.Color]()
    for cost in () if review.placement is None else review.placement.costs:
        if cost.color not in colors:
            pages.append((page_of(cost.ply), cost.color))
        colors.add(cost.color)
    if not colors and review.placement is not None:
        pages.append((page_of(len(dvonn.POINTS)), eyes or dvonn.Color.WHITE))
    return [number for number, _ in sorted(pages, key=lambda page: eyes not in (None, page[1]))]


def _is_notable(review: dvonn.Review, page: int) -> bool:
    """Return True if a page has a button on the first page. Pages about inaccuracies don't."""
    marked = _marked(review, page)
    return marked is None or marked.grade is not dvonn.Grade.INACCURACY


def _costliest(review: dvonn.Review, eyes: dvonn.Color | None) -> list[Moment]:
    """Return the costliest moments in the order of the moves that the page shows.

    If the reader played, return only theirs.
    """
    candidates = [(moment, ply) for moment in review.moments if (ply := _worst(moment, eyes))]
    costliest = sorted(candidates, key=lambda entry: -entry[1].loss)[:_MOST_MOMENTS]
    return [moment for moment, _ in sorted(costliest, key=lambda entry: entry[1].ply)]


def _worst(moment: Moment, eyes: dvonn.Color | None) -> dvonn.PlyReview | None:
    """Return the costliest ply of a moment. If the reader played, only of theirs."""
    own_plies = (ply for ply in moment.plies if eyes in (None, ply.color))
    return max(own_plies, key=lambda ply: ply.loss, default=None)


def _sections(
    reader: Reader,
    game: Game,
    moments: Sequence[Moment],
    eyes: dvonn.Color | None,
) -> tuple[posts.Section, ...]:
    """Return each moment's costliest move, the reason, and the button to its page."""
    motifs, sections = Counter[dvonn.Motif | None](), list[posts.Section]()
    for moment in moments:
        ply = _worst(moment, eyes)
        if ply is None:
            continue
        often = frozenset(motif for motif, times in motifs.items() if motif and times >= _ALIKE)
        motifs[motif_of(game, ply)] += 1
        sentences = explained(reader, game, ply, game.row.coordinates, eyes, without=often)
        lines = [in_short(reader, game, ply, eyes), " ".join(sentences)]
        lines += _missed_often(reader, game, moment)
        button = posts.Button(
            reader.gettext("Look"),
            review_button_id(game.row.id, page_of(ply.ply)),
            posts.ButtonStyle.PRIMARY,
        )
        sections.append(posts.Section("\n".join(filter(None, lines)), button))
    return tuple(sections)


def _missed_often(reader: Reader, game: Game, moment: Moment) -> list[str]:
    """Return the note that an opportunity was missed several times, if it was."""
    first, *later = moment.plies
    if not later:
        return []
    sentence = (
        reader.gettext("From move {first} to {last} the better move used {spaces}. Both missed it.")
        if moment.is_of_both
        else reader.gettext("From move {first} to {last} the better move used {spaces} each time.")
    )
    course, label = sequence_of(game), reader.coordinates_or(game.row.coordinates).label
    text = sentence.format(
        first=course.number(first.ply),
        last=course.number(later[-1].ply),
        spaces=and_list(reader, sorted(map(label, moment.points))),
    )
    return [text]


def _others(
    reader: Reader,
    game: Game,
    review: dvonn.Review,
    pages: Sequence[int],
    eyes: dvonn.Color | None,
) -> tuple[posts.Select, ...]:
    """Return the select of all other pages, if there are any."""
    if not pages:
        return ()
    sentence = reader.ngettext(
        "{count} more move worth a look", "{count} more moves worth a look", len(pages)
    )
    placeholder = sentence.format(count=len(pages))
    options = tuple(_option(reader, game, review, page, eyes) for page in pages)
    return (posts.Select(f"dvonn:review:{game.row.id}:list", placeholder, options),)


def _option(
    reader: Reader, game: Game, review: dvonn.Review, page: int, eyes: dvonn.Color | None
) -> posts.Option:
    marked = _marked(review, page)
    placement = reader.gettext("**Placement**").strip("*")
    label = placement if marked is None else numbered(reader, sequence_of(game), marked.ply)
    subject = marked or _placement_cost(review, page)
    if subject is None:
        return posts.Option(label, str(page))
    owner = (
        reader.pgettext("move", "yours")
        if subject.color is eyes
        else side_name(reader, subject.color)
        if eyes is None
        else reader.pgettext("move", "your opponent's")
    )
    return posts.Option(f"{label} · {owner}", str(page))


def review_as_text(
    reader: Reader,
    game: Game,
    review: dvonn.Review,
    page: int,
    thoughts: Sequence[Thought] = (),
    reads: UserId | None = None,
) -> posts.Post:
    """Return a page's board as text and as a diagram, for people who can't see the picture."""
    position, marks = _page_board(game, review, _found(review, page), thoughts)
    caption = replace(caption_aloud(game, reads), ending=None, winner=None)
    words = position_as_text(
        reader,
        position,
        reader.coordinates_or(game.row.coordinates),
        marks=marks,
        caption=caption,
        turned=is_turned(reader, game),
    )
    return posts.Post(content=words[: posts.CONTENT_LIMIT])


def placement_shown(review: dvonn.Review, page: int) -> int | None:
    """Return the number of plies before a page's board if it is about a placement, or None.

    Such a page also shows the value of each free point.
    """
    cost = _placement_cost(review, _found(review, page))
    return None if cost is None else cost.ply - 1


def _placement_cost(review: dvonn.Review, page: int) -> dvonn.PlacementCost | None:
    """Return the cost of the placement that a page is about, or None."""
    costs = () if review.placement is None else review.placement.costs
    return next((cost for cost in costs if page_of(cost.ply) == page), None)


def _page_board(
    game: Game, review: dvonn.Review, page: int, thoughts: Sequence[Thought]
) -> tuple[dvonn.Position, Marking | None]:
    """Return a page's board, with marks if the page has a costly move."""
    marked, cost, course = _marked(review, page), _placement_cost(review, page), sequence_of(game)
    if marked is not None:
        arrows = Arrows(played=marked.played, better=next(iter(marked.best), None))
        return course.cut(marked.ply - 1).positions()[-1], arrows
    if cost is None:
        return course.cut(len(dvonn.POINTS)).positions()[-1], None
    position = course.cut(cost.ply - 1).positions()[-1]
    played, better = dvonn.Move(target=cost.played), dvonn.Move(target=cost.better)
    return position, heat(position, thoughts) or Arrows(played=played, better=better)


def _navigation_buttons(
    reader: Reader, game: Game, page: int, order: Sequence[int], ply: int
) -> tuple[posts.Button, ...]:
    """Return the buttons of a page that shows the board after `ply` plies."""
    number, cursor = game.row.id, ReplayCursor(game.row.id, ply)
    at = order.index(page) if page in order else -1
    ways = []
    if at > 0:
        ways.append(posts.Button(reader.gettext("Back"), review_button_id(number, order[at - 1])))
    if at + 1 < len(order):
        onward = review_button_id(number, order[at + 1])
        ways.append(posts.Button(reader.gettext("Next"), onward, posts.ButtonStyle.PRIMARY))
    as_text = review_button_id(number, page, as_text=True)
    return (
        *ways,
        posts.Button(reader.gettext("Overview"), review_button_id(number)),
        posts.Button(reader.gettext("Explore"), explore_id(cursor)),
        *play_from_buttons(reader, play_from_id(cursor), play_from_id(cursor, with_form=True)),
        *(
            [posts.Button(reader.gettext("Board as text"), as_text)]
            if reader.uses_screen_reader
            else ()
        ),
    )


# Placements


def _placement(
    reader: Reader,
    game: Game,
    review: dvonn.Review,
    page: int,
    eyes: dvonn.Color | None,
    *,
    has_heat: bool,
) -> list[str]:
    """Return a verdict on each side, and a player's worst placements. The current one is bold."""
    placement, costliest = review.placement, _placement_cost(review, page)
    if placement is None:
        return []
    outcome = placement.outcome
    sentence = reader.gettext("Once the board was full: {player} {chance}, {other} {other_chance}.")
    lines = [
        reader.gettext("**Placement**"),
        sentence.format(
            player=seat_name(game, dvonn.Color.WHITE),
            chance=chance_text(reader, outcome, dvonn.Color.WHITE),
            other=seat_name(game, dvonn.Color.BLACK),
            other_chance=chance_text(reader, outcome, dvonn.Color.BLACK),
        ),
    ]
    if costliest is None:
        return lines
    lines.append(
        reader.gettext("What cost you most:")
        if eyes is costliest.color
        else reader.gettext("What cost {player} most:").format(
            player=seat_name(game, costliest.color)
        )
    )
    costs = {
        cost.better: cost for cost in reversed(placement.costs) if cost.color is costliest.color
    }
    for cost in sorted(
        (costs | {costliest.better: costliest}).values(), key=lambda cost: -cost.loss
    ):
        text = _cost_text(reader, game, cost)
        lines.append(f"- **{text}**" if cost is costliest else f"- {text}")
    if has_heat:
        lines.append(
            reader.gettext("The numbers show the chance to win from each space, in percent.")
        )
    return lines


def _cost_text(reader: Reader, game: Game, cost: dvonn.PlacementCost) -> str:
    name = reader.coordinates_or(game.row.coordinates).label
    sentence = (
        reader.gettext("{number}. {played}: {better} gave {points} more")
        if reader.reads_chances
        else reader.gettext("{number}. {played}: {better} was better")
    )
    return sentence.format(
        number=cost.ply,
        played=name(cost.played),
        better=name(cost.better),
        points=percent_text(reader, round(100 * cost.loss)),
    )
