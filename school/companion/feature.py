"""Declaration of the feature `COMPANION`."""

from bot.play.seams import Feature
from school.companion.handlers import WhyButton
from school.companion.hook import CompanionHook
from school.companion.words import COMPANION_SWITCH

COMPANION = Feature(
    name="companion",
    switches=(COMPANION_SWITCH,),
    factories=(CompanionHook,),
    buttons=(WhyButton,),
)
