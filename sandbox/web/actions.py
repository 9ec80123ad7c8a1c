"""Actions of a person on the page. Each has a JSON body and a JSON response."""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sandbox.answers import Answer, OpenModal
from sandbox.drafts import Upload
from sandbox.model import JSON, Channel, Message, Role, User
from sandbox.person import File, Person
from sandbox.state import State
from sandbox.web import views
from sandbox.web.body import Body, PageRequestError
from sandbox.web.simulated_players import SimulatedPlayers
from sandbox.web.start import Start

MAX_OPEN_FORMS = 100


@dataclass
class PageActions:
    """The objects that page actions need.

    Attributes:
        person_of: Returns the person of a user.
        changed: Called after a change that dispatches no event.
        forms: Open modals, by tokens that only the page knows.
        start: The page's start view, or None if it opens on a channel.
    """

    state: State
    person_of: Callable[[User], Person]
    company: SimulatedPlayers
    changed: Callable[[], None]
    forms: dict[str, OpenModal] = field(default_factory=dict)
    start: Start | None = None

    def opened(self, answer: Answer) -> JSON:
        """Return an interaction's outcome. A form is stored until it is submitted."""
        token = None
        if answer.modal is not None:
            token = secrets.token_urlsafe(16)
            self.forms[token] = answer.modal
            while len(self.forms) > MAX_OPEN_FORMS:
                del self.forms[next(iter(self.forms))]
        return views.outcome(answer, token)

    def channel(self, body: Body, user: User) -> Channel:
        """Return the channel that the request names.

        Raises:
            PageRequestError: 404.
        """
        channel = self.state.channels.get(body.id("channel"))
        if channel is None or not views.sees(channel, user):
            raise PageRequestError("there is no such channel", 404)
        return channel

    def message(self, body: Body, user: User) -> Message:
        """Return the message that the request names.

        Raises:
            PageRequestError: 404.
        """
        channel, number = self.channel(body, user), body.id("message")
        message = channel.history.get(number) or self.state.ephemeral.get(number)
        if message is None or message.channel is not channel or not views.is_visible(message, user):
            raise PageRequestError("there is no such message", 404)
        return message

    def value(self, value: Any, files: Sequence[Upload] = ()) -> Any:
        """Return an option's or select's value: plain, or ``{"user": id}``, and so on.

        ``{"file": n}`` is number n of the request's files.

        Raises:
            PageRequestError: 400 or 404.
        """
        if not isinstance(value, dict):
            return value
        if "file" in value:
            for file in files:
                if file.number == value["file"]:
                    return file.filename, file.data
            raise PageRequestError("there is no file with that number", 404)
        match: User | Channel | Role | None = None
        body = Body(value)
        if "user" in body:
            match = self.state.users.get(body.id("user"))
        elif "channel" in body:
            match = self.state.channels.get(body.id("channel"))
        elif "role" in body:
            number = body.id("role")
            roles = (guild.roles.get(number) for guild in self.state.guilds.values())
            match = next(filter(None, roles), None)
        if match is None:
            raise PageRequestError("there is no object with that id", 404)
        return match


Action = Callable[[PageActions, Person, Body], Awaitable[JSON]]


async def say(context: PageActions, person: Person, body: Body) -> JSON:
    """Write a message, or a reply."""
    files: list[File] = [(file.filename, file.data) for file in body.files]
    text = body.text("content", "")
    if "message" in body:
        original = context.message(body, person.user)
        ping = body.flag("ping", default=True)
        message = await person.reply(original, text, ping=ping, files=files)
    else:
        message = await person.say(context.channel(body, person.user), text, files=files)
    return {"message": str(message.id)}


async def edit(context: PageActions, person: Person, body: Body) -> JSON:
    """Edit one of the person's own messages."""
    await person.edit(context.message(body, person.user), body.text("content"))
    return {}


async def delete(context: PageActions, person: Person, body: Body) -> JSON:
    await person.delete(context.message(body, person.user))
    return {}


async def dismiss(context: PageActions, person: Person, body: Body) -> JSON:
    """Dismiss an ephemeral message."""
    await person.dismiss(context.message(body, person.user))
    return {}


async def typing(context: PageActions, person: Person, body: Body) -> JSON:
    await person.typing(context.channel(body, person.user))
    return {}


async def react(context: PageActions, person: Person, body: Body) -> JSON:
    """Add or remove the person's reaction."""
    message, emoji = context.message(body, person.user), body.text("emoji")
    if body.flag("on", default=True):
        await person.react(message, emoji)
    else:
        await person.unreact(message, emoji)
    return {}


async def menu(context: PageActions, person: Person, body: Body) -> JSON:
    """Use a command on a message, found under Apps."""
    message = context.message(body, person.user)
    return context.opened(await person.menu(message, _command(body)))


async def menu_of(context: PageActions, person: Person, body: Body) -> JSON:
    """Use a command on a person in a channel, found under Apps."""
    channel = context.channel(body, person.user)
    user = context.state.users.get(body.id("user"))
    if user is None:
        raise PageRequestError("there is no such person", 404)
    return context.opened(await person.menu_of(channel, user, _command(body)))


async def slash(context: PageActions, person: Person, body: Body) -> JSON:
    """Use a slash command."""
    channel, values = context.channel(body, person.user), body.object("options")
    options = {name: context.value(value, body.files) for name, value in values.items()}
    return context.opened(await person.slash(channel, _command(body), **options))


async def autocomplete(context: PageActions, person: Person, body: Body) -> JSON:
    """Ask for suggestions for one option."""
    channel, focused = context.channel(body, person.user), body.text("focused")
    options = {name: context.value(value) for name, value in body.object("options").items()}
    options[focused] = options.pop(focused, "")  # the user is typing the last one
    choices = await person.autocomplete(channel, _command(body), **options)
    return {"choices": [{"name": name, "value": value} for name, value in choices]}


def _command(body: Body) -> str:
    command = body.text("command")
    if not command.split():
        raise PageRequestError("'command' is empty")
    return command


async def click(context: PageActions, person: Person, body: Body) -> JSON:
    message = context.message(body, person.user)
    return context.opened(await person.click(message, custom_id=body.text("custom_id")))


async def select(context: PageActions, person: Person, body: Body) -> JSON:
    """Choose values in a select."""
    message = context.message(body, person.user)
    values = [context.value(value) for value in body.list("values")]
    return context.opened(await person.select(message, values, custom_id=body.text("custom_id")))


async def submit(context: PageActions, person: Person, body: Body) -> JSON:
    """Submit a form."""
    token = body.text("form")
    form = context.forms.get(token)
    if form is None or form.source.user is not person.user:
        raise PageRequestError("that form is gone", 404)
    answer = await person.submit(form, _texts(body.object("values")))
    context.forms.pop(token, None)
    return context.opened(answer)


def _texts(values: JSON) -> dict[str, str | list[str]]:
    for value in values.values():
        listed = value if isinstance(value, list) else [value]
        if not all(isinstance(value, str) for value in listed):
            raise PageRequestError("a form accepts only texts")
    return values


async def locale(context: PageActions, person: Person, body: Body) -> JSON:
    """Set the language of the person's client, which its interactions then send, as in Discord."""
    chosen = body.text("locale")
    if chosen not in views.locales(context.state, person.user):
        raise PageRequestError("there is no such language", 404)
    person.user.locale = chosen
    context.changed()
    return {}


async def friend(context: PageActions, _: Person, body: Body) -> JSON:
    """Start or stop the automatic play of a person."""
    user = context.state.users.get(body.id("user"))
    if user not in views.people(context.state):
        raise PageRequestError("there is no such person", 404)
    context.company.switch(context.person_of(user), on=body.flag("on"))
    return {}


async def forward(context: PageActions, person: Person, body: Body) -> JSON:
    """Start or stop placing pieces for everyone in a channel."""
    if body.flag("on"):
        channel = context.channel(body, person.user)
        users = [user for user in views.people(context.state) if views.sees(channel, user)]
        context.company.forward([context.person_of(user) for user in users], channel)
    else:
        context.company.stop_forward()
    return {}


async def offer(context: PageActions, person: Person, body: Body) -> JSON:
    """Start something that the start view offers."""
    name = body.text("offer")
    offers = context.start.offers if context.start is not None else ()
    match = next((offered for offered in offers if offered.name == name), None)
    if match is None or match.person not in {None, person}:
        raise PageRequestError("there is no such offer", 404)
    if match.take is not None:
        await match.take(person)
    return {}


ACTIONS: dict[str, Action] = {
    action.__name__: action
    for action in (
        say,
        edit,
        delete,
        dismiss,
        typing,
        react,
        menu,
        menu_of,
        slash,
        autocomplete,
        click,
        select,
        submit,
        locale,
        friend,
        forward,
        offer,
    )
}
"""Actions, by the last part of their URLs."""
