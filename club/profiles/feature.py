"""Declaration of the feature `PROFILES`."""

from bot.guide.topics import TOPICS
from bot.play.seams import Feature
from club.profiles import handlers
from club.profiles.hook import CollectionHook
from club.profiles.model import ProfileHidden
from club.profiles.store.records import RecordHook
from club.profiles.store.recounting import RECOUNT_TOOL
from club.profiles.use_cases import Profiles
from club.profiles.words.profiles import PROFILE_SWITCH, RATING_TOPIC, no_profile

PROFILES = Feature(
    name="profiles",
    tools=(RECOUNT_TOOL,),
    needs=("puzzles", "ratings", "reviews", "tournaments"),
    refusals={ProfileHidden: no_profile},
    switches=(PROFILE_SWITCH,),
    extends=(TOPICS.extended_by(RATING_TOPIC),),
    factories=(Profiles, lambda _: RecordHook(), CollectionHook),
    commands={3: (handlers.profile, handlers.leaderboard)},
    menus={3: (handlers.profile_of,)},
    buttons=(handlers.ProfileButton, handlers.LeaderboardButton),
)
