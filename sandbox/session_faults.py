"""Sessions that do not last, and servers in an outage, to order."""

from collections.abc import Callable

from sandbox import payloads
from sandbox.events import Event, Intent
from sandbox.model import Guild
from sandbox.orders import Fault, FaultOrders
from sandbox.state import State


class OutageFault(Fault):
    """A guild in an outage. It happens with each question that is not answered.

    Attributes:
        guild_id: The guild's id.
        told: True if the bot is informed of the outage.
    """

    def __init__(self, guild_id: int, *, told: bool, back: Callable[[], None]) -> None:
        super().__init__(None)
        self.guild_id = guild_id
        self.told = told
        self._back = back

    def end(self) -> None:
        """Let the guild be there again."""
        if not self.is_over:
            super().end()
            self._back()


class InvalidFault(Fault):
    """A session that is invalid as soon as it is asked for.

    Attributes:
        resumable: The value that op 9 sends.
    """

    def __init__(self, times: int | None, *, resumable: bool) -> None:
        super().__init__(times)
        self.resumable = resumable


class EndFault(Fault):
    """A session that ends right after it begins.

    Attributes:
        code: The close code of its socket.
    """

    def __init__(self, times: int | None, *, code: int) -> None:
        super().__init__(times)
        self.code = code


class SessionFaults(FaultOrders):
    """Orders what goes wrong with sessions."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state

    def outage(self, guild: Guild, *, told: bool = True) -> OutageFault:
        """Make a guild unavailable: it sends no events, and requests about it get no response.

        Args:
            guild: The guild.
            told: True if Discord announces it, in READY and with GUILD_DELETE. It may not know yet.
        """
        state = self._state

        def come_back() -> None:
            if told and guild.id in state.guilds and state.bot.id in guild.members:
                data = payloads.guild_create(guild, state.bot)
                state.publish(Event("GUILD_CREATE", data, guild.id, Intent.GUILDS))

        if told:
            away = {"id": str(guild.id), "unavailable": True}
            state.publish(Event("GUILD_DELETE", away, guild.id, Intent.GUILDS))
        return self._order(OutageFault(guild.id, told=told, back=come_back))

    def invalidate_always(self, *, resumable: bool = False, times: int | None = None) -> Fault:
        """Answer every IDENTIFY and RESUME with op 9."""
        return self._order(InvalidFault(times, resumable=resumable))

    def end_after_ready(self, *, code: int = 4000, times: int | None = None) -> Fault:
        """Close the socket right after READY. The session is lost, whatever the code says."""
        return self._order(EndFault(times, code=code))

    def is_away(self, guild_id: int | None, *, untold: bool = True) -> bool:
        """Return True if a guild is in an outage.

        Without ``untold``, only if the bot is informed.
        """
        return self._outage(guild_id, untold=untold) is not None

    def leaves_unanswered(self, guild_id: int) -> bool:
        """Return True if a question about a guild's members is not answered."""
        fault = self._outage(guild_id, untold=True)
        if fault is not None:
            fault.happen()
        return fault is not None

    def _outage(self, guild_id: int | None, *, untold: bool) -> OutageFault | None:
        for order in self._orders:
            if isinstance(order, OutageFault) and not order.is_over and order.guild_id == guild_id:
                return order if order.told or untold else None
        return None

    def invalidates(self) -> bool | None:
        """Return None, or, if a session is invalid at once, whether it is resumable."""
        fault = self._meet(InvalidFault)
        return None if fault is None else fault.resumable

    def ends_session(self) -> int | None:
        """Return the close code of a session that ends after READY, or None."""
        fault = self._meet(EndFault)
        return None if fault is None else fault.code
