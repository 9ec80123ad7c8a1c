"""The objects of a sandbox, and shared services: ids, time and listeners."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sandbox.application import Application
from sandbox.clock import Clock, Timer
from sandbox.errors import unknown_channel
from sandbox.events import Event
from sandbox.interactions import FIRST_RESPONSE_S, Interaction
from sandbox.kinds import ChannelKind
from sandbox.model import Attachment, Channel, Directory, Guild, Message, User
from sandbox.signals import Signal
from sandbox.snowflakes import Snowflakes

_DAY_S = 86_400.0
_TWO = 2
NONCE_LIFE_S = 300.0
"""Lifetime of a nonce in seconds. Discord's documentation says "the past few minutes"."""


@dataclass(slots=True)
class GatewayTerms:
    """The values in ``GET /gateway/bot``, and the numbers computed from them.

    Attributes:
        shards: Number of shards that Discord recommends.
        max_concurrency: Number of shards that can identify at the same time.
        total: Number of times per day that the bot can identify.
        identifies: Number of times that it has identified.
        token_reset: True if it has identified too often, so that the token is no longer valid.
    """

    shards: int = 1
    max_concurrency: int = 1
    total: int = 1000
    identifies: int = 0
    token_reset: bool = False
    _used: int = 0
    _resets_at_s: float = 0.0

    def remaining(self, now_s: float) -> int:
        """Return how many times the bot can identify until the count is reset."""
        return self.total if now_s >= self._resets_at_s else max(self.total - self._used, 0)

    def reset_after_s(self, now_s: float) -> float:
        """Return the number of seconds until the count of identifies is reset."""
        return self._resets_at_s - now_s if now_s < self._resets_at_s else _DAY_S

    def identify(self, now_s: float) -> None:
        if now_s >= self._resets_at_s:
            self._used, self._resets_at_s = 0, now_s + _DAY_S
        self.identifies += 1
        self._used += 1
        self.token_reset |= self._used > self.total


class State:
    """All of a sandbox's users, guilds, channels and files.

    It also holds the bot, its application, and the listeners. Nothing here depends on HTTP.

    Attributes:
        first_response_s: Time for the bot's first response to an interaction, in seconds.
    """

    def __init__(self, clock: Clock, bot_name: str) -> None:
        self.clock = clock
        self.first_response_s = FIRST_RESPONSE_S
        # callback that saves changes, if there is a folder
        self.keeper: Callable[[Message | None], None] | None = None
        self.snowflakes = Snowflakes(clock)
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.dms: dict[int, Channel] = {}  # by the other user's id
        self.directory = Directory(self.add_user(bot_name, bot=True), self.users)
        self.channels: dict[int, Channel] = self.directory.channels
        self.messages_changed: Signal[Message] = self.directory.messages_changed
        owner = self.add_user(f"{bot_name}-owner")
        self.application = Application(self.bot.id, bot_name, owner)
        self.attachments: dict[int, Attachment] = {}
        self.ephemeral: dict[int, Message] = {}
        self.interactions: dict[str, Interaction] = {}  # by token
        self.nonces: dict[tuple[int, str], tuple[Message, float]] = {}
        self.timers: dict[object, Timer] = {}
        self.gateway = GatewayTerms()
        self.base_url = ""  # scheme, host and port, once the server is running
        self.crashes: list[Exception] = []  # exceptions in the sandbox itself
        self.listeners: list[Callable[[Event], None]] = []
        self.readiness: Signal[State] = Signal()  # fires when a session or the commands change

    @property
    def bot(self) -> User:
        return self.directory.bot

    def now(self) -> float:
        """Return seconds since the Unix epoch, by the sandbox's clock."""
        return self.clock.time()

    def next_id(self) -> int:
        self.touch()
        return self.snowflakes.next()

    def add_user(self, name: str, *, bot: bool = False) -> User:
        """Create an account that is in no guild yet."""
        user = User(self.next_id(), name, bot)
        self.users[user.id] = user
        return user

    def publish(self, event: Event) -> None:
        """Send an event to the gateway's sessions."""
        self.touch()
        for listener in self.listeners:
            listener(event)

    def touch(self, message: Message | None = None) -> None:
        """Notify the storage that a message, or another object, has changed."""
        if self.keeper is not None:
            self.keeper(message)

    def call_at(self, key: object, when_s: float, callback: Callable[[], object]) -> None:
        """Schedule a callback under a key. A new call with the same key replaces the old one."""
        self.cancel(key)

        def run() -> None:
            self.timers.pop(key, None)
            callback()

        self.timers[key] = self.clock.call_at(when_s, run)

    def cancel(self, key: object) -> None:
        """Cancel the callback with a key."""
        timer = self.timers.pop(key, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        for key in tuple(self.timers):
            self.cancel(key)

    def channel(self, channel_id: int) -> Channel:
        """Return the channel or thread with an id.

        Raises:
            ApiError: 10003: there is none.
        """
        try:
            return self.channels[channel_id]
        except KeyError:
            raise unknown_channel() from None

    def direct_channel(self, user: User) -> Channel:
        """Return the bot's direct messages with a user, which are created on first use."""
        channel = self.dms.get(user.id)
        if channel is None:
            channel = Channel(self.directory, self.next_id(), ChannelKind.DM, recipient=user)
            self.dms[user.id] = self.channels[channel.id] = channel
        return channel

    def private_channel(self, people: Sequence[User]) -> Channel:
        """Create a channel for users without the bot: a group, or direct messages between two.

        Raises:
            ValueError: if there are fewer than two, or the bot is one of them.
        """
        if len(people) < _TWO or self.bot in people:
            raise ValueError(
                "a private channel needs at least two users, and can't include the bot"
            )
        kind = ChannelKind.DM if len(people) == _TWO else ChannelKind.GROUP_DM
        channel = Channel(self.directory, self.next_id(), kind, recipients=list(people))
        self.channels[channel.id] = channel
        return channel

    def remembered(self, author: User, nonce: str | int) -> Message | None:
        """Return the message that an author recently sent with a nonce, or None."""
        message, until_s = self.nonces.get((author.id, str(nonce)), (None, 0.0))
        if message is None or message.deleted or self.now() >= until_s:
            return None
        return message

    def remember(self, message: Message) -> None:
        """Remember a new message's nonce for as long as Discord does."""
        if message.nonce is not None:
            key = (message.author.id, str(message.nonce))
            self.nonces.pop(key, None)
            self.nonces[key] = (message, self.now() + NONCE_LIFE_S)
            self._forget_nonces()

    def _forget_nonces(self) -> None:
        # Nonces are in order of time, oldest first.
        while self.nonces:
            key, (_, until_s) = next(iter(self.nonces.items()))
            if until_s > self.now():
                return
            del self.nonces[key]
