"""The declaration of the feature."""

from bot.features.machine.opponent.analyst import Analyst
from bot.features.machine.player import MachinePlayer
from bot.features.machine.process import WORKER, look, opened
from bot.play.client_parts import ClientPart
from bot.play.doors.services import Services
from bot.play.seams import Feature


def _client_parts(services: Services) -> tuple[ClientPart, ...]:
    engine, channels = services.get(Analyst), services.publisher.channels
    return () if engine is None else (MachinePlayer(engine.thinker, services, channels),)


MACHINE = Feature(
    name="machine",
    opens=opened,
    check=look,
    tools=(WORKER,),
    client_parts=_client_parts,
)
