"""Declaration of the feature `REVIEWS`."""

from bot.base.metrics import REVIEWS_WAITING
from bot.play.seams import Feature
from bot.play.store.store import Store
from bot.replay.parts import GAME_PAGE, REPLAY, Part
from school.explore.words.boards import STUDY_BUTTONS
from school.reviews import handlers
from school.reviews.delivery import ReviewHandler
from school.reviews.hook import ReviewHook
from school.reviews.model import NoReview
from school.reviews.reviewer import reviewer
from school.reviews.store import ReviewTable
from school.reviews.use_cases import Reviews
from school.reviews.words import reviews
from school.reviews.words.board_reviews import review_of_study
from school.reviews.words.moves import CHANCES_SWITCH, REVIEW_SWITCH


async def _measure(store: Store) -> None:
    REVIEWS_WAITING.set(await store.queries(ReviewTable).waiting())


REVIEWS = Feature(
    name="reviews",
    needs=("exercises", "explore", "lessons"),
    refusals={NoReview: reviews.no_review},
    switches=(REVIEW_SWITCH, CHANCES_SWITCH),
    place_settings=handlers.PLACE_SETTINGS,
    factories=(Reviews, ReviewHook),
    extends=(
        STUDY_BUTTONS.extended_by(review_of_study),
        GAME_PAGE.extended_by(Part(1, reviews.review_of_page)),
        GAME_PAGE.extended_by(Part(1, reviews.try_again_of_page)),
        REPLAY.extended_by(Part(2, reviews.web_page_of_replay)),
    ),
    deliveries=(ReviewHandler,),
    client_services=(reviewer,),
    measures=_measure,
    menus={1: (handlers.review_game,)},
    board=(reviews.review_of_board,),
    buttons=(
        handlers.TryAgainButton,
        handlers.WebPageButton,
        handlers.ReviewButton,
        handlers.ReviewSelect,
        handlers.ReviewBoardButton,
    ),
)
