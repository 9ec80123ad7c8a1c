"""The declaration of the feature."""

from bot.features.ratings.hook import RatingHook
from bot.features.ratings.use_cases import Ratings
from bot.features.ratings.words import cannot_rate
from bot.play.model.refusals.starting import CannotRate
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (Ratings(cases.store, now=cases.now), RatingHook(cases.store))


RATINGS = Feature(
    name="ratings",
    refusals={CannotRate: cannot_rate},
    makes=_makes,
)
