"""The declaration of the feature."""

from bot.features.plans.doors import KeepLineButton, PlanButton, PlanSelect, plan, read_planned
from bot.features.plans.use_cases import Planning
from bot.features.plans.words import PLAN_COMMAND, plan_of_page
from bot.play.seams import Feature

PLANS = Feature(
    name="plans",
    makes=(Planning, lambda _: PLAN_COMMAND),
    commands={3: (plan,)},
    page={5: (plan_of_page,)},
    buttons=(PlanButton, PlanSelect, KeepLineButton),
    forms=(read_planned,),
)
