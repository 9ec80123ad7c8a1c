"""The declaration of the feature."""

from bot.connection.delivery_kinds import Kind
from bot.features.machine.opponent.analyst import Analyst
from bot.features.reviews.delivery import ReviewKind
from bot.features.reviews.doors import ReviewButton, TryAgainButton, WebPageButton, review_game
from bot.features.reviews.hook import ReviewHook
from bot.features.reviews.model import NoReview
from bot.features.reviews.place_settings import PLACE_SETTINGS
from bot.features.reviews.reviewer import AfterReview, Reviewer
from bot.features.reviews.use_cases import Reviews
from bot.features.reviews.words.reviews import no_review, review_of_page, web_page_of_replay
from bot.features.reviews.words.settings import REVIEW_SWITCH
from bot.play.client_parts import ClientPart
from bot.play.delivery.news import DeliveryContext
from bot.play.doors.services import Services
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (
        Reviews(
            cases.store, cases.archive, cases.fair_play, now=cases.now, makes=cases.has_machine
        ),
        ReviewHook(cases.store, makes=cases.has_machine),
    )


def _deliveries(made: DeliveryContext) -> tuple[Kind, ...]:
    return (ReviewKind(made.services, made.cases.of(Reviews), now=made.now),)


def _client_parts(services: Services) -> tuple[ClientPart, ...]:
    engine, sender = services.get(Analyst), services.publisher.sender
    if engine is None:
        return ()
    after = services.get(AfterReview)
    return (Reviewer(engine.thinker, services.of(Reviews), after, sender, services.work),)


REVIEWS = Feature(
    name="reviews",
    needs=("explore", "machine"),
    refusals={NoReview: no_review},
    switches=(REVIEW_SWITCH,),
    place_settings=PLACE_SETTINGS,
    makes=_makes,
    deliveries=_deliveries,
    client_parts=_client_parts,
    menus={1: (review_game,)},
    page={1: (review_of_page,)},
    replay={2: (web_page_of_replay,)},
    buttons=(TryAgainButton, WebPageButton, ReviewButton),
)
