"""The declaration of the feature."""

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.features.profiles import doors
from bot.features.profiles.model import ProfileHidden
from bot.features.profiles.store.records import count
from bot.features.profiles.store.recounting import COUNT_AGAIN
from bot.features.profiles.use_cases import Profiles
from bot.features.profiles.words.profiles import PROFILE_SWITCH, no_profile
from bot.play.game_changes import Aftermath, GameHook, InTransaction, Turn
from bot.play.model.game import GameRow
from bot.play.seams import Feature


class RecordHook(GameHook):
    """Counts how games have gone."""

    async def at_end(self, turn: Turn) -> InTransaction | None:
        outcome = turn.after.outcome
        assert outcome is not None  # it has ended  # noqa: S101

        async def put(connection: AsyncConnection, row: GameRow) -> Aftermath | None:
            await count(connection, row, outcome, turn.at)
            return None

        return put


PROFILES = Feature(
    name="profiles",
    tools=(COUNT_AGAIN,),
    needs=("puzzles", "ratings", "reviews", "tournaments"),
    refusals={ProfileHidden: no_profile},
    switches=(PROFILE_SWITCH,),
    makes=(Profiles, lambda _: RecordHook()),
    commands={3: (doors.profile, doors.leaderboard)},
    menus={3: (doors.profile_of,)},
    buttons=(doors.ProfileButton, doors.LeaderboardButton),
)
