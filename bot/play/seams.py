"""The seam between the game and the features: a feature says here what it adds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.play.own_switches import Switch
from bot.play.place_settings import PlaceSetting
from bot.play.use_cases.cases import UseCases


@dataclass(frozen=True, kw_only=True)
class Feature:
    """What stands beside the game and can be taken out: `bot.composition` joins all of them."""

    name: str
    """The name of its folder."""
    needs: tuple[str, ...] = ()
    """The names of the features that it is built on."""
    switches: tuple[Switch, ...] = ()
    """What people can turn on and off for themselves."""
    place_settings: tuple[PlaceSetting, ...] = ()
    """What moderators choose for their server."""
    makes: Callable[[UseCases], Iterable[object]] = lambda _: ()
    """Makes its use cases and its hooks, once the game's use cases are there."""
