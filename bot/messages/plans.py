"""Lists of placements in words."""

from bot.locales import gettext as _
from bot.messages.posts import Post
from bot.model.game import Game
from bot.model.lists import Plan
from dvonn import Coordinates

_EXAMPLE = "b2, c3, else next free"
"""Well-formed in both coordinate systems."""


def spaces(plan: Plan, coordinates: Coordinates) -> str:
    """The spaces of a list: "b2, c3, else the next free"."""
    names = ", ".join(map(coordinates.label, plan.spaces))
    return _("{spaces}, else the next free").format(spaces=names) if plan.else_next else names


def plan_made(game: Game, plan: Plan) -> Post:
    """The private word to somebody who has made a list."""
    return Post(
        content=_(
            "Kept for your next turns: {spaces}. Whenever it is your turn, I place the next one; "
            "nobody else sees the list."
        ).format(spaces=spaces(plan, game.row.coordinates))
    )


def plan_shown(game: Game, plan: Plan | None) -> Post:
    """Somebody's list, to him alone."""
    if plan is None:
        return Post(content=_no_list(game))
    return Post(
        content=_("Your list for this game: {spaces}. /plan cancel forgets it.").format(
            spaces=spaces(plan, game.row.coordinates)
        )
    )


def plan_given_up(*, was_there: bool) -> Post:
    """The private word to somebody who has given his list up."""
    if was_there:
        return Post(content=_("Your list is forgotten."))
    return Post(content=_("You have no list for this game."))


def _no_list(game: Game) -> str:
    words = _("You have no list for this game.")
    if not game.is_placing:
        return words
    return words + " " + _("/plan set makes one, such as “{example}”.").format(example=_EXAMPLE)
