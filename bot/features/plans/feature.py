"""The declaration of the feature."""

from bot.features.plans.doors import (
    KeepLineButton,
    PlanButton,
    PlanSelect,
    PlayPlanButton,
    plan,
    read_planned,
)
from bot.features.plans.use_cases import Planning, PlanOutdated
from bot.features.plans.words import plan_command, plan_of_page, plan_outdated
from bot.play.seams import Feature
from bot.play.words.notices import PLAN_COMMAND

PLANS = Feature(
    name="plans",
    refusals={PlanOutdated: plan_outdated},
    makes=(Planning,),
    extends=(PLAN_COMMAND.extended_by(plan_command),),
    commands={3: (plan,)},
    page={5: (plan_of_page,)},
    buttons=(PlanButton, PlayPlanButton, PlanSelect, KeepLineButton),
    forms=(read_planned,),
)
