"""What the feature adds to the game."""

from bot.features.ratings.use_cases import Ratings
from bot.features.tournaments.doors.place_settings import PLACE_SETTINGS
from bot.features.tournaments.hook import TournamentHook
from bot.features.tournaments.use_cases.director import Director
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    return (
        Tournaments(cases.store, cases.archive, cases.of(Ratings), now=cases.now),
        Director(
            cases.store,
            cases.archive,
            cases.ledger,
            cases.of(Ratings),
            now=cases.now,
            rng=cases.rng,
        ),
        Seasons(cases.store, now=cases.now),
        TournamentHook(cases.store),
    )


TOURNAMENTS = Feature(
    name="tournaments",
    needs=("ratings",),
    place_settings=PLACE_SETTINGS,
    makes=_makes,
)
