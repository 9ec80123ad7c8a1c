"""The seam between the game and the features: a feature says here what it adds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bot.base.errors import PlayError
from bot.connection.delivery_kinds import Kind
from bot.play.client_parts import ClientPart, Recurring, ShardContext
from bot.play.delivery.context import DeliveryContext
from bot.play.doors.services import Desk
from bot.play.use_cases.cases import UseCases
from bot.play.words.refusals import Words


@dataclass(frozen=True, kw_only=True)
class Feature:
    """What stands beside the game and can be taken out: `bot.composition` joins all of them."""

    name: str
    """The name of its folder."""
    needs: tuple[str, ...] = ()
    """The names of the features that it is built on."""
    refusals: Mapping[type[PlayError], Words] = field(default_factory=dict)
    """What it refuses, with the words for it."""
    deliveries: Callable[[DeliveryContext], Iterable[Kind]] = lambda _: ()
    """Makes its kinds of deliveries."""
    recurring: Callable[[ShardContext], Iterable[Recurring]] = lambda _: ()
    """What it does again and again, for each shard."""
    client_parts: Callable[[Desk], Iterable[ClientPart]] = lambda _: ()
    """Makes what it runs beside a client."""
    makes: Callable[[UseCases], Iterable[object]] = lambda _: ()
    """Makes its use cases and its hooks, once the game's use cases are there."""
