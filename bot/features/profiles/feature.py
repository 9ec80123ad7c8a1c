"""The declaration of the feature."""

from bot.features.profiles.counting_again import COUNT_AGAIN
from bot.features.profiles.doors.buttons import LeaderboardButton, ProfileButton
from bot.features.profiles.doors.commands import leaderboard, profile, profile_of
from bot.features.profiles.hook import RecordHook
from bot.features.profiles.model import ProfileHidden
from bot.features.profiles.use_cases.leaderboards import Leaderboards
from bot.features.profiles.use_cases.profiles import Profiles
from bot.features.profiles.words.profiles import PROFILE_SWITCH, no_profile
from bot.play.seams import Feature

PROFILES = Feature(
    name="profiles",
    tools=(COUNT_AGAIN,),
    needs=("puzzles", "ratings", "reviews", "tournaments"),
    refusals={ProfileHidden: no_profile},
    switches=(PROFILE_SWITCH,),
    makes=(Profiles, Leaderboards, lambda _: RecordHook()),
    commands={3: (profile, leaderboard)},
    menus={3: (profile_of,)},
    buttons=(ProfileButton, LeaderboardButton),
)
