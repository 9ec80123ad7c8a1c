"""What the buttons do. It is written in their ids, so that they work after a restart."""

from bot.edge.buttons.boards import BoardButton
from bot.edge.buttons.challenges import ChallengeButton
from bot.edge.buttons.from_id import FromId
from bot.edge.buttons.help import HelpButton
from bot.edge.buttons.picker import LandingButton, SpaceSelect, StackSelect

ALL: tuple[type[FromId], ...] = (
    ChallengeButton,
    BoardButton,
    SpaceSelect,
    StackSelect,
    LandingButton,
    HelpButton,
)
