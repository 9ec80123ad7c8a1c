"""The declaration of the feature."""

from bot.features.reviews.delivery import ReviewKind
from bot.features.reviews.doors import (
    PLACE_SETTINGS,
    ReviewButton,
    ReviewList,
    TryAgainButton,
    WebPageButton,
    review_game,
)
from bot.features.reviews.hook import ReviewHook
from bot.features.reviews.model import NoReview
from bot.features.reviews.reviewer import Reviewer
from bot.features.reviews.use_cases import Reviews
from bot.features.reviews.words.moves import REVIEW_SWITCH
from bot.features.reviews.words.reviews import (
    no_review,
    review_of_page,
    try_again_of_page,
    web_page_of_replay,
)
from bot.play.seams import Feature

REVIEWS = Feature(
    name="reviews",
    needs=("explore", "machine"),
    refusals={NoReview: no_review},
    switches=(REVIEW_SWITCH,),
    place_settings=PLACE_SETTINGS,
    makes=(Reviews, ReviewHook),
    deliveries=(ReviewKind,),
    client_parts=(Reviewer,),
    menus={1: (review_game,)},
    page={1: (review_of_page, try_again_of_page)},
    replay={2: (web_page_of_replay,)},
    buttons=(TryAgainButton, WebPageButton, ReviewButton, ReviewList),
)
