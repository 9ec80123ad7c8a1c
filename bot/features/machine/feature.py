"""The declaration of the feature."""

from bot.features.machine.delivery import SilenceKind
from bot.features.machine.doors import GoOnButton
from bot.features.machine.opening import WORKER, look, opened
from bot.features.machine.player import MachinePlayer
from bot.features.machine.use_cases import MachineSilence
from bot.play.seams import Feature

MACHINE = Feature(
    name="machine",
    opens=opened,
    check=look,
    tools=(WORKER,),
    makes=(MachineSilence,),
    deliveries=(SilenceKind,),
    buttons=(GoOnButton,),
    client_parts=(MachinePlayer,),
)
