"""The declaration of the feature."""

from bot.features.profiles import doors
from bot.features.profiles.model import ProfileHidden
from bot.features.profiles.store.records import RecordHook
from bot.features.profiles.store.recounting import COUNT_AGAIN
from bot.features.profiles.use_cases import Profiles
from bot.features.profiles.words.profiles import PROFILE_SWITCH, RATING_TOPIC, no_profile
from bot.play.seams import Feature
from bot.play.words.help import TOPICS

PROFILES = Feature(
    name="profiles",
    tools=(COUNT_AGAIN,),
    needs=("puzzles", "ratings", "reviews", "tournaments"),
    refusals={ProfileHidden: no_profile},
    switches=(PROFILE_SWITCH,),
    extends=(TOPICS.extended_by(RATING_TOPIC),),
    makes=(Profiles, lambda _: RecordHook()),
    commands={3: (doors.profile, doors.leaderboard)},
    menus={3: (doors.profile_of,)},
    buttons=(doors.ProfileButton, doors.LeaderboardButton),
)
