"""Handler of the button *Why?*, below boards with a remark by the machine's character."""

from bot.play.handlers.interactions import Answer, Component
from bot.play.model.refusals import NotAPlayer
from bot.replay.model.refusals import NoSuchPly
from school.companion.model import positions_of, remark_at
from school.companion.words import why


class WhyButton(Component, template=r"dvonn:why:(?P<game>[0-9]{1,18}):(?P<plies>[0-9]{1,4})"):
    """Shows the board that a remark is about, with an arrow."""

    async def respond(self, answer: Answer) -> None:
        game = await answer.services.game_cache.existing(self.game)
        if game.seat(answer.user) is None:
            raise NotAPlayer
        remark = remark_at(game, int(self.match["plies"]))
        if remark is None:
            raise NoSuchPly
        before = positions_of(game)[remark.plies - game.settled]
        await answer.send_private(why(answer.reader, game, remark, before))
