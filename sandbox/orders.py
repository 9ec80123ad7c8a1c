"""Injected faults, with the numbers of past and remaining occurrences."""

from __future__ import annotations

from typing import Self, TypeVar

from sandbox.signals import SOON_S, Signal


class Fault:
    """An injected fault.

    It remains until it has happened a given number of times, or until it is ended.

    As a context manager, it ends with the block.

    Attributes:
        left: How many more times it will happen, or None for no limit.
        hits: How many times it has happened.
    """

    def __init__(self, times: int | None) -> None:
        self.left = times
        self.hits = 0
        self._happened: Signal[Fault] = Signal()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def is_over(self) -> bool:
        """True if the fault won't happen again."""
        return self.left == 0

    def end(self) -> None:
        """End the fault. This is harmless if it has already ended."""
        self.left = 0
        self._happened.fire(self)

    def happen(self) -> None:
        """Record that the fault has happened once more."""
        self.hits += 1
        if self.left:
            self.left -= 1
        self._happened.fire(self)

    async def met(self, hits: int = 1, *, timeout: float = SOON_S) -> None:  # noqa: ASYNC109
        """Wait until the fault has happened ``hits`` times, at most ``timeout`` real seconds.

        Raises:
            TimeoutError: if it hasn't by then, or if it ended earlier.
        """
        if self.hits < hits and not self.is_over:
            await self._happened.wait(lambda fault: fault.hits >= hits or fault.is_over, timeout)
        if self.hits < hits:
            raise TimeoutError(f"it happened {self.hits} times, not {hits}")

    async def ended(self) -> None:
        """Wait until the fault won't happen again."""
        while not self.is_over:
            await self._happened.wait(lambda fault: fault.is_over, SOON_S)


AnyFault = TypeVar("AnyFault", bound=Fault)


class FaultOrders:
    """All faults injected into a sandbox, oldest first."""

    def __init__(self) -> None:
        self._orders: list[Fault] = []

    def _order(self, fault: AnyFault) -> AnyFault:
        self._orders = [order for order in self._orders if not order.is_over]
        self._orders.append(fault)
        return fault

    def _first(self, kind: type[AnyFault]) -> AnyFault | None:
        for fault in self._orders:
            if isinstance(fault, kind) and not fault.is_over:
                return fault
        return None

    def _meet(self, kind: type[AnyFault]) -> AnyFault | None:
        """Return the first fault of a kind, counted as one occurrence, or None."""
        fault = self._first(kind)
        if fault is not None:
            fault.happen()
        return fault
