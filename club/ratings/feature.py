"""Declaration of the feature `RATINGS`."""

from bot.play.seams import Feature
from club.ratings.hook import RatingHook
from club.ratings.model import CannotRate
from club.ratings.store import Ratings
from club.ratings.words import cannot_rate

RATINGS = Feature(
    name="ratings", refusals={CannotRate: cannot_rate}, factories=(Ratings, RatingHook)
)
