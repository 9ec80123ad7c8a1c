"""The health states and faults that a bot or worker reports to its host."""

from enum import StrEnum


class HealthStatus(StrEnum):
    """States of a process. docs/monitoring.md lists them."""

    READY = "ready"
    DEGRADED = "degraded"
    """It works, but has a fault that the host should fix."""
    STARTING = "starting"
    WAITING = "waiting"
    SILENT = "silent"
    DATABASE = "database"

    @property
    def is_healthy(self) -> bool:
        return self in (HealthStatus.READY, HealthStatus.DEGRADED)


class Fault(StrEnum):
    """Faults that the host should fix while the bot runs on. docs/monitoring.md lists them."""

    TOKEN_REFUSED = "token refused"  # noqa: S105 - a word
    COMMANDS_REFUSED = "commands refused"
    SECOND_BOT = "second bot"
    SHARED_SHARDS = "shared shards"
    DELIVERIES_FAILING = "deliveries failing"
    DELIVERIES_LATE = "deliveries late"
    MACHINE_SILENT = "machine silent"


class ActiveFaults:
    """The current faults, with their details."""

    def __init__(self) -> None:
        self._faults: dict[Fault, str] = {}

    def begin(self, fault: Fault, details: str) -> None:
        """Record a fault, or update its details."""
        self._faults[fault] = details

    def end(self, fault: Fault) -> None:
        """Remove a fault, if it is recorded."""
        self._faults.pop(fault, None)

    @property
    def faults(self) -> dict[Fault, str]:
        return dict(self._faults)
