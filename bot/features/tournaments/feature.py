"""The declaration of the feature."""

from bot.connection.delivery_kinds import Kind
from bot.features.ratings.use_cases import Ratings
from bot.features.tournaments.delivery.scheduled_events import ScheduledEventKind
from bot.features.tournaments.delivery.to_one import BlockedKind, WithdrawnKind
from bot.features.tournaments.delivery.tournaments import (
    PairingKind,
    Storyteller,
    TournamentNewsKind,
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
from bot.play.delivery.context import DeliveryContext
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


def _deliveries(made: DeliveryContext) -> tuple[Kind, ...]:
    channels, services, now = made.channels, made.services, made.now
    tournaments, director = made.cases.of(Tournaments), made.cases.of(Director)
    store = made.cases.store.deliveries
    teller = Storyteller(channels, store, services, made.names)
    made.cases.add(teller)
    return (
        TournamentNewsKind(
            channels,
            services,
            tournaments,
            made.cases.of(Seasons),
            teller,
            render=made.render,
            now=now,
        ),
        PairingKind(
            channels, services, tournaments, director, teller, publish=made.publish, now=now
        ),
        WithdrawnKind(channels, services, tournaments, now=now),
        BlockedKind(channels, services, tournaments, now=now),
        ScheduledEventKind(channels, store, tournaments, teller, now=now),
    )


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
