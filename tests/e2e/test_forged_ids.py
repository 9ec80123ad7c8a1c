"""Tests for forged ids: each template with odd values, under a message without text.

`tests.fuzz.interactions` does the same at random, and breaks everything else, too.
"""

import asyncio
from random import Random
from typing import Any

from sandbox import Message, Permission, Person
from sandbox.interactions import Interaction, InteractionKind
from sandbox.responses import begin
from tests.e2e.conftest import FAULTS, Club, message_of
from tests.e2e.features.tournaments.cups import create
from tests.fuzz.ids import form_templates, sample, templates
from tests.games import random_game

EACH = 4
BUTTON, LIST, LABEL, TEXT = 2, 3, 18, 4
ODD = ("x", "9" * 40, "\u0661", "", "-1", "0")
"""Values that none of the bot's selects has."""
OPTIONS = [{"label": "?", "value": "?"}]
NUMBERED = dict.fromkeys(("game", "subject", "tournament", "study", "challenge"), 1)


async def sent(
    club: Club, person: Person, kind: InteractionKind, data: dict[str, Any], under: Message
) -> bool:
    """Send an interaction that no Discord client would. Return True if the bot answered."""
    state = club.world.state
    one = Interaction(
        id=state.next_id(),
        kind=kind,
        user=person.user,
        channel=under.channel,
        created_at=state.now(),
        data=data,
        message=under,
    )
    begin(state, one)
    await asyncio.wait((one.first,), timeout=30)
    return one.first.done()


async def test_odd_values_in_ids_and_lists_raise_nothing(club: Club) -> None:
    organiser = club.guild.add_person("Olga", permissions=int(Permission.ADMINISTRATOR))
    table = await club.start_game()
    await table.reach(random_game(1)[:3])
    await create(organiser, club.channel, name="Cup", format="swiss")
    rng = Random(47)
    for person in (club.ann, organiser):
        under = message_of(await person.slash(club.channel, "help"))
        under.content = ""
        for name, template in templates():
            for known in (NUMBERED, {}):
                for odd in rng.sample(ODD, EACH):
                    custom_id = sample(template, rng, **known)
                    one: dict[str, Any] = {
                        "id": 2,
                        "type": BUTTON,
                        "label": "?",
                        "style": 2,
                        "disabled": False,
                    }
                    data: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON}
                    if name.endswith("Select"):
                        one = {
                            "id": 2,
                            "type": LIST,
                            "options": OPTIONS,
                            "min_values": 1,
                            "max_values": 1,
                        }
                        data |= {"component_type": LIST, "values": [odd]}
                    under.components = [
                        {"id": 1, "type": 1, "components": [one | {"custom_id": custom_id}]}
                    ]
                    await sent(club, person, InteractionKind.COMPONENT, data, under)
                    assert FAULTS.findall(club.bot.log) == [], custom_id
        for template in form_templates():
            for odd in ODD:
                fields = [
                    *({"type": LIST, "custom_id": item, "values": [odd]} for item in LISTS),
                    *({"type": TEXT, "custom_id": text, "value": odd} for text in TEXTS),
                ]
                data = {
                    "custom_id": sample(template, rng, **NUMBERED),
                    "components": [
                        {"type": LABEL, "id": 2 * at + 1, "component": field | {"id": 2 * at + 2}}
                        for at, field in enumerate(fields)
                    ],
                }
                assert await sent(club, person, InteractionKind.MODAL_SUBMIT, data, under)
                assert FAULTS.findall(club.bot.log) == [], data["custom_id"]
    club.world.exchanges.clear()  # Discord's own responses never contain such buttons


LISTS = ("blocked", "opponent", "colour", "start", "also", "level")
TEXTS = ("move", "moves", "said", "pasted", "lines", "name", "rounds", "begins", "days", "first")
