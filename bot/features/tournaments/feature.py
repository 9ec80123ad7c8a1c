"""The declaration of the feature."""

from bot.connection.delivery_kinds import Kind
from bot.features.ratings.use_cases import Ratings
from bot.features.tournaments.delivery.scheduled_events import ScheduledEventKind
from bot.features.tournaments.delivery.to_one import BlockedKind, WithdrawnKind
from bot.features.tournaments.delivery.tournaments import (
    PairingKind,
    TournamentNewsKind,
    TournamentPosts,
)
from bot.features.tournaments.doors.buttons import (
    CameButton,
    CorrectionButton,
    TournamentButton,
    TournamentViewButton,
)
from bot.features.tournaments.doors.command import tournament
from bot.features.tournaments.doors.place_settings import PLACE_SETTINGS
from bot.features.tournaments.hook import TournamentHook
from bot.features.tournaments.recurring import recurring
from bot.features.tournaments.use_cases.director import Director
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.features.tournaments.words.refused import REFUSALS
from bot.play.delivery.news import DeliveryContext
from bot.play.seams import Feature
from bot.play.use_cases.cases import UseCases


def _makes(cases: UseCases) -> tuple[object, ...]:
    store, archive, now = cases.store, cases.archive, cases.now
    tournaments = Tournaments(store, archive, cases.of(Ratings), now=now)
    return (
        tournaments,
        Director(store, archive, cases.ledger, tournaments, now=now, rng=cases.rng),
        Seasons(store, now=now),
        TournamentHook(store),
    )


def _deliveries(made: DeliveryContext) -> tuple[Kind, ...]:
    posts = TournamentPosts(made)
    made.cases.add(posts)
    kinds = (TournamentNewsKind, PairingKind, WithdrawnKind, BlockedKind, ScheduledEventKind)
    return tuple(kind(made, posts) for kind in kinds)


TOURNAMENTS = Feature(
    name="tournaments",
    needs=("ratings",),
    refusals=REFUSALS,
    place_settings=PLACE_SETTINGS,
    makes=_makes,
    deliveries=_deliveries,
    recurring=recurring,
    commands={3: (tournament,)},
    buttons=(CameButton, CorrectionButton, TournamentButton, TournamentViewButton),
)
