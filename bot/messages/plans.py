"""Lists of placements in words."""

from bot.locales import gettext as _
from bot.store.rows import Plan
from dvonn import Coordinates


def spaces(plan: Plan, coordinates: Coordinates) -> str:
    """The spaces of a list: "b2, c3, else the next free"."""
    names = ", ".join(map(coordinates.label, plan.spaces))
    return _("{spaces}, else the next free").format(spaces=names) if plan.else_next else names
