"""Declares /help as a feature."""

from bot.guide import handlers
from bot.guide.topics import TOPICS
from bot.guide.words.topics import BY_EAR, FRIENDS, LEVELS
from bot.play.seams import Feature

GUIDE = Feature(
    name="guide",
    extends=tuple(map(TOPICS.extended_by, (BY_EAR, FRIENDS, LEVELS))),
    commands={2: (handlers.show_help,)},
    buttons=(handlers.HelpButton, handlers.HowToPlayButton, handlers.PublicHelpButton),
)
