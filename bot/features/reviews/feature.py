"""What the feature adds to the game."""

from bot.features.reviews.doors import ReviewButton, TryAgainButton, WebPageButton, review_game
from bot.features.reviews.hook import ReviewHook
from bot.features.reviews.use_cases import Reviews
from bot.features.reviews.words.reviews import review_of_page, web_page_of_replay
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (
        Reviews(
            cases.store, cases.archive, cases.fair_play, now=cases.now, makes=cases.has_machine
        ),
        ReviewHook(cases.store, makes=cases.has_machine),
    )


REVIEWS = Feature(
    name="reviews",
    needs=("explore", "machine"),
    makes=_makes,
    menus={1: (review_game,)},
    page={1: (review_of_page,)},
    replay={2: (web_page_of_replay,)},
    buttons=(TryAgainButton, WebPageButton, ReviewButton),
)
