"""Examples of profile and leaderboard texts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.base.languages import Reader
from bot.play.model.clock import Pace
from bot.play.model.terms import Start
from club.profiles import model
from club.profiles.words.leaderboards import leaderboard_shown
from club.profiles.words.profiles import (
    all_servers,
    pace_name,
    profile_shared,
    profile_shown,
    this_server,
)
from club.tournaments.model.badges import EarnedBadge
from dvonn import Color, Motif
from dvonn.machine import LEVELS

HERE = GuildId(1 << 22)
ANN, BOB, CID = UserId(101), UserId(102), UserId(103)
_FIRST = datetime(2026, 3, 1, tzinfo=UTC)

SETTLED = model.PlayerRating(
    rating=1_612.4, deviation=64.2, is_settled=True, games=42, best=1_655.0
)
UNSETTLED = model.PlayerRating(rating=1_479.6, deviation=190, is_settled=False, games=1, best=None)


def course(*ratings: float, deviation: float = 80.0) -> tuple[model.RatingPoint, ...]:
    """Return the changes that lead from each of some ratings to the next, one a day."""
    return tuple(
        model.RatingPoint(
            at=_FIRST + timedelta(days=number),
            score=float(after > before),
            before=(before, deviation),
            after=(after, deviation),
        )
        for number, (before, after) in enumerate(pairwise(ratings))
    )


RESULTS = tuple(
    model.Results(machine=machine, colour=colour, start=start, score=model.Score(1_200, 2, 3))
    for machine in (False, True)
    for colour in Color
    for start in (Start.PLACEMENT, Start.BALANCED)
)
HABITS = model.MotifCounts(
    catches=tuple(zip(Motif, (9, 9, 9, 1, 1, 5, 1, 9), strict=False)),
    suffers=tuple(zip(reversed(Motif), (5,) * len(Motif), strict=True)),
)
EARNED = datetime(2026, 12, 1, tzinfo=UTC)
BADGES = [EarnedBadge(name=name, earned_at=EARNED) for name in ("Ĝŕåñð *Çûþ*", "Šþŕîñĝ Çûþ")]
WHOLE = model.Profile(
    player=ANN,
    guild=HERE,
    pool=HERE,
    is_own=True,
    ratings={Pace.SLOW: SETTLED, Pace.LIVE: UNSETTLED},
    overall={Pace.SLOW: replace(SETTLED, rating=1_640.0), Pace.LIVE: UNSETTLED},
    courses={
        Pace.SLOW: course(1_500, 1_580, 1_612.4),
        Pace.LIVE: course(1_500, 1_479.6, deviation=190),
    },
    results=RESULTS,
    beaten=(1, 2, 7),
    badges=tuple(BADGES),
    streak=4,
    habits=HABITS,
    against=(BOB, model.Score(3, 1, 2)),
    is_hidden=False,
)
EMPTY = replace(
    WHOLE,
    ratings={},
    overall={},
    courses={},
    results=(),
    beaten=(),
    badges=(),
    streak=0,
    habits=model.MotifCounts(),
    against=(BOB, model.Score()),
)


def profiles() -> Iterator[model.Profile]:
    """Profiles in all forms."""
    for item in (WHOLE, EMPTY):
        yield item
        yield replace(item, against=None, is_hidden=True)
        yield replace(item, pool=model.ALL_SERVERS, overall={}, beaten=tuple(LEVELS))
        yield replace(item, guild=NO_GUILD, pool=NO_GUILD, overall={})
        for other in (BOB, CID):
            yield replace(item, is_own=False, overall={}, against=(other, model.Score(1, 0, 0)))
    few = replace(HABITS, suffers=())
    for motif in Motif:
        yield replace(EMPTY, streak=2, habits=replace(few, catches=((motif, 1),)))


def board(
    page: int = 0, count: int = 31, *, own_rank: model.OwnRank | None = None
) -> model.Leaderboard:
    """A page with a tie at the second place."""
    rows = [(ANN, 1_612.4, 64.0), (BOB, 1_600.0, 60.0), (None, 1_599.8, 71.0)]
    own = model.OwnRank(place=1, page=0, rating=SETTLED, is_hidden=False)
    return model.Leaderboard(
        guild=HERE,
        pool=HERE,
        pace=Pace.SLOW,
        page=page,
        count=count,
        places=model.numbered(rows, 1 + 10 * page, 10 * page) if count else (),
        own_rank=own_rank or own,
    )


def leaderboards() -> Iterator[model.Leaderboard]:
    """Leaderboards in all forms."""
    none = model.OwnRank(place=None, page=0, rating=None, is_hidden=False)
    for own_rank in (None, none, replace(none, rating=UNSETTLED), replace(none, is_hidden=True)):
        yield board(own_rank=own_rank)
    yield board(page=3)
    yield replace(board(page=1), pool=model.ALL_SERVERS, pace=Pace.LIVE)
    yield replace(board(count=3), guild=NO_GUILD, pool=NO_GUILD)
    yield board(count=0, own_rank=none)


def refusals() -> Iterator[model.ProfileHidden]:
    """Reasons for an empty page."""
    return (model.ProfileHidden(BOB, problem) for problem in model.ProfileProblem)


EXAMPLE_TEXTS: Mapping[str, Callable[[Reader], object]] = {
    "all_servers": all_servers,
    "leaderboard_shown": lambda who: [
        leaderboard_shown(who, leaderboard, asker)
        for leaderboard in leaderboards()
        for asker in (ANN, CID)
    ],
    "pace_name": lambda who: [pace_name(who, pace) for pace in Pace],
    "profile_shared": lambda who: [profile_shared(who, profile) for profile in profiles()],
    "profile_shown": lambda who: [
        profile_shown(who, profile, ANN if profile.is_own else CID, may_share=may)
        for profile in profiles()
        for may in (True, False)
    ],
    "this_server": this_server,
}
