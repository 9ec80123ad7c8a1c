"""The declaration of the feature."""

from bot.features.talk.handlers import MentionHandler
from bot.play.seams import Feature

TALK = Feature(name="talk", typed=MentionHandler)
