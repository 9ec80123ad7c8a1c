"""/help, in the form of a feature."""

from bot.guide import doors
from bot.guide.topics import TOPICS
from bot.guide.words.topics import FRIENDS, LEVELS
from bot.play.seams import Feature

GUIDE = Feature(
    name="guide",
    extends=(TOPICS.extended_by(FRIENDS), TOPICS.extended_by(LEVELS)),
    commands={2: (doors.show_help,)},
    buttons=(doors.HelpButton, doors.HowToPlayButton, doors.AskedButton),
)
