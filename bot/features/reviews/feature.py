"""What the feature adds to the game."""

from bot.features.reviews.hook import ReviewHook
from bot.features.reviews.refusals import NoReview
from bot.features.reviews.use_cases import Reviews
from bot.features.reviews.words.reviews import no_review
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
    refusals={NoReview: no_review},
    makes=_makes,
)
