"""The button below the notice that the machine is not moving."""

from bot.base.ids import GameId, Revision
from bot.features.machine.use_cases import MachineSilence
from bot.play.handlers.interactions import Answer, Component


class EndSilentGameButton(
    Component, template=r"dvonn:silence:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9})"
):
    """Button that ends the game without a result.

    This also removes the notice, like every event that ends the machine's turn
    (`MachinePlayer.on_game`).
    """

    async def respond(self, answer: Answer) -> None:
        update = await answer.services.require(MachineSilence).end_silent_game(
            GameId(int(self.match["game"])),
            Revision(int(self.match["revision"])),
            answer.user,
            source=answer.source,
        )
        await answer.publish(update, answer.defer())
