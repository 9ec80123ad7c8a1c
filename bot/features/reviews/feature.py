"""What the feature adds to the game."""

from bot.features.reviews.hook import ReviewHook
from bot.features.reviews.place_settings import PLACE_SETTINGS
from bot.features.reviews.use_cases import Reviews
from bot.features.reviews.words.settings import REVIEW_SWITCH
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
    switches=(REVIEW_SWITCH,),
    place_settings=PLACE_SETTINGS,
    makes=_makes,
)
