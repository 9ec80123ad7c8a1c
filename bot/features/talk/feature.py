"""The declaration of the feature."""

from bot.features.talk.doors import Addressed
from bot.play.seams import Feature

TALK = Feature(name="talk", typed=Addressed)
