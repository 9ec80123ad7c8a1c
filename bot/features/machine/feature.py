"""The declaration of the feature."""

from typing import Final

from bot.features.machine.delivery import SilenceHandler
from bot.features.machine.handlers import EndSilentGameButton
from bot.features.machine.player import MachinePlayer
from bot.features.machine.startup import WORKER, check_machine, open_machine
from bot.features.machine.use_cases import MachineSilence
from bot.play.seams import Feature, OpenOpponent

MACHINE = Feature(
    name="machine",
    check=check_machine,
    tools=(WORKER,),
    factories=(MachineSilence,),
    deliveries=(SilenceHandler,),
    buttons=(EndSilentGameButton,),
    client_services=(MachinePlayer,),
)
OPPONENT: Final[OpenOpponent] = open_machine
