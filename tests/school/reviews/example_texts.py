"""Examples of review texts."""

from dataclasses import replace

from bot.base.languages import Reader
from bot.connection.posts import Post, user
from bot.play.model.events import Resigned
from bot.play.words.names import Names
from bot.replay.model.replays import ReplayCursor, sequence_of, view_at
from bot.replay.words.game_page import PageAsker
from dvonn import Color, Coordinates, Motif, PlacementReview, Review, parse_moves
from school.exercises.words import reason_text
from school.explore.words.boards import ExploreOptions, explore
from school.reviews.model import NoReview, ReviewProblem, advised, without_help
from school.reviews.words.board_reviews import review_of_study, reviewed, summary
from school.reviews.words.moves import explained
from school.reviews.words.reviews import (
    OVERVIEW,
    _pages,
    review_as_text,
    review_page,
    reviewed_board,
    try_again_of_page,
)
from tests.bot.play.example_texts import COURSE, END, MOVES, REVIEWED, REVIEWS, WORTHS, ExampleTexts
from tests.bot.replayed import ANN, BOB, play, started, step
from tests.bot.reviewed import WHYS, missing_one_point, placed, proven, review_of, worth
from tests.games import random_game
from tests.school.explore.example_texts import of


def nth_page(review: Review, number: int) -> int:
    """Return the number of a review's n-th page, or its last. The overview is page 0."""
    pages = [OVERVIEW, *_pages(review)]
    return pages[min(number, len(pages) - 1)]


def looked_at(who: Reader) -> list[Post]:
    """Return private views of a game's board."""
    return [review_page(who, REVIEWED, REVIEWS[0], nth_page(REVIEWS[0], 1))]


EXPLAINED = [
    replace(
        review_of(REVIEWED, {ply: 0.3}).marked[0],
        best=tuple(parse_moves(best)),
        answer=tuple(parse_moves(answer)),
    )
    for ply, best, answer in ((57, "d1-b1 a1-b1", "c2-e2"), (60, "c2-e2 d1-b1", "d1-b1"))
]
EXPLAINED[1] = replace(EXPLAINED[1], motifs=(), missed=tuple(Motif))
EXPLAINED.append(replace(EXPLAINED[0], motifs=(), missed=()))
"""A move that lets the opponent capture, one that misses a safe capture, and one without a reason.
"""

PLACED = replace(REVIEWS[0], placement=placed())
CUT = step(play(started(), *map(str, random_game(22)[:69]))[0], Resigned(), ANN)[0]
"""A game that ends with a great cut."""


def boards(who: Reader) -> list[object]:
    """Return texts of a review in a study where one user played both sides."""
    course = sequence_of(REVIEWED)
    study = of(view_at(ReplayCursor(None, course.plies), course)).with_comment("*!*")
    marked = reviewed(who, study, REVIEWS[0])
    full = ExploreOptions(may_share=True, has_engine=True, more=(review_of_study,))
    over = of(view_at(ReplayCursor(None, COURSE.plies), COURSE))
    none = replace(REVIEWS[0], plies=())
    one = review_of(REVIEWED, {57: 0.3})
    posts = [explore(who, marked.at_place(path), full) for _, path, _ in marked.lines()]
    return [*posts, explore(who, over, full), *(summary(who, it) for it in (REVIEWS[0], one, none))]


def overviews(who: Reader) -> list[Post]:
    """Return first pages with praise, for players and others, and with decisive placements."""
    one = REVIEWS[0]
    only = replace(one, plies=tuple(replace(ply, gap=0.3) for ply in one.plies))
    posts = [review_page(who, REVIEWED, only, 0, eyes=eyes) for eyes in (None, *Color)]
    posts += [review_page(who, CUT, review_of(CUT, {}), 0, eyes=eyes) for eyes in (None, *Color)]
    posts += [review_page(who, REVIEWED, review, 0) for review in missed_again()]
    for chance in (0.1, 0.9):
        outcome = PlacementReview(outcome=worth(chance), costs=())
        review = replace(only, placement=outcome, plies=())
        posts += [review_page(who, REVIEWED, review, 0, eyes=eyes) for eyes in (None, *Color)]
    for chance in (0.05, 0.3, 0.5, 0.7, 0.95):
        outcome = PlacementReview(outcome=worth(chance), costs=())
        review = replace(one, placement=outcome)
        posts.append(review_page(who, REVIEWED, review, nth_page(review, 99)))
    for margin in (-3, 0, 3):
        proved = tuple(
            replace(ply, before=proven(margin), after=proven(margin)) for ply in one.plies
        )
        posts += [
            review_page(who, REVIEWED, replace(one, plies=proved), 0, eyes=eyes)
            for eyes in (None, *Color)
        ]
    asks = replace(who, reads_chances=True)
    posts.append(review_page(asks, REVIEWED, PLACED, nth_page(PLACED, 99)))
    posts.append(review_page(asks, REVIEWED, one, 0))
    posts.append(review_page(who, REVIEWED, without_help(one, advised(one)), 0))
    first = {52: 0.1, 53: 0.1, 54: 0.1}
    # reviews with nothing changed, one mark withdrawn, and all withdrawn
    for losses in (first, {52: 0.1, 53: 0.1}, {}):
        closer = review_of(REVIEWED, losses).compared_with(review_of(REVIEWED, first))
        posts.append(review_page(who, REVIEWED, closer, 0))
    return posts


def missed_again() -> list[Review]:
    """Return reviews with the same opportunity missed twice, by one player and by both."""
    return [
        missing_one_point(REVIEWED, review_of(REVIEWED, dict.fromkeys(plies, 0.1)), plies)[0]
        for plies in ((50, 52), (51, 52))
    ]


EXAMPLE_TEXTS: ExampleTexts = {
    "review_of_study": boards,
    "reviewed": boards,
    "summary": boards,
    "explained": lambda who: [
        explained(who, REVIEWED, item, Coordinates.STANDARD, eyes)
        for item in EXPLAINED
        for eyes in (None, *Color)
    ],
    "reason_text": lambda who: [
        reason_text(who, why, Names(user(ANN), user(BOB), you))
        for why in WHYS
        for you in (None, Color.WHITE)
    ],
    "review_as_text": lambda who: review_as_text(
        who, REVIEWED, REVIEWS[0], nth_page(REVIEWS[0], 1)
    ),
    "review_page": lambda who: (
        [
            review_page(who, REVIEWED, review, nth_page(review, number))
            for review in REVIEWS
            for number in range(8)
        ]
        + [
            review_page(who, REVIEWED, PLACED, nth_page(PLACED, 99), WORTHS, eyes=eyes)
            for eyes in (None, Color.WHITE)
        ]
        + overviews(who)
    ),
    "try_again_of_page": lambda who: [
        try_again_of_page(who, game, PageAsker(ANN, has_machine=True)) for game in (*MOVES, *END)
    ],
    "reviewed_board": lambda who: [
        reviewed_board(who, step(MOVES[-1], Resigned(), ANN)[1], review) for review in REVIEWS
    ],
}

REFUSED = [NoReview(problem) for problem in ReviewProblem]

FEWER: ExampleTexts = {
    "review_page": lambda who: (
        [
            review_page(who, REVIEWED, review, page)
            for review in REVIEWS[:4]
            for page in (OVERVIEW, *_pages(review))
        ]
        + [review_page(who, REVIEWED, PLACED, nth_page(PLACED, 99), WORTHS)]
        + overviews(who)
    ),
}
"""Each kind of page once: the other reviews differ from the fourth by a margin."""
