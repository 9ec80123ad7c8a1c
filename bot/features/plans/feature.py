"""The declaration of the feature."""

from typing import Final

from bot.features.plans.foresight import PlansForesight
from bot.features.plans.handlers import (
    KeepLineButton,
    PlanButton,
    PlanSelect,
    PlayPlanButton,
    plan,
    read_planned,
)
from bot.features.plans.model.refusals import BadLines
from bot.features.plans.use_cases import Planning, PlanOutdated
from bot.features.plans.words.refusals import bad_lines
from bot.features.plans.words.views import plan_of_page, plan_outdated
from bot.play.seams import Feature
from bot.replay.parts import GAME_PAGE, Part

PLANS = Feature(
    name="plans",
    refusals={PlanOutdated: plan_outdated, BadLines: bad_lines},
    factories=(Planning,),
    extends=(GAME_PAGE.extended_by(Part(5, plan_of_page)),),
    commands={3: (plan,)},
    buttons=(PlanButton, PlayPlanButton, PlanSelect, KeepLineButton),
    forms=(read_planned,),
)
FORESIGHT: Final = PlansForesight
