"""The declaration of the feature."""

from bot.base.metrics import REVIEWS_WAITING
from bot.features.explore.words.boards import STUDY_BUTTONS
from bot.features.reviews import doors
from bot.features.reviews.delivery import ReviewKind
from bot.features.reviews.hook import ReviewHook
from bot.features.reviews.model import NoReview
from bot.features.reviews.reviewer import reviewer
from bot.features.reviews.store import ReviewTable
from bot.features.reviews.use_cases import Reviews
from bot.features.reviews.words import reviews
from bot.features.reviews.words.board_reviews import review_of_study
from bot.features.reviews.words.moves import REVIEW_SWITCH
from bot.play.seams import Feature
from bot.play.store.store import Store


async def _measure(store: Store) -> None:
    REVIEWS_WAITING.set(await store.of(ReviewTable).waiting())


REVIEWS = Feature(
    name="reviews",
    needs=("explore", "lessons", "machine"),
    refusals={NoReview: reviews.no_review},
    switches=(REVIEW_SWITCH,),
    place_settings=doors.PLACE_SETTINGS,
    makes=(Reviews, ReviewHook),
    extends=(STUDY_BUTTONS.extended_by(review_of_study),),
    deliveries=(ReviewKind,),
    client_parts=(reviewer,),
    measures=_measure,
    menus={1: (doors.review_game,)},
    board=(reviews.review_of_board,),
    page={1: (reviews.review_of_page, reviews.try_again_of_page)},
    replay={2: (reviews.web_page_of_replay,)},
    buttons=(
        doors.TryAgainButton,
        doors.WebPageButton,
        doors.ReviewButton,
        doors.ReviewBoardButton,
    ),
)
