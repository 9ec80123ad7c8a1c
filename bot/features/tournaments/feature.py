"""The declaration of the feature."""

from bot.features.tournaments.delivery.scheduled_events import ScheduledEventKind
from bot.features.tournaments.delivery.to_one import BlockedKind, WithdrawnKind
from bot.features.tournaments.delivery.tournaments import PairingKind, TournamentNewsKind
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
from bot.play.seams import Feature

TOURNAMENTS = Feature(
    name="tournaments",
    needs=("ratings",),
    refusals=REFUSALS,
    place_settings=PLACE_SETTINGS,
    makes=(Tournaments, Director, Seasons, TournamentHook),
    deliveries=(TournamentNewsKind, PairingKind, WithdrawnKind, BlockedKind, ScheduledEventKind),
    recurring=recurring,
    commands={3: (tournament,)},
    buttons=(CameButton, CorrectionButton, TournamentButton, TournamentViewButton),
)
