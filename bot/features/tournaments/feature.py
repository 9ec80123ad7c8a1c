"""The declaration of the feature."""

from bot.features.tournaments.delivery import messages
from bot.features.tournaments.delivery.scheduled_events import ScheduledEventKind
from bot.features.tournaments.doors import buttons
from bot.features.tournaments.doors.command import read_making, tournament
from bot.features.tournaments.doors.setup_commands import PLACE_SETTINGS
from bot.features.tournaments.hook import TournamentHook
from bot.features.tournaments.recurring import recurring
from bot.features.tournaments.use_cases.director import Director
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.features.tournaments.words.answers import TOURNAMENT_TOPIC
from bot.features.tournaments.words.refused import REFUSALS
from bot.play.seams import Feature
from bot.play.words.help import TOPICS

TOURNAMENTS = Feature(
    name="tournaments",
    needs=("ratings",),
    refusals=REFUSALS,
    place_settings=PLACE_SETTINGS,
    makes=(Tournaments, Director, TournamentHook),
    deliveries=(
        messages.TournamentNewsKind,
        messages.PairingKind,
        messages.WithdrawnKind,
        messages.BlockedKind,
        messages.HeldUpKind,
        ScheduledEventKind,
    ),
    recurring=recurring,
    extends=(TOPICS.extended_by(TOURNAMENT_TOPIC),),
    commands={3: (tournament,)},
    forms=(read_making,),
    buttons=(
        buttons.CameButton,
        buttons.CorrectionButton,
        buttons.OwnTournamentButton,
        buttons.TournamentButton,
        buttons.TournamentViewButton,
    ),
)
