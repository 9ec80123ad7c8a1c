"""What is refused where it is not clear what somebody means: which tournament, or what time."""

from bot.base.errors import PlayError


class NoTournament(PlayError):  # noqa: N818
    """There is none in the server with which this could be done."""


class WhichTournament(PlayError):  # noqa: N818
    """There are several with which this could be done."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(", ".join(names))
        self.names = names


class BadLength(PlayError):  # noqa: N818
    """A text says of no length of time."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class BadBeginning(PlayError):  # noqa: N818
    """A text says of no moment when something begins."""

    def __init__(self, text: str, meant: str | None = None) -> None:
        """`meant` can be read, and is like what was typed."""
        super().__init__(text)
        self.text = text
        self.meant = meant
