"""Interactions as Discord would send them, with odd texts and ids."""

import copy
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bot.people.words.own_settings import BLOCK_KEYS
from sandbox.components import Kind
from sandbox.interactions import InteractionKind
from sandbox.model import Message
from tests.fuzz.ids import form_templates, sample, templates
from tests.fuzz.long_texts import LONG_TEXTS
from tests.fuzz.mutations import mutated, random_text

JSON = dict[str, Any]

_ACTIONS = (
    ("board", "pick type text rematch resign resign-yes resign-no accept decline white black"),
    ("board", "fill abort abort-yes"),
    ("board", "board-1 board-2 board-3 takeback draw"),
    ("challenge", "accept decline cancel"),
)
_SUBCOMMAND, _GROUP = 1, 2
_STRING, _INTEGER, _BOOLEAN, _USER, _CHANNEL, _NUMBER = 3, 4, 5, 6, 7, 10
_WORDS = ("c3", "d2-d4", "a1 b1 c1 else next", "22:00", "Europe/Berlin", "3 days + 1 day", "9" * 29)
_LONGEST_OPTION = 6_000
"""Discord's maximum number of characters in an option."""


_NUMBERED = ("game", "subject", "tournament", "study", "challenge", "revision", "round", "board")
"""Groups in templates that name one of a few things by number."""
_FIELDS = (
    *("move", "moves", "said", "pasted", "name", "rounds", "round_time", "lasts", "level"),
    *("position", "also", "opponent", "colour", "clock", "start", "weekends"),
    *("begins", "ends", "zone", "days", "first", "lines", *BLOCK_KEYS),
)
"""Fields of forms."""


class Templates:
    """Makes the `data` of interactions for a bot with known commands."""

    def __init__(self, rng: Random, commands: Sequence[JSON], people: Sequence[int]) -> None:
        self._rng = rng
        self._commands = list(commands)
        self._people = [str(number) for number in people]
        self._ids = [one for _, one in templates()]
        self._forms = [*form_templates()]

    def command(self, *, focused: bool = False) -> JSON:
        """A command with some of its options. In an autocomplete, one is being typed."""
        rng, command = self._rng, self._rng.choice(self._commands)
        data: JSON = {"id": command["id"], "name": command["name"], "type": 1}
        place, level = data, command
        while nested := [row for row in level.get("options", ()) if row["type"] <= _GROUP]:
            level = rng.choice(nested)
            inner: JSON = {"name": level["name"], "type": level["type"]}
            place["options"] = [inner]
            place = inner
        filled = [
            {"name": row["name"], "type": row["type"], "value": self._value(row)}
            for row in level.get("options", ())
            if row.get("required") or rng.random() < 0.5
        ]
        if filled:
            place["options"] = filled
            if focused:
                rng.choice(filled)["focused"] = True
        users = {
            number: {"id": number, "username": "somebody", "discriminator": "0", "avatar": None}
            for number in self._people
        }
        data["resolved"] = {"users": users}
        return data

    def _word(self) -> str:
        rng = self._rng
        space = f"{rng.choice('abcdefghijk')}{rng.randint(1, 5)}"
        hard = rng.choice(LONG_TEXTS)[:_LONGEST_OPTION]
        return rng.choice((*_WORDS, space, space, random_text(rng), hard))

    def _value(self, option: JSON) -> Any:
        rng = self._rng
        if option.get("choices") and rng.random() < 0.9:
            return rng.choice(option["choices"])["value"]
        values = {
            _STRING: self._word(),
            _INTEGER: rng.randint(-1, 30),
            _NUMBER: rng.random(),
            _BOOLEAN: rng.random() < 0.5,
            _USER: rng.choice(self._people),
            _CHANNEL: rng.choice(self._people),
        }
        return values.get(option["type"])

    def component(self, message: Message) -> JSON:
        """A press or a choice, usually of a component under the message, otherwise of none that
        exists."""
        rng = self._rng
        there = [*message.buttons, *message.selects]
        if there and rng.random() < 0.6:
            one = rng.choice(there)
            data: JSON = {"custom_id": one.custom_id, "component_type": int(one.kind), "id": 1}
            if one.options:
                data["values"] = [rng.choice(one.options)[1]]
            return data
        custom_id = self._custom_id()
        data = {"custom_id": custom_id, "component_type": int(Kind.BUTTON), "id": 1}
        if ":row:" in custom_id or "stack" in custom_id or "preferences" in custom_id:
            data |= {"component_type": int(Kind.STRING_SELECT), "values": [self._word()]}
        return data

    def _custom_id(self) -> str:
        rng = self._rng
        game, revision = rng.randint(0, 12), rng.randint(0, 8)
        kind, actions = rng.choice(_ACTIONS)
        action = rng.choice(actions.split())
        choices = (
            f"dvonn:{kind}:{game}:{revision}:{action}",
            f"dvonn:{kind}:{game}:{action}",
            f"dvonn:pick:{game}:{revision}:row:{rng.randint(0, 6)}",
            f"dvonn:pick:{game}:{revision}:stack",
            f"dvonn:pick:{game}:{revision}:go:{self._word()}",
            f"dvonn:reminder:{rng.getrandbits(60)}",
            f"dvonn:preferences:{rng.choice(('by', 'at', 'on', 'seen', 'looks'))}",
            f"dvonn:style:here:{rng.choice(('theme', 'show'))}",
            f"dvonn:replay:{game}:{revision}:{rng.choice(('at', 'jump', 'share', 'film'))}",
            f"dvonn:replay:text:{revision}:at",
            f"dvonn:explore:{game}:{revision}:{self._word()}:at",
            f"dvonn:games:{rng.choice(('open', f'before:{game}', f'after:{game}'))}",
            f"dvonn:games:{rng.choice(('running', 'ended'))}:{revision}",
            f"dvonn:help:{rng.choice(('play', 'start', 'rules', 'x'))}",
            random_text(rng)[:100],
        )
        return self._forged(rng.choice(self._ids)) if rng.random() < 0.5 else rng.choice(choices)

    def _forged(self, template: re.Pattern[str]) -> str:
        """An id that matches a template, for something that may exist."""
        rng = self._rng
        known = {name: rng.randint(0, 12) for name in _NUMBERED if rng.random() < 0.7}
        return sample(template, rng, **known)

    def modal(self) -> JSON:
        """A submitted form."""
        rng = self._rng
        if rng.random() < 0.5:
            field = {"type": 4, "id": 2, "custom_id": "move", "value": self._word()}
            return {
                "custom_id": f"dvonn:form:{rng.randint(0, 12)}",
                "components": [{"type": 18, "id": 1, "component": field}],
            }
        fields = rng.sample(_FIELDS, rng.randint(1, len(_FIELDS)))
        return {
            "custom_id": self._forged(rng.choice(self._forms)),
            "components": [
                {"type": 18, "id": number, "component": self._field(name)}
                for number, name in enumerate(fields, start=1)
            ],
        }

    def _field(self, name: str) -> JSON:
        """The typed or chosen content of a field."""
        rng = self._rng
        if rng.random() < 0.5:
            return {"type": 4, "id": 2, "custom_id": name, "value": self._word()}
        values = [rng.choice((self._word(), *self._people)) for _ in range(rng.randint(0, 3))]
        return {"type": 3, "id": 2, "custom_id": name, "values": values}

    def of(self, kind: InteractionKind, message: Message) -> JSON:
        """The `data` of an interaction of some kind."""
        match kind:
            case InteractionKind.COMPONENT:
                return self.component(message)
            case InteractionKind.MODAL_SUBMIT:
                return self.modal()
            case _:
                return self.command(focused=kind is InteractionKind.AUTOCOMPLETE)


def broken(rng: Random, payload: JSON) -> JSON:
    """A payload after up to four changes in what somebody has entered, chosen or pressed.

    The user and the structure stay, because Discord vouches for them.
    """
    payload = copy.deepcopy(payload)
    entered = [(place, key) for place, key in _places(payload["data"]) if _is_entered(place, key)]
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 4)) if entered else 0):
        place, key = rng.choice(entered)
        place[key] = mutated(rng, place[key], ["dvonn:board:1:0:resign-yes", "x"])
    return payload


def _is_entered(place: Any, key: Any) -> bool:
    is_value = isinstance(place, list) or key in {"value", "custom_id"}
    return is_value and isinstance(place[key], str)


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Return everything in a tree that can be changed, as container and key."""
    stack = [tree]
    while stack:
        node = stack.pop()
        keys: Any = ()
        if isinstance(node, dict):
            keys = list(node)
        elif isinstance(node, list):
            keys = range(len(node))
        for key in keys:
            yield node, key
            stack.append(node[key])
