"""The bot's handlers, and those that the quick end-to-end tests use.

A handler is a command, an option with suggestions, a menu, a kind of button, a form, a Discord
event, or a way to write to the bot. Features are counted, too. A whole test run fails if no quick
test uses one of them, because longer tests run only in CI.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from discord import AppCommandType, Intents

from bot.client.client import BotClient
from bot.client.command_tree import command_tree
from bot.composition import FEATURE_SET, FEATURES
from bot.play.handlers.interactions import ServicesClient
from sandbox.interactions import InteractionKind
from sandbox.sessions import Session
from tests.fuzz.ids import form_templates, template_of, templates

EVENTS: Final = {
    "on_message": "MESSAGE_CREATE",
    "on_raw_message_edit": "MESSAGE_UPDATE",
    "on_raw_reaction_add": "MESSAGE_REACTION_ADD",
    "on_guild_channel_update": "CHANNEL_UPDATE",
    "on_guild_role_update": "GUILD_ROLE_UPDATE",
    "on_member_update": "GUILD_MEMBER_UPDATE",
    "on_thread_update": "THREAD_UPDATE",
    "on_guild_available": "GUILD_CREATE",
    "on_guild_join": "GUILD_CREATE",
    "on_guild_remove": "GUILD_DELETE",
    "on_guild_channel_delete": "CHANNEL_DELETE",
    "on_raw_thread_delete": "THREAD_DELETE",
    "on_ready": "READY",
    "on_shard_resumed": "RESUMED",
    "on_interaction": "INTERACTION_CREATE",
}
"""The Discord event behind each handler of the client."""
_OF_NO_EVENT: Final = {"on_error", "on_shard_connect", "on_shard_disconnect"}
WAYS: Final = ("alone", "reply", "mention", "direct")
"""Ways to write to the bot."""
_LOOKED_INTO: Final = {"INTERACTION_CREATE", "MESSAGE_CREATE"}
_GROUPS: Final = (1, 2)
_OF_FEATURES: Final = Path(__file__).parent / "features"

taken: Final = set[str]()
"""The handlers and features that quick tests of this process have used."""


def leaves(command: dict[str, Any], path: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each usable command with its full name and its options."""
    name, options = f"{path} {command['name']}".strip(), command.get("options", [])
    inner = [option for option in options if option["type"] in _GROUPS]
    if not inner:
        yield name, options
    for item in inner:
        yield from leaves(item, name)


def all_handlers() -> set[str]:
    """Return the name of each handler that the product declares."""
    handlers = {name for name in vars(BotClient) if name.startswith("on_")} - _OF_NO_EVENT
    found = {f"event {EVENTS[name]}" for name in handlers}
    found.update(f"message {way}" for way in WAYS)
    found.update(f"buttons {name}" for name, _ in templates())
    found.update(f"form {template.pattern}" for template in form_templates())
    tree = command_tree(ServicesClient(intents=Intents.none()))
    for command in tree.get_commands(type=AppCommandType.chat_input):
        for name, options in leaves(command.to_dict(tree)):
            found.add(f"command {name}")
            found.update(
                f"suggestions {name} {option['name']}"
                for option in options
                if option.get("autocomplete")
            )
    found.update(f"menu {command.name}" for command in FEATURE_SET.menus)
    return found | {f"feature {feature.name}" for feature in FEATURES}


def handlers_of(event: str, data: dict[str, Any], bot: int) -> Iterator[str]:
    """Yield the handlers that an event uses."""
    yield f"event {event}"
    match event:
        case "INTERACTION_CREATE":
            yield from _used(InteractionKind(data["type"]), data["data"])
        case "MESSAGE_CREATE" if not data["author"].get("bot"):
            yield f"message {_way(data, bot)}"


@cache
def _feature_of_handlers() -> dict[str, str]:
    """Return the feature of each button and form that belongs to one."""
    found = {}
    for feature in FEATURES:
        names = [f"buttons {button.__name__}" for button in feature.buttons]
        names += [f"form {template_of(form).pattern}" for form in feature.forms]
        found.update(dict.fromkeys(names, f"feature {feature.name}"))
    return found


def _used(kind: InteractionKind, data: dict[str, Any]) -> Iterator[str]:
    match kind:
        case InteractionKind.COMPONENT:
            yield from (
                f"buttons {name}"
                for name, template in templates()
                if template.fullmatch(data["custom_id"])
            )
        case InteractionKind.MODAL_SUBMIT:
            fit = (
                template for template in form_templates() if template.fullmatch(data["custom_id"])
            )
            yield from (f"form {item.pattern}" for item in fit)
        case _ if "target_id" in data:
            yield f"menu {data['name']}"
        case _:
            ((name, options),) = leaves(data)
            what = "command" if kind is InteractionKind.COMMAND else "suggestions"
            focused = [option["name"] for option in options if option.get("focused")]
            yield " ".join((what, name, *focused))


def _way(data: dict[str, Any], bot: int) -> str:
    if "guild_id" not in data:
        return "direct"
    if data.get("message_reference"):
        return "reply"
    is_mentioned = str(bot) in [row["id"] for row in data.get("mentions", ())]
    return "mention" if is_mentioned else "alone"


def begin(test: Path, *, quick: bool) -> None:
    """If a test is quick, record the handlers it uses, and the feature of its folder."""
    global is_quick  # noqa: PLW0603 - of the whole process, as `taken` is
    is_quick = quick
    if quick and test.parent.parent == _OF_FEATURES:
        taken.add(f"feature {test.parent.name}")


def watch() -> None:
    """Record what the sandbox sends to a bot, while `is_quick` is set."""
    dispatch = Session.dispatch

    def noting(session: Session, name: str, data: str) -> None:
        if is_quick:
            told = json.loads(data) if name in _LOOKED_INTO else {}
            handlers = set(handlers_of(name, told, session.state.bot.id))
            taken.update(handlers)
            known = _feature_of_handlers()
            taken.update(known[item] for item in handlers & known.keys())
        dispatch(session, name, data)

    Session.dispatch = noting  # type: ignore[method-assign, assignment]


is_quick: bool = False
"""True if the running test belongs to the quick tier."""
