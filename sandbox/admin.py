"""The guild owner's actions, which set up a guild and change it while the bot is running."""

from sandbox import channels, guilds, messages, permissions
from sandbox.drafts import Draft
from sandbox.kinds import ChannelKind
from sandbox.model import Channel, Guild, Message, Role, Thread, User
from sandbox.person import Person
from sandbox.world import World


class GuildAdmin:
    """A guild, with methods for everything that its owner can do."""

    def __init__(self, world: World, guild: Guild) -> None:
        self._world = world
        self._state = world.state
        self.guild = guild

    def __repr__(self) -> str:
        return f"<GuildAdmin {self.name} {self.id}>"

    @property
    def id(self) -> int:
        return self.guild.id

    @property
    def name(self) -> str:
        return self.guild.name

    @property
    def owner(self) -> Person:
        """The owner, who may do everything."""
        return Person(self._world, self.guild.owner)

    @property
    def everyone(self) -> Role:
        """The role that all members have."""
        return self.guild.roles[self.guild.id]

    @property
    def bot_role(self) -> Role:
        """The role that belongs to the bot."""
        bot_id = self._state.bot.id
        return next(role for role in self.guild.roles.values() if role.bot_id == bot_id)

    @property
    def channels(self) -> list[Channel]:
        """The channels, without threads."""
        places = self.guild.channels.values()
        return [place for place in places if not isinstance(place, Thread)]

    def create_channel(
        self,
        name: str,
        kind: ChannelKind | str = ChannelKind.TEXT,
        *,
        parent: Channel | None = None,
        nsfw: bool = False,
        slowmode_s: int = 0,
    ) -> Channel:
        """Create a channel. ``kind`` may be a word, such as ``"forum"``."""
        if isinstance(kind, str):
            kind = ChannelKind[kind.upper()]
        return channels.create(
            self._state, self.guild, name, kind, parent=parent, nsfw=nsfw, slowmode_s=slowmode_s
        )

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread."""
        channels.delete(self._state, channel)

    def create_role(
        self, name: str, permission_bits: int = 0, *, mentionable: bool = False
    ) -> Role:
        role = guilds.add_role(self._state, self.guild, name, permission_bits)
        role.mentionable = mentionable
        return role

    def set_role_permissions(self, role: Role, permission_bits: int) -> None:
        """Change a role's permissions."""
        guilds.set_role_permissions(self._state, self.guild, role, permission_bits)

    def set_permissions(
        self, channel: Channel, target: Role | User | Person, *, allow: int = 0, deny: int = 0
    ) -> None:
        """Replace the permissions of a role or member in one channel."""
        user = target.user if isinstance(target, Person) else target
        channels.set_overwrite(self._state, channel, user, allow=allow, deny=deny)

    def add_person(self, name: str, *, permissions: int = 0, bot: bool = False) -> Person:
        """Create a person in the guild. ``permissions`` are granted in addition to @everyone's."""
        person = Person(self._world, self._state.add_user(name, bot=bot))
        self.join(person, permissions=permissions)
        return person

    def join(self, person: Person, *, permissions: int = 0) -> None:
        """Add a person as a member."""
        roles = (self.create_role(f"{person.name}s", permissions),) if permissions else ()
        guilds.join(self._state, self.guild, person.user, roles)

    def give_role(self, person: Person, role: Role) -> None:
        """Give a member a role."""
        guilds.give_role(self._state, self.guild, person.user, role)

    def kick(self, person: Person) -> None:
        """Remove a member from the guild."""
        guilds.leave(self._state, self.guild, person.user)

    def invite_bot(self, permission_bits: int = permissions.BOT) -> None:
        """Add the bot to the guild."""
        guilds.invite_bot(self._state, self.guild, permission_bits)

    def remove_bot(self) -> None:
        """Remove the bot from the guild."""
        guilds.remove_bot(self._state, self.guild)

    def delete(self) -> None:
        guilds.delete(self._state, self.guild)

    def set_archived(
        self, thread: Thread, *, archived: bool = True, locked: bool | None = None
    ) -> None:
        """Archive or reopen a thread. Lock or unlock it if ``locked`` is given."""
        if locked is not None:
            thread.locked = locked
        if thread.archived == archived:
            channels.updated(self._state, thread)
        else:
            channels.set_archived(self._state, thread, archived=archived)

    def show_preview(self, message: Message, title: str) -> None:
        """Let a link preview appear below a message, as Discord does after a while."""
        message.embeds = [*message.embeds, {"type": "link", "title": title}]
        messages.changed(self._state, message)

    def webhook_says(self, channel: Channel, name: str, content: str) -> Message:
        number = self._state.next_id()
        origin = messages.Origin(webhook_id=number, webhook_name=name)
        speaker = User(number, name, bot=True)
        return messages.create(self._state, channel, speaker, Draft(content=content), origin=origin)
