"""How a place is spoken to and what its boards look like: as was chosen for it, or around it."""

from dataclasses import dataclass

from dvonn import Coordinates


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What was chosen for one place; None is as in the place around it."""

    language: str | None = None
    """As Discord names it, such as "it" or "en-GB"."""
    theme: str | None = None
    """The name of a theme; a bot that lacks it has its usual one instead."""
    coordinates: Coordinates | None = None
    """How new games name spaces."""

    def within(self, around: "Style") -> "Style":
        """What holds in a place that lies in another: its own choices first."""
        return Style(
            language=self.language or around.language,
            theme=self.theme or around.theme,
            coordinates=self.coordinates or around.coordinates,
        )
