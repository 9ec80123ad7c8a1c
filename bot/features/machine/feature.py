"""The declaration of the feature."""

from typing import Final

from bot.features.machine.delivery import SilenceHandler
from bot.features.machine.handlers import GoOnButton
from bot.features.machine.player import MachinePlayer
from bot.features.machine.startup import WORKER, look, open_machine
from bot.features.machine.use_cases import MachineSilence
from bot.play.seams import Feature, OpensOpponent

MACHINE = Feature(
    name="machine",
    check=look,
    tools=(WORKER,),
    factories=(MachineSilence,),
    deliveries=(SilenceHandler,),
    buttons=(GoOnButton,),
    client_services=(MachinePlayer,),
)
OPPONENT: Final[OpensOpponent] = open_machine
