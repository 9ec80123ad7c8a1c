"""The context in which features make their kinds of deliveries."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from bot.connection.channels import Channels
from bot.connection.names import Names
from bot.connection.posts import Post
from bot.play.delivery.news import NewsServices
from bot.play.readers import Readers
from bot.play.use_cases.cases import UseCases
from bot.play.use_cases.update import Update


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryContext:
    """The services from which a feature makes its kinds of deliveries."""

    cases: UseCases
    channels: Channels
    services: NewsServices
    names: Names
    readers: Readers
    render: Callable[[Post], Awaitable[bytes | None]]
    publish: Callable[[Update], Awaitable[bool]]
    now: Callable[[], datetime]
