"""Injected session failures and server outages."""

from collections.abc import Callable

from sandbox import payloads
from sandbox.events import Event, Intent
from sandbox.model import Guild
from sandbox.orders import Fault, FaultOrders
from sandbox.state import State


class OutageFault(Fault):
    """An outage of a guild.

    Each request without an answer counts as one occurrence.

    Attributes:
        guild_id: The guild's id.
        is_announced: True if Discord announces the outage to the bot.
    """

    def __init__(self, guild_id: int, *, is_announced: bool, back: Callable[[], None]) -> None:
        super().__init__(None)
        self.guild_id = guild_id
        self.is_announced = is_announced
        self._back = back

    def end(self) -> None:
        """End the outage, and announce that the guild is back."""
        if not self.is_over:
            super().end()
            self._back()


class InvalidFault(Fault):
    """A fault that makes a session invalid from the start.

    Attributes:
        resumable: The value that op 9 sends.
    """

    def __init__(self, times: int | None, *, resumable: bool) -> None:
        super().__init__(times)
        self.resumable = resumable


class EndFault(Fault):
    """A fault that ends a session right after it starts.

    Attributes:
        code: Close code of its WebSocket.
    """

    def __init__(self, times: int | None, *, code: int) -> None:
        super().__init__(times)
        self.code = code


class SessionFaults(FaultOrders):
    """Injects faults into gateway sessions."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state

    def outage(self, guild: Guild, *, is_announced: bool = True) -> OutageFault:
        """Make a guild unavailable: it sends no events, and requests for its members get no answer.

        Args:
            guild: The guild.
            is_announced: True if Discord announces it, in READY and with GUILD_DELETE. False if
                Discord has not noticed yet.
        """
        state = self._state

        def come_back() -> None:
            if is_announced and guild.id in state.guilds and state.bot.id in guild.members:
                data = payloads.guild_create(guild, state.bot)
                state.publish(Event("GUILD_CREATE", data, guild.id, Intent.GUILDS))

        if is_announced:
            away = {"id": str(guild.id), "unavailable": True}
            state.publish(Event("GUILD_DELETE", away, guild.id, Intent.GUILDS))
        return self._order(OutageFault(guild.id, is_announced=is_announced, back=come_back))

    def invalidate_always(self, *, resumable: bool = False, times: int | None = None) -> Fault:
        """Answer every IDENTIFY and RESUME with op 9."""
        return self._order(InvalidFault(times, resumable=resumable))

    def end_after_ready(self, *, code: int = 4000, times: int | None = None) -> Fault:
        """Close the WebSocket right after READY. The session is lost, whatever the code."""
        return self._order(EndFault(times, code=code))

    def is_away(self, guild_id: int | None, *, unannounced: bool = True) -> bool:
        """Return True if a guild has an outage.

        Without ``unannounced``, return True only if Discord announces it to the bot.
        """
        return self._outage(guild_id, unannounced=unannounced) is not None

    def leaves_unanswered(self, guild_id: int) -> bool:
        """Return True if a request for a guild's members gets no answer."""
        fault = self._outage(guild_id, unannounced=True)
        if fault is not None:
            fault.happen()
        return fault is not None

    def _outage(self, guild_id: int | None, *, unannounced: bool) -> OutageFault | None:
        for order in self._orders:
            if isinstance(order, OutageFault) and not order.is_over and order.guild_id == guild_id:
                return order if order.is_announced or unannounced else None
        return None

    def invalidates(self) -> bool | None:
        """Return the value of op 9 for a session that is invalid from the start, or None."""
        fault = self._meet(InvalidFault)
        return None if fault is None else fault.resumable

    def ends_session(self) -> int | None:
        """Return the close code of a session that ends after READY, or None."""
        fault = self._meet(EndFault)
        return None if fault is None else fault.code
