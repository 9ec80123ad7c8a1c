"""The declaration of the feature."""

from bot.features.ratings.hook import RatingHook
from bot.features.ratings.model import CannotRate
from bot.features.ratings.store import Ratings
from bot.features.ratings.words import cannot_rate
from bot.play.seams import Feature

RATINGS = Feature(name="ratings", refusals={CannotRate: cannot_rate}, makes=(Ratings, RatingHook))
