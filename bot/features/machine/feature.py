"""The declaration of the feature."""

from bot.features.machine.opening import WORKER, look, opened
from bot.features.machine.player import MachinePlayer
from bot.play.seams import Feature

MACHINE = Feature(
    name="machine",
    opens=opened,
    check=look,
    tools=(WORKER,),
    client_parts=(MachinePlayer,),
)
