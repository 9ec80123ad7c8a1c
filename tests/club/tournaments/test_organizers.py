"""Tests for organizers' commands with the whole bot: from what they type to what people see."""

import asyncio
import csv
import io
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from caissify_pairings.trf import parse_trf

from bot.base.ids import GuildId, UserId
from club.tournaments.model.rules import ORGANIZERS
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words.export import as_csv, as_report
from sandbox import Permission, Person
from tests.bot.whole import WholeBot
from tests.club.tournaments.hosted import begin, create_tournament, now
from tests.club.tournaments.toured import somebody, tournament
from tests.e2e.conftest import message_of, texts
from tests.e2e.features.tournaments.cups import Form, chosen, on_page, organize

ONE_DATABASE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@ONE_DATABASE
async def test_an_organiser_edits_until_it_begins(bot: WholeBot) -> None:
    cup = await create_tournament(bot, bot.ann, bot.bob, rounds=3)
    others = message_of(await bot.bob.slash(bot.channel, "tournament show"))
    assert "Organize" not in [button.label for button in others.buttons]
    form = await organize(bot.ann, bot.channel, "edit")
    assert form.modal is not None
    typed: Form = {
        "name": "Summer Cup",
        "begins": "in 5 days",
        "rounds": "4",
        "clock": "2 days per move",
    }
    page = message_of(await bot.ann.submit(form.modal, typed))
    first, second, *_ = page.content.splitlines()
    assert first == f"{bot.ann.mention} changed its terms"
    assert second == "**Summer Cup** · Open to join"
    terms = (await now(bot, cup)).terms
    assert (terms.name, terms.rounds) == ("Summer Cup", 4)
    assert terms.clock is not None
    assert terms.clock.bank == timedelta(days=2)
    assert terms.begins_at is not None
    assert terms.begins_at > bot.now + timedelta(days=4)
    await bot.is_done()
    assert bot.channel.messages[0].content.startswith("**Summer Cup**")
    log = message_of(await on_page(bot.bob, bot.channel, "Log"))
    assert log.content.splitlines()[-1].endswith(f"{bot.ann.mention} changed its terms")
    await begin(bot, cup)
    late = await bot.ann.submit(form.modal, {**typed, "name": "Other"})
    assert texts(late) == "This tournament has already begun."


@ONE_DATABASE
async def test_an_organiser_adds_takes_out_and_brings_back(bot: WholeBot) -> None:
    cup = await create_tournament(bot, bot.ann, bot.bob)
    cid = UserId(bot.cid.id)

    async def change(choice: str) -> str:
        return texts(await organize(bot.ann, bot.channel, choice, chosen(bot.cid)))

    added = await change("add")
    assert added.startswith(f"{bot.ann.mention} put {bot.cid.mention} in\n")
    assert (await now(bot, cup)).has(cid)
    assert await change("add") == f"{bot.cid.mention} is already in."
    await organize(bot.ann, bot.channel, "begin")
    removed = await change("remove")
    assert removed.startswith(f"{bot.ann.mention} took {bot.cid.mention} out\n")
    assert not (await now(bot, cup)).has(cid)
    await bot.nothing_unsent()
    await change("add")
    assert (await now(bot, cup)).has(cid)
    await bot.nothing_unsent()
    pings = [message.content for message in bot.channel.messages if message.pinged == {bot.cid.id}]
    put_in = f"{bot.cid.mention}, an organizer has put you into **Spring Cup**. "
    assert [ping.startswith(put_in) for ping in pings] == [True, False, True]
    assert pings[1].startswith(f"{bot.cid.mention}, an organizer took you out of **Spring Cup**.")
    log = message_of(await on_page(bot.cid, bot.channel, "Log")).content.splitlines()[1:]
    assert [line.partition(" · ")[2] for line in log] == [
        f"{bot.ann.mention} put {bot.cid.mention} in",
        f"{bot.ann.mention} took {bot.cid.mention} out",
        f"{bot.ann.mention} started it",
        f"{bot.ann.mention} put {bot.cid.mention} in",
    ]
    empty = await organize(bot.ann, bot.channel, "add", {"player": []})
    assert texts(empty) == "Fill in every field, please."


@ONE_DATABASE
async def test_a_second_organiser_may_do_the_same(bot: WholeBot) -> None:
    cup = await create_tournament(bot, bot.ann, bot.bob, bot.cid)
    page = texts(await organize(bot.ann, bot.channel, "helper", chosen(bot.bob)))
    assert page.startswith(f"{bot.ann.mention} made {bot.bob.mention} the second organizer\n")
    assert f"The second organizer is {bot.bob.mention}." in page
    await bot.nothing_unsent()
    (told,) = [message for message in bot.channel.messages if message.pinged == {bot.bob.id}]
    assert told.content.startswith(f"{bot.bob.mention}, you're now the second organizer of")
    await organize(bot.bob, bot.channel, "remove", chosen(bot.cid))
    assert not (await now(bot, cup)).has(UserId(bot.cid.id))
    form = await organize(bot.bob, bot.channel, "add")
    assert form.modal is not None
    page = texts(await organize(bot.bob, bot.channel, "helper", {"player": []}))
    assert page.startswith(f"{bot.bob.mention} removed the second organizer\n")
    late = await bot.bob.submit(form.modal, chosen(bot.cid))
    assert texts(late) == "Only the organizer can do that, or someone who may manage events."


@ONE_DATABASE
async def test_one_game_gets_more_time(bot: WholeBot) -> None:
    robin, week = TournamentFormat.ROUND_ROBIN, timedelta(days=7)
    cup = await create_tournament(bot, bot.ann, bot.bob, format=robin, round_time=week)
    await begin(bot, cup)
    await bot.until(lambda: any(message.thread for message in bot.channel.messages))
    form: Form = {"board": "1", "days": "3"}  # the round that runs is already filled in
    page = texts(await organize(bot.ann, bot.channel, "extend", form))
    assert page.startswith(f"{bot.ann.mention} extended round 1, board 1 (3 d)\n")
    after = await now(bot, cup)
    (pairing,) = after.pairings
    assert pairing.paired_at is not None
    assert after.round_ends(pairing) == pairing.paired_at + timedelta(days=10)
    too_long = await organize(bot.ann, bot.channel, "extend", {**form, "days": "61"})
    assert texts(too_long) == "You can give a game 1 to 60 more days."


@ONE_DATABASE
async def test_past_tournaments_their_winners_and_copies(bot: WholeBot) -> None:
    nothing = await bot.cid.slash(bot.channel, "tournament past")
    assert texts(nothing) == "No tournament has been played to its end here."
    terms = {"format": TournamentFormat.ROUND_ROBIN, "rated": False}
    cup = await create_tournament(bot, bot.bob, bot.cid, round_time=timedelta(days=9), **terms)
    tournaments = bot.services.require(Tournaments)
    await begin(bot, cup)
    await bot.until(lambda: any(message.thread for message in bot.channel.messages))
    white = (await now(bot, cup)).pairings[0].white
    typed: Form = {"round": "1", "board": "1", "result": ["white"], "note": "Agreed"}
    question = message_of(await organize(bot.ann, bot.channel, "correct", typed))
    await bot.ann.click(question, "Yes, correct it")
    await bot.until(lambda: any("is over." in message.content for message in bot.channel.messages))
    listed = texts(await bot.cid.slash(bot.channel, "tournament past")).splitlines()
    assert listed[0] == "**Past tournaments**"
    assert listed[1].startswith("**Spring Cup** · Round robin · <t:")
    assert listed[1].endswith(f" · 🏆 <@{white}>")
    for kind in ("csv", "trf"):
        file = message_of(await organize(bot.ann, bot.channel, kind))
        names = [attachment.filename for attachment in file.attachments]
        assert names == [f"tournament-{cup.id}.{kind}"]
    guild = GuildId(bot.guild.id)
    await bot.services.store.guilds.choose_for(guild, ORGANIZERS, bot.guild.id)  # everyone may
    form = await organize(bot.ann, bot.channel, "copy")
    assert form.modal is not None
    said = texts(await bot.ann.submit(form.modal, {}))
    assert said.startswith("I'm announcing **Spring Cup** here.")
    copy, _ = await tournaments.latest(guild)
    chosen_terms = replace(cup.terms, channel=copy.terms.channel)
    assert copy.terms == chosen_terms


def a_swiss() -> Tournament:
    """Two rounds of five: a win, a draw, a forfeit, an unplayed game, byes of both kinds."""

    def game(round_: int, board: int, white: int, black: int | None, **more: Any) -> Pairing:
        other = None if black is None else somebody(black)
        return Pairing(round=round_, board=board, white=somebody(white), black=other, **more)

    bye, zero = PairingResult.BYE, PairingResult.ZERO_BYE
    games = (
        game(1, 1, 1, 3, result=PairingResult.WHITE, margin=4),
        game(1, 2, 4, 2, result=PairingResult.DRAW),
        game(1, 3, 5, None, result=bye, forfeit=True),
        game(2, 1, 2, 1, result=PairingResult.BLACK, forfeit=True, note="=ill"),
        game(2, 2, 3, 5, result=PairingResult.NEITHER, forfeit=True),
        game(2, 3, 4, None, result=zero, forfeit=True),
    )
    cup = tournament(5, pairings=games)
    return replace(cup, entrants=tuple(replace(entrant, rating=1500.4) for entrant in cup.entrants))


def test_the_report_is_read_by_another_program_column_by_column() -> None:
    """A library for Swiss pairings can read it, in the columns of TRF16."""
    cup = a_swiss()
    names = {somebody(number): f"Player\n{number} {'x' * 40}" for number in range(1, 6)}
    names[somebody(2)] = "Player 2"
    text = as_report(cup, names).decode()
    read = parse_trf(text.replace("\r\n", "\n"))
    assert read["tournament"]["name"] == cup.terms.name
    assert [row["starting_number"] for row in read["players"]] == [1, 2, 3, 4, 5]
    assert all(len(row["results"]) == 2 for row in read["players"])
    lines = [line for line in text.split("\r\n") if line.startswith("001")]
    assert [(int(line[4:8]), line[14:22]) for line in lines] == [
        (number, f"Player {number}") for number in range(1, 6)
    ]
    assert {(line[47], line[48:52], line[52]) for line in lines} == {(" ", "1500", " ")}
    assert [float(line[80:84]) for line in lines] == [2.0, 0.5, 0.0, 0.5, 1.0]
    assert sorted(int(line[85:89]) for line in lines) == [1, 2, 3, 4, 5]
    assert [(line[91:99], line[101:109]) for line in lines] == [
        ("   3 w 1", "   2 b +"),
        ("   4 b =", "   1 w -"),
        ("   1 b 0", "   5 w -"),
        ("   2 w =", "0000 - Z"),
        ("0000 - U", "   3 b -"),
    ]


def test_the_table_has_each_game_and_no_formula() -> None:
    names = {somebody(number): f"=Player {number}" for number in range(1, 6)}
    divisions = [a_swiss(), a_swiss()]
    rows = list(csv.DictReader(io.StringIO(as_csv(divisions, names).decode("utf-8-sig"))))
    assert rows[6:] == rows[:6]
    assert [(row["round"], row["board"], row["result"]) for row in rows[:6]] == [
        ("1", "1", "white"),
        ("1", "2", "draw"),
        ("1", "3", "bye"),
        ("2", "1", "black"),
        ("2", "2", "neither"),
        ("2", "3", "zero_bye"),
    ]
    assert (rows[0]["white"], rows[0]["margin"]) == ("'=Player 1", "4")
    assert rows[3]["note"] == "'=ill"


async def won_by(bot: WholeBot, *order: Person) -> Tournament:
    """A knockout whose games are all won by the player earlier in the order."""
    ids = [person.id for person in order]
    cup = await begin(bot, await create_tournament(bot, *order, format=TournamentFormat.KNOCKOUT))
    while (current := await now(bot, cup)).state is TournamentState.RUNNING:
        for pairing in current.undecided:
            if pairing.game is not None:
                loser = max(pairing.players, key=ids.index)
                await bot.services.leaving.leave(pairing.game, loser)
        await asyncio.sleep(0.005)
    await bot.nothing_unsent()
    return current


@ONE_DATABASE
async def test_winners_get_a_role(bot: WholeBot) -> None:
    mo = bot.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    dee = bot.guild.add_person("Dee")
    role = bot.guild.create_role("Winner")
    refused = texts(await mo.slash(bot.channel, "setup tournaments", winners=role))
    assert refused.startswith(f"I can't give <@&{role.id}>. Give me the permission Manage Roles")
    own = bot.guild.bot_role
    own.position = role.position + 1
    bot.guild.set_role_permissions(own, own.permissions | Permission.MANAGE_ROLES)
    settings = texts(await mo.slash(bot.channel, "setup tournaments", winners=role))
    assert f"Winners get <@&{role.id}>." in settings
    people = (bot.ann, bot.bob, bot.cid, dee)

    def winners() -> list[Person]:
        members = bot.guild.guild.members
        return [person for person in people if role.id in members[person.id].roles]

    async def give_to_bob(cup: Tournament) -> None:
        """Correct a final that Ann has won."""
        white = cup.pairings[-1].white == bot.bob.id
        result = "white" if white else "black"
        form: Form = {"round": "2", "board": "1", "result": [result], "note": "Agreed"}
        await organize(bot.ann, bot.channel, "correct", form, tournament=str(cup.id))
        await bot.nothing_unsent()

    first, second = [await won_by(bot, *people) for _ in range(2)]
    ended = next(message for message in bot.channel.messages if "is over." in message.content)
    assert f"{bot.ann.mention} now has the role <@&{role.id}>." in ended.content
    assert ended.content.splitlines()[1] == f"1\\. {bot.ann.mention}"
    assert ended.pinged == frozenset()
    assert winners() == [bot.ann]
    await give_to_bob(second)
    assert winners() == [bot.ann, bot.bob], "Ann has won the first one"
    await give_to_bob(first)
    assert winners() == [bot.bob]


@ONE_DATABASE
async def test_acts_of_managers_are_in_the_servers_log(bot: WholeBot) -> None:
    mo = bot.guild.add_person(
        "Mo", permissions=Permission.MANAGE_CHANNELS | Permission.MANAGE_EVENTS
    )
    log = bot.guild.create_channel("log")
    await mo.slash(bot.channel, "setup log", channel=log)
    await create_tournament(bot, bot.bob, bot.cid)
    await organize(bot.ann, bot.channel, "remove", chosen(bot.bob))
    await organize(mo, bot.channel, "remove", chosen(bot.cid))
    await bot.nothing_unsent()
    first, *others = [message.content for message in log.messages]
    assert first.endswith("**/setup log** channel: " + log.mention)
    (act,) = others
    done = f"**Spring Cup** · {mo.mention} took {bot.cid.mention} out"
    words = f"**/tournament show** tournament: {done}"
    assert act.endswith(f"{mo.mention}: {words}")
