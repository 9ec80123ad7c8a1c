"""Sessions that do not last, and servers in an outage, to order."""

from collections.abc import Callable

from sandbox import payloads
from sandbox.events import Event, Intent
from sandbox.model import Guild
from sandbox.orders import Fault, Orders
from sandbox.state import State


class OutageFault(Fault):
    """A guild in an outage; it happens with each question that is not answered.

    Attributes:
        guild_id: which one.
        told: whether the bot is told of it.
    """

    def __init__(self, guild_id: int, *, told: bool, back: Callable[[], None]) -> None:
        super().__init__(None)
        self.guild_id = guild_id
        self.told = told
        self._back = back

    def end(self) -> None:
        """Let the guild be there again."""
        if not self.over:
            super().end()
            self._back()


class InvalidFault(Fault):
    """A session that is invalid as soon as it is asked for.

    Attributes:
        resumable: what op 9 says of it.
    """

    def __init__(self, times: int | None, *, resumable: bool) -> None:
        super().__init__(times)
        self.resumable = resumable


class EndFault(Fault):
    """A session that ends with its beginning.

    Attributes:
        code: with which its socket is closed.
    """

    def __init__(self, times: int | None, *, code: int) -> None:
        super().__init__(times)
        self.code = code


class SessionFaults(Orders):
    """Orders what goes wrong with sessions."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state

    def outage(self, guild: Guild, *, told: bool = True) -> OutageFault:
        """Let a guild be away: nothing is heard of it, and nobody there answers.

        Args:
            guild: which one.
            told: whether Discord says so, in READY and with GUILD_DELETE; it may not know yet.
        """
        state = self._state

        def back() -> None:
            if told and guild.id in state.guilds and state.bot.id in guild.members:
                data = payloads.guild_create(guild, state.bot)
                state.publish(Event("GUILD_CREATE", data, guild.id, Intent.GUILDS))

        if told:
            away = {"id": str(guild.id), "unavailable": True}
            state.publish(Event("GUILD_DELETE", away, guild.id, Intent.GUILDS))
        return self._order(OutageFault(guild.id, told=told, back=back))

    def invalidate_always(self, *, resumable: bool = False, times: int | None = None) -> Fault:
        """Answer every IDENTIFY and RESUME with op 9."""
        return self._order(InvalidFault(times, resumable=resumable))

    def end_after_ready(self, *, code: int = 4000, times: int | None = None) -> Fault:
        """Close the socket right after READY; the session is lost, whatever the code says."""
        return self._order(EndFault(times, code=code))

    def is_away(self, guild_id: int | None, *, untold: bool = True) -> bool:
        """Tell if a guild is in an outage; without ``untold`` only if the bot is told."""
        return self._outage(guild_id, untold=untold) is not None

    def leaves_unanswered(self, guild_id: int) -> bool:
        """Tell if a question about a guild's members is not answered."""
        fault = self._outage(guild_id, untold=True)
        if fault is not None:
            fault.happen()
        return fault is not None

    def _outage(self, guild_id: int | None, *, untold: bool) -> OutageFault | None:
        for one in self._orders:
            if isinstance(one, OutageFault) and not one.over and one.guild_id == guild_id:
                return one if one.told or untold else None
        return None

    def invalidates(self) -> bool | None:
        """Return None, or, if a session is invalid at once, whether it is resumable."""
        fault = self._meet(InvalidFault)
        return None if fault is None else fault.resumable

    def ends_session(self) -> int | None:
        """Return the code with which a session ends after READY, if it does."""
        fault = self._meet(EndFault)
        return None if fault is None else fault.code
