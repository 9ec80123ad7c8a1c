"""The bot's application, as in Discord's developer portal."""

from dataclasses import dataclass, field

from sandbox.model import JSON, User

PRESENCES_FLAG = 1 << 13
MEMBERS_FLAG = 1 << 15
CONTENT_FLAG = 1 << 19


@dataclass(eq=False, repr=False)
class Application:
    """The bot's entry in the developer portal.

    The three flags are the portal's toggles for privileged intents (as for applications in fewer
    than 100 guilds). Commands are payloads by id, as the API returns them.
    """

    id: int
    name: str
    owner: User
    message_content: bool = True
    guild_members: bool = False
    guild_presences: bool = False
    # True if users can install it for themselves, False if only servers can install it
    user_install: bool = True
    commands: dict[int, JSON] = field(default_factory=dict)
    registered: bool = False  # True once a bot has set its commands

    @property
    def flags(self) -> int:
        """The application's public flags."""
        return (
            (PRESENCES_FLAG if self.guild_presences else 0)
            | (MEMBERS_FLAG if self.guild_members else 0)
            | (CONTENT_FLAG if self.message_content else 0)
        )
