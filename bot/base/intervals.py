"""Spans of time between two moments."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A span of time; an empty one if it ends before it begins."""

    begins: datetime
    ends: datetime
