"""Tests for refused forms, which open again with their content."""

import pytest

from bot.base.languages import IN_ENGLISH
from bot.connection.words import forgotten_form
from sandbox import Answer, OpenModal
from tests.e2e.conftest import Club, is_gone, message_of, press, texts

FILLED = {"begins": "late", "ends": "8:00", "zone": "Europe/Paris", "digest": ""}


def values(answer: Answer) -> dict[str, str | list[str]]:
    """Return the content of an opened form."""
    assert isinstance(answer.modal, OpenModal)
    fields = answer.modal.modal.fields
    return {field.custom_id: field.value if field.is_text else field.chosen for field in fields}


@pytest.mark.later("one more form, and how long it is kept")
async def test_a_refused_form_keeps_its_content_until_a_restart(club: Club) -> None:
    page = message_of(await club.ann.slash(club.channel, "settings"))
    opened = await club.ann.click(page, "Quiet hours")
    refused = first = await club.ann.submit(opened.modal, FILLED)
    assert texts(refused).startswith("I don't know that time")
    again = await club.ann.click(message_of(refused), "Try again")
    assert values(again) == FILLED
    refused = await club.ann.submit(again.modal, FILLED | {"begins": "22:00", "zone": "Parris"})
    assert message_of(refused) is message_of(first)  # one refusal is shown, not several
    again = await club.ann.click(message_of(refused), "Try again")
    assert values(again) == FILLED | {"begins": "22:00", "zone": "Parris"}
    taken = await club.ann.submit(again.modal, FILLED | {"begins": "22:00"})
    assert "22:00" in texts(taken)
    refused = await club.ann.submit(opened.modal, FILLED)
    await club.bot.restart()
    lost = await club.ann.click(message_of(refused), "Try again")
    assert texts(lost) == forgotten_form(IN_ENGLISH).content


@pytest.mark.later("the same with lists; test_forms.py holds both")
async def test_lists_are_shown_as_they_were_chosen(club: Club) -> None:
    opened = await club.ann.slash(club.channel, "challenge", opponent=club.bob, more=True)
    chosen = {"colour": ["black"], "start": ["placement"], "also": ["thread"]}
    refused = await club.ann.submit(opened.modal, chosen | {"weekends": "Atlantis"})
    again = await club.ann.click(message_of(refused), "Try again")
    assert values(again) == chosen | {"weekends": "Atlantis"}


async def test_a_move_is_corrected_and_its_refusal_disappears(club: Club) -> None:
    table = await club.start_game()
    form = await press(club.ann, await table.board(0), "Type a move")
    refused = await club.ann.submit(form.modal, {"move": "z9"})
    again = await club.ann.click(message_of(refused), "Try again")
    assert values(again) == {"move": "z9"}
    await club.ann.submit(again.modal, {"move": "d3"})
    await table.board(1)
    await is_gone(message_of(refused))
