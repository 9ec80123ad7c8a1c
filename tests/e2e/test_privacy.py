"""Tests for the export and deletion of a person's data, and for retention times."""

import json

from sandbox import Message
from tests.e2e.conftest import Club, abort, message_of, switched_on, texts
from tests.e2e.database import let_run_again
from tests.games import random_game


async def privacy(club: Club) -> Message:
    """Return the page about Ann's data."""
    form = message_of(await club.ann.slash(club.channel, "settings"))
    return message_of(await club.ann.click(form, "Privacy"))


async def test_a_person_exports_and_deletes_their_data(club: Club) -> None:
    asked = message_of(await club.ann.slash(club.channel, "challenge", opponent=club.bob))
    await club.bob.click(asked, "Decline")
    table = await club.start_game()
    await table.play(random_game(6)[:2])
    form = message_of(await club.ann.slash(club.channel, "settings"))
    form = message_of(await club.ann.select(form, ["automatic"], custom_id="dvonn:preferences:on"))
    page = message_of(await club.ann.click(form, "Privacy"))
    given = message_of(await club.ann.click(page, "Export my data"))
    assert given.ephemeral
    (file,) = given.attachments
    told = json.loads(file.data)
    assert (file.filename, told["person"]) == ("dvonn-data.json", club.ann.id)
    assert [row["data"]["move"] for row in told["tables"]["events"]] == [str(random_game(6)[0])]
    assert told["tables"]["players"][0]["automatic"] is True

    await club.ann.click(page, "Delete me")
    assert "You resign the 1 game you are playing." in page.content
    await club.ann.click(page, "Keep my data")
    assert page.content == "Nothing was deleted."
    page = await privacy(club)
    await club.ann.click(page, "Delete me")
    await club.ann.click(page, "Go on")
    # By now the host keeps data only briefly.
    club.bot.settings["KEEP_NOTICES"] = "1"
    club.bot.take_clock().advance(days=2)
    await club.bot.restart()
    await club.bot.wrote("expired data deleted")
    assert "challenges=1" in club.bot.log
    await club.ann.click(page, "Yes, delete")
    assert page.content.startswith("All deleted.")
    await table.board(3)
    kept = message_of(await club.ann.slash(club.channel, "settings"))
    assert "automatic" not in switched_on(kept)
    listed = await club.ann.slash(club.channel, "games")
    assert "vs" not in texts(listed)


async def test_an_impossible_deletion_is_reported_to_the_person_and_the_host(
    empty_club: Club,
) -> None:
    club = empty_club
    await club.bot.start()
    table = await club.start_game()
    await abort(club.ann, await table.board(0))
    await table.board(1)
    let_run_again(club.bot, 1)
    page = await privacy(club)
    await club.ann.click(page, "Delete me")
    await club.ann.click(page, "Go on")
    told = await club.ann.click(page, "Yes, delete")
    assert texts(told).startswith("I couldn't end all your games, so nothing is deleted yet.")
    assert "data deletion failed" in club.bot.log
    assert "games=[1]" in club.bot.log
    assert await club.bot.stop() == 0
