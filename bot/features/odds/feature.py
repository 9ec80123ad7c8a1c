"""The declaration of the feature."""

from bot.features.odds.doors import EvenButton, NextRungButton, advice
from bot.features.odds.hook import OddsHook
from bot.features.odds.use_cases import Odds
from bot.play.seams import Feature

ODDS = Feature(
    name="odds",
    needs=("ratings",),
    makes=(Odds, OddsHook, advice),
    buttons=(EvenButton, NextRungButton),
)
