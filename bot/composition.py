"""Combines the game and the features. No other module does."""

from functools import partial
from typing import Final

from bot.features.machine.feature import MACHINE, OPPONENT
from bot.features.notes.feature import NOTES
from bot.features.plans.feature import FORESIGHT, PLANS
from bot.features.reminders.feature import REMINDERS
from bot.features.talk.feature import TALK
from bot.features.teams.feature import TEAM_GAMES, TEAMS
from bot.guide.feature import GUIDE
from bot.people.feature import PEOPLE
from bot.play.feature import GAME
from bot.play.seams import Feature, Roles, combine
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.refusals import RefusalWords
from bot.replay.feature import VIEWS
from club.guesses.feature import GUESSES, SPECTATORS
from club.profiles.feature import PROFILES
from club.ratings.feature import RATINGS
from club.tournaments.feature import TOURNAMENTS
from school.companion.feature import COMPANION
from school.exercises.feature import EXERCISES
from school.explore.feature import EXPLORE, OWN_BOARDS
from school.lessons.feature import LESSONS
from school.practice.feature import PRACTICE
from school.puzzles.feature import PUZZLES
from school.reviews.feature import REVIEWS

FEATURES: Final[tuple[Feature, ...]] = (
    MACHINE,
    COMPANION,
    EXERCISES,
    LESSONS,
    NOTES,
    PLANS,
    TEAMS,
    EXPLORE,
    GUESSES,
    REMINDERS,
    REVIEWS,
    PRACTICE,
    PUZZLES,
    RATINGS,
    PROFILES,
    TOURNAMENTS,
    TALK,
)
"""All features. Each comes after the features whose use cases it needs."""
ROLES: Final = Roles(
    opponent=OPPONENT,
    foresight=FORESIGHT,
    teams=TEAM_GAMES,
    own_boards=OWN_BOARDS,
    spectators=SPECTATORS,
)
"""The features that fill the game's roles."""
PARTS: Final[tuple[Feature, ...]] = (GAME, VIEWS, GUIDE, PEOPLE, *FEATURES)
"""The parts that always exist, and all features."""
FEATURE_SET: Final = combine(PARTS)
"""All parts combined."""
refusal: Final = RefusalWords(*(part.refusals for part in PARTS))
use_cases: Final = partial(
    UseCases,
    switches=FEATURE_SET.switches,
    foresight=ROLES.foresight,
    teams=ROLES.teams,
    factories=tuple(make for part in PARTS for make in part.factories),
)
"""Creates the use cases of the game and of all features."""
