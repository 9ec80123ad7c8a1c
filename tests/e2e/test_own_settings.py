"""Tests for the settings forms, in public and in private."""

import re
from datetime import UTC, datetime, timedelta
from io import BytesIO

from PIL import Image

from demo.commands import use
from renderer import THEMES
from sandbox import Message, Permission
from tests.e2e.conftest import Club, message_of, set_times, switched_on, texts

ROLE = "dvonn:preferences:"
STANDARD_ONLY = re.compile(r"\b[f-k][1-5]\b")
"""Spaces that don't exist in pergioco coordinates."""


def corner(message: Message) -> object:
    """Return the background color of a message's picture."""
    return Image.open(BytesIO(message.attachments[0].data)).convert("RGB").getpixel((2, 2))


def alt_text(message: Message) -> str:
    return message.attachments[0].description or ""


async def test_a_board_has_the_look_of_its_channel_and_a_private_one_of_its_reader(
    club: Club,
) -> None:
    mo = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    form = message_of(await mo.slash(club.channel, "setup style"))
    assert "Newsletter" not in form.content
    form = message_of(await mo.select(form, ["newsletter"], custom_id="dvonn:style:here:theme"))
    assert "**Theme of boards**: Printed diagram." in form.content
    form = message_of(await mo.select(form, ["pergioco"], custom_id="dvonn:style:here:coordinates"))
    assert "**Coordinates**: pergioco, e1 to a11." in form.content
    server = message_of(await mo.click(form, "The whole server"))
    assert "**Theme of boards**: Wood, as usual." in server.content
    for what, value in (("theme", "wood"), ("coordinates", "pergioco"), ("language", "de")):
        server = message_of(
            await mo.select(server, [value], custom_id=f"dvonn:style:server:{what}")
        )
    assert server.content.splitlines() == [
        "Everywhere in this server:",
        "**Language**: Deutsch.",
        "**Theme of boards**: Wood.",
        "**Coordinates**: pergioco, e1 to a11.",
    ]
    for what in ("coordinates", "language"):
        server = message_of(
            await mo.select(server, ["usual"], custom_id=f"dvonn:style:server:{what}")
        )
    assert server.content.splitlines()[1:] == [
        "**Language**: as in Discord's settings of this server.",
        "**Theme of boards**: Wood.",
        "**Coordinates**: standard, a1 to k5.",
    ]

    form = message_of(await club.bob.slash(club.channel, "settings"))
    form = message_of(await club.bob.click(form, "Language and boards"))
    for what, value in (("theme", "light"), ("coordinates", "standard"), ("seen", "side")):
        form = message_of(await club.bob.select(form, [value], custom_id=f"{ROLE}{what}"))
    assert form.content.splitlines() == [
        "**Language**: as in your Discord.",
        "**Theme of boards**: Light.",
        "**Coordinates**: standard, a1 to k5.",
    ]
    await club.bot.restart()

    answer = await use(
        club.ann, club.channel, "challenge", opponent=club.bob, colour="white", start="balanced"
    )
    await club.bob.click(message_of(answer), "Accept")
    board = await club.channel.wait_for(lambda one: bool(one.attachments))
    assert corner(board) == THEMES["newsletter"].canvas
    assert not STANDARD_ONLY.search(alt_text(board))
    assert "bottom" not in alt_text(board)
    private = message_of(await club.bob.slash(club.channel, "board"))
    assert corner(private) == THEMES["light"].canvas
    assert STANDARD_ONLY.search(alt_text(private))
    assert alt_text(private).endswith("Black's side is at the bottom.")
    anns = message_of(await club.ann.slash(club.channel, "board"))
    assert corner(anns) == THEMES["newsletter"].canvas, "she has chosen none, and is in there"
    assert "bottom" not in alt_text(anns)


async def test_changes_in_the_form_apply_at_once(club: Club) -> None:
    form = message_of(await club.ann.slash(club.channel, "settings"))
    form = message_of(await club.ann.select(form, ["automatic"], custom_id=f"{ROLE}on"))
    assert switched_on(form) == ["automatic"]
    typed = {"begins": "10 pm", "ends": "7", "zone": "europe/rome"}
    opened = await club.ann.click(form, "Quiet hours")
    form = message_of(await club.ann.submit(opened.modal, typed))
    assert "22:00 to 07:00 (Europe/Rome)" in form.content
    opened = await club.ann.click(form, "Quiet hours")
    refused = await club.ann.submit(opened.modal, {**typed, "begins": "late"})
    assert "I don't know that time" in texts(refused)
    assert "Europe/Rome" in await set_times(club.ann, club.channel, zone="europe/roma")
    assert "**Quiet hours**: none" in await set_times(club.ann, club.channel)
    opened = await club.ann.click(form, "Vacation")
    later = datetime.now(UTC) + timedelta(days=5)
    typed = {"days": "3", "first": f"{later:%Y-%m-%d}"}
    form = message_of(await club.ann.submit(opened.modal, typed))
    midnight = later.replace(hour=0, minute=0, second=0, microsecond=0)
    assert f"<t:{int(midnight.timestamp())}:" in form.content
    form = message_of(await club.ann.click(form, "End vacation"))
    opened = await club.ann.click(form, "Vacation")
    form = message_of(await club.ann.submit(opened.modal, {"days": "3", "first": ""}))
    form = message_of(await club.ann.click(form, "End vacation"))
    assert "End vacation" not in [button.label for button in form.buttons]
