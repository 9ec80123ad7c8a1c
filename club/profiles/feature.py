"""The declaration of the feature."""

from bot.guide.topics import TOPICS
from bot.play.seams import Feature
from club.profiles import doors
from club.profiles.model import ProfileHidden
from club.profiles.store.records import RecordHook
from club.profiles.store.recounting import COUNT_AGAIN
from club.profiles.use_cases import Profiles
from club.profiles.words.profiles import PROFILE_SWITCH, RATING_TOPIC, no_profile

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
