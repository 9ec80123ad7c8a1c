"""The declaration of the feature."""

from bot.base.config import Settings
from bot.guide.topics import TOPICS
from bot.play.seams import Feature
from club.tournaments.delivery import messages
from club.tournaments.handlers import buttons, organizing
from club.tournaments.handlers.command import tournament
from club.tournaments.handlers.making import read_making
from club.tournaments.handlers.setup_commands import PLACE_SETTINGS
from club.tournaments.hook import TournamentHook
from club.tournaments.model.possible_terms import swiss_is_installed
from club.tournaments.recurring import recurring
from club.tournaments.use_cases.director import Director
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words.answers import ADJUDICATION_SWITCH, TOURNAMENT_TOPIC
from club.tournaments.words.refused import REFUSALS


async def _look(_settings: Settings) -> list[str]:
    """Return the line of `check` about missing packages, if there are any."""
    if swiss_is_installed():
        return []
    return ["  Swiss tournaments are off, as the extra club isn't installed; ./run installs it"]


TOURNAMENTS = Feature(
    name="tournaments",
    needs=("ratings",),
    refusals=REFUSALS,
    switches=(ADJUDICATION_SWITCH,),
    place_settings=PLACE_SETTINGS,
    factories=(Tournaments, Director, TournamentHook),
    deliveries=(messages.TournamentNewsHandler, messages.PairingHandler),
    recurring=recurring,
    check=_look,
    extends=(TOPICS.extended_by(TOURNAMENT_TOPIC),),
    commands={3: (tournament,)},
    forms=(read_making, organizing.read_organizers_form),
    buttons=(
        buttons.CameButton,
        buttons.TournamentButton,
        buttons.TournamentViewButton,
        organizing.CorrectionButton,
        organizing.OrganizersSelect,
        organizing.OrganizersPageButton,
    ),
)
