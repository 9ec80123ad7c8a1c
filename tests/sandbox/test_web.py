"""Tests for the page's server side: requests, pushes, and access."""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from sandbox import Channel, GuildAdmin, ManualClock, Person, Sandbox
from sandbox.web import guard
from sandbox.web.body import MAX_JSON_BYTES
from tests.sandbox.clients import connected, png, running
from tests.sandbox.croupier import EARLY, LATE, Croupier
from tests.sandbox.windows import Window, window

SCRIPT = "<script>alert('<b>&\"')</script>"


@pytest.fixture
async def at_ann(world: Sandbox, channel: Channel, ann: Person) -> AsyncIterator[Window]:
    async with window(world, ann) as own:
        yield own


@pytest.fixture
async def at_bob(world: Sandbox, bob: Person) -> AsyncIterator[Window]:
    async with window(world, bob) as own:
        yield own


@asynccontextmanager
async def used(at: Window, channel: Channel, command: str) -> AsyncIterator[dict[str, Any]]:
    """Return a command's answer as this window receives it."""
    answer = await at.do("slash", channel=str(channel.id), command=command)
    yield await at.message(lambda push: push["id"] == answer["message"])


async def test_the_first_push_is_the_world(
    world: Sandbox, guild: GuildAdmin, channel: Channel, *, ann: Person, bob: Person, at_ann: Window
) -> None:
    push = await at_ann.next_push(bool)
    assert (push["type"], push["me"]) == ("world", str(ann.id))
    assert push["people"] == [str(ann.id), str(bob.id)]
    assert push["bot"] == {"id": str(world.bot_user.id), "online": False}
    (shown,) = push["guilds"]
    assert shown["name"] == guild.name
    assert [row["name"] for row in shown["channels"]] == ["dvonn"]
    assert (await at_ann.ask("world"))[1] == push
    guild.create_channel("lounge")
    changed = await at_ann.next_push(lambda push: push["type"] == "world")
    assert [row["name"] for row in changed["guilds"][0]["channels"]] == ["dvonn", "lounge"]
    async with running(world, Croupier()):
        await at_ann.next_push(lambda push: push["type"] == "world" and push["bot"]["online"])


async def test_people_are_found_by_name_too(at_ann: Window, ann: Person, bob: Person) -> None:
    for name, who in (("bob", bob), ("BOB", bob), (str(bob.id), bob), ("", ann)):
        assert (await at_ann.ask("world", **{"as": name}))[1]["me"] == str(who.id)
    status, answer = await at_ann.ask("world", **{"as": "Friends-owner"})
    assert (status, answer) == (404, {"error": "there is no person with that name"})


async def test_a_person_chooses_a_language_that_the_commands_have(
    world: Sandbox, channel: Channel, at_ann: Window, ann: Person
) -> None:
    assert (await at_ann.ask("world"))[1]["locales"] == ["en-US"]
    words = {"name": "go", "description_localizations": {"it": "Via", "de": "Los"}}
    world.state.application.commands[1] = words
    shown = (await at_ann.ask("world"))[1]
    assert (shown["locale"], shown["locales"]) == ("en-US", ["en-US", "de", "it"])
    await at_ann.do("locale", locale="de")
    changed = await at_ann.next_push(
        lambda push: push["type"] == "world" and push["locale"] != "en-US"
    )
    assert changed["locale"] == ann.user.locale == "de"
    status, answer = await at_ann.act("locale", locale="fr")
    assert (status, answer) == (404, {"error": "there is no such language"})


async def test_actions_wait_while_they_are_held(
    world: Sandbox, channel: Channel, at_ann: Window
) -> None:
    world.page.hold_actions()
    saying = asyncio.create_task(at_ann.do("say", channel=str(channel.id), content="d2"))
    assert (await at_ann.ask("world"))[0] == 200  # reading continues
    assert not saying.done()
    assert not channel.messages
    world.page.release_actions()
    await saying
    assert [message.content for message in channel.messages] == ["d2"]


async def test_saying_replying_editing_deleting(
    channel: Channel, at_ann: Window, at_bob: Window, ann: Person, bob: Person
) -> None:
    place = str(channel.id)
    await at_ann.do("typing", channel=place)
    typing = await at_bob.next_push(lambda push: push["type"] == "typing")
    assert typing == {"type": "typing", "channel": place, "user": str(ann.id)}
    said = await at_ann.do("say", channel=place, content=f"Hello {bob.mention}")
    push = await at_bob.message()
    assert (push["id"], push["author"]) == (said["message"], str(ann.id))
    assert (push["content"], push["mentions"]) == (f"Hello {bob.mention}", [str(bob.id)])
    for ping in (True, False):
        body = {"channel": place, "message": said["message"], "content": "Hi", "ping": ping}
        await at_bob.do("say", **body)
        reply = await at_ann.message(lambda push: push["author"] == str(bob.id))
        assert reply["reply"]["text"] == push["content"]
        assert reply["mentions"] == ([str(ann.id)] if ping else [])
    await at_ann.do("edit", channel=place, message=said["message"], content="Bye")
    edited = await at_bob.message(lambda push: push["edited"])
    assert (edited["content"], edited["stamp"] > push["stamp"]) == ("Bye", True)
    status, answer = await at_bob.act("edit", channel=place, message=said["message"], content="x")
    assert (status, answer["error"]) == (422, "that is someone else's message")
    await at_ann.do("delete", channel=place, message=said["message"])
    gone = await at_bob.next_push(lambda push: push["type"] == "gone")
    assert gone == {"type": "gone", "channel": place, "id": said["message"]}
    left = await at_bob.history(channel)
    assert [row["reply"]["author"] for row in left] == [None, None]


async def test_history_comes_in_pages(
    channel: Channel, at_ann: Window, ann: Person, at_bob: Window
) -> None:
    for n in range(120):
        await ann.say(channel, f"line {n}")
    found: list[str] = []
    before: dict[str, str] = {}
    for more in (True, True, False):
        status, page = await at_bob.ask("channel", channel=str(channel.id), **before)
        assert (status, page["more"]) == (200, more)
        before = {"before": page["messages"][0]["id"]}
        found = [row["content"] for row in page["messages"]] + found
    assert found == [f"line {n}" for n in range(120)]


async def test_slash_commands_and_suggestions(
    world: Sandbox, channel: Channel, *, at_ann: Window, ann: Person, at_bob: Window, bob: Person
) -> None:
    place = str(channel.id)
    async with running(world, Croupier()):
        offered = (await at_ann.ask("channel", channel=place))[1]["commands"]
        assert [row["name"] for row in offered] == ["challenge", "move", "menu", "secret"]
        options = {"opponent": {"user": str(bob.id)}}
        await at_ann.do("slash", channel=place, command="challenge", options=options)
        posted = await at_bob.message(lambda push: push["components"])
        assert posted["command"] == {"user": str(ann.id), "name": "/challenge"}
        assert posted["mentions"] == [str(bob.id)]
        await at_bob.do("click", channel=place, message=posted["id"], custom_id="accept")
        await at_ann.message(lambda push: push["edited"] and push["content"] == "A game!")
        body = {"channel": place, "command": "move", "focused": "move"}
        found = await at_ann.do("autocomplete", **body, options={"move": "b"})
        assert found == {"choices": [{"name": "b!", "value": "b"}]}
        assert len((await at_ann.do("autocomplete", **body))["choices"]) == len(EARLY)
        for wrong, words in (
            ({"command": "mvoe"}, "no command /mvoe"),
            ({"command": "move"}, "needs 'move'"),
            ({"command": "move", "options": {"move": True}}, "takes text"),
            ({"command": "challenge", "options": {"opponent": "Bob"}}, "does not take 'Bob'"),
        ):
            status, answer = await at_ann.act("slash", channel=place, **wrong)
            assert (status, words in answer["error"]) == (422, True), answer


async def test_ephemeral_messages_are_for_one_pair_of_eyes(
    world: Sandbox, channel: Channel, at_ann: Window, at_bob: Window, ann: Person
) -> None:
    place = str(channel.id)
    async with running(world, Croupier()):
        options = {"words": "psst"}
        answer = await at_ann.do("slash", channel=place, command="secret", options=options)
        assert answer["ephemeral"]
        push = await at_ann.message()
        assert (push["content"], push["ephemeral"]) == ("psst", True)
        assert [row["content"] for row in await at_ann.history(channel)] == ["psst"]
        assert await at_bob.history(channel) == []
        await ann.say(channel, "aloud")
        assert (await at_bob.message())["content"] == "aloud"
        secret = {"channel": place, "message": push["id"]}
        assert (await at_bob.act("dismiss", **secret))[0] == 404
        await at_ann.do("dismiss", **secret)
        assert (await at_ann.next_push(lambda push: push["type"] == "gone"))["id"] == push["id"]
        assert [row["content"] for row in await at_ann.history(channel)] == ["aloud"]


async def test_reactions_and_commands_on_messages(
    channel: Channel, at_ann: Window, at_bob: Window, ann: Person, bob: Person
) -> None:
    said = await ann.say(channel, "x")
    target = {"channel": str(channel.id), "message": str(said.id)}
    await at_bob.do("react", **target, emoji="👍")
    push = await at_ann.message(lambda push: push["reactions"])
    assert push["reactions"] == {"👍": [str(bob.id)]}
    await at_bob.do("react", **target, emoji="👍", on=False)
    assert (await at_ann.message())["reactions"] == {}
    for name, wrong, words in (
        ("react", {"emoji": "thumb"}, "Unknown Emoji"),
        ("menu", {"command": "Read aloud"}, "there is no command 'Read aloud'"),
    ):
        status, answer = await at_bob.act(name, **target, **wrong)
        assert (status, words in answer["error"]) == (422, True), answer


async def test_commands_on_people(
    channel: Channel, at_bob: Window, ann: Person, bob: Person, world: Sandbox
) -> None:
    place = {"channel": str(channel.id)}
    for wrong, status, words in (
        ({"user": str(ann.id), "command": "Wave"}, 422, "there is no command 'Wave'"),
        ({"user": str(channel.id), "command": "Wave"}, 404, "there is no such person"),
        ({"user": str(ann.id), "command": " "}, 400, "'command' is empty"),
    ):
        found = await at_bob.act("menu_of", **place, **wrong)
        assert (found[0], words in found[1]["error"]) == (status, True), found
    async with running(world, Croupier()):
        page = (await at_bob.ask("channel", **place))[1]
        assert [row["name"] for row in page["appsOf"]] == ["Wave"]
        answer = await at_bob.do("menu_of", **place, user=str(ann.id), command="Wave")
        assert answer["ephemeral"]
        assert (await at_bob.message())["content"] == f"{bob.id} waves at {ann.id}"


async def test_selects_and_forms(
    world: Sandbox, channel: Channel, at_ann: Window, at_bob: Window, bob: Person
) -> None:
    async with running(world, Croupier()), used(at_ann, channel, "menu") as menu:
        target = {"channel": str(channel.id), "message": menu["id"]}
        await at_ann.do("select", **target, custom_id="select", values=["y"])
        await at_ann.message(lambda push: push["content"] == "select: y")
        people = [{"user": str(bob.id)}]
        await at_ann.do("select", **target, custom_id="people", values=people)
        await at_ann.message(lambda push: push["content"] == f"people: {bob.id}")
        status, answer = await at_ann.act("select", **target, custom_id="select", values=["z"])
        assert (status, "does not offer 'z'" in answer["error"]) == (422, True)
        form = (await at_ann.do("click", **target, custom_id="form"))["form"]
        assert form["title"] == "A form"
        values = {"text": SCRIPT[:30]}
        status, answer = await at_ann.act("submit", form=form["token"], values=values)
        assert (status, "takes 0 to 20" in answer["error"]) == (422, True)
        handed_in = {"form": form["token"], "values": {"text": "words"}}
        assert (await at_bob.act("submit", **handed_in))[0] == 404
        await at_ann.do("submit", **handed_in)
        await at_ann.message(lambda push: push["content"] == "You wrote words")
        assert (await at_ann.act("submit", **handed_in))[0] == 404


async def test_a_bot_that_says_nothing(
    clock: ManualClock, world: Sandbox, channel: Channel, at_ann: Window
) -> None:
    body = {"channel": str(channel.id), "command": "wait"}
    wait = {"id": "1", "name": "wait", "type": 1, "description": "Wait", "integration_types": [0]}
    world.application.commands[1] = wait
    status, answer = await at_ann.act("slash", **body)
    assert (status, "no bot is connected" in answer["error"]) == (504, True)
    async with connected(world) as bot:
        await bot.event("READY")
        using = asyncio.create_task(at_ann.act("slash", **body))
        await bot.event("INTERACTION_CREATE")
        clock.advance(3.1)
        status, answer = await using
    assert (status, answer["error"]) == (504, "The application did not respond")


async def test_scripts_stay_texts(
    world: Sandbox, guild: GuildAdmin, channel: Channel, at_ann: Window, ann: Person
) -> None:
    guild.add_person(SCRIPT)
    lounge = guild.create_channel(SCRIPT)
    around = (await at_ann.ask("world"))[1]
    assert SCRIPT in [row["name"] for row in around["users"].values()]
    assert SCRIPT in [row["name"] for row in around["guilds"][0]["channels"]]
    await at_ann.do("say", channel=str(lounge.id), content=SCRIPT)
    assert (await at_ann.message())["content"] == SCRIPT
    base = at_ann.base
    async with at_ann.session.get(f"{base}/page/api/world?as={SCRIPT}") as response:
        assert response.content_type == "application/json"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    for name in ("evil.html", "evil.svg", "evil.js", "evil.xml"):
        said = await ann.say(channel, files=[(name, SCRIPT.encode())])
        async with at_ann.session.get(said.attachments[0].url) as response:
            assert response.content_type == "application/octet-stream"
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert "sandbox" in response.headers["Content-Security-Policy"]


def form(body: dict[str, Any], *files: tuple[str, bytes]) -> aiohttp.FormData:
    answer = aiohttp.FormData(quote_fields=False)
    answer.add_field("payload_json", json.dumps(body))
    for n, (name, data) in enumerate(files):
        answer.add_field(f"files[{n}]", io.BytesIO(data), filename=name)
    return answer


async def test_uploads(world: Sandbox, channel: Channel, at_ann: Window, ann: Person) -> None:
    body = {"as": str(ann.id), "channel": str(channel.id), "content": "Look"}
    status, _ = await at_ann.send("say", form(body, ("a.png", png(6, 4))))
    assert status == 200
    (file,) = (await at_ann.message())["attachments"]
    assert (file["name"], file["picture"], file["width"], file["height"]) == ("a.png", True, 6, 4)
    assert file["url"].startswith(f"/attachments/{channel.id}/")
    async with at_ann.session.get(at_ann.base + file["url"]) as response:
        assert (response.content_type, await response.read()) == ("image/png", png(6, 4))
    status, answer = await at_ann.send("say", form(body, ("big", bytes(10 * 1024 * 1024 + 1))))
    assert (status, "large" in answer["error"]) == (422, True)
    too_many = [(f"{n}.txt", b"x") for n in range(11)]
    assert (await at_ann.send("say", form(body, *too_many)))[0] == 422
    three = [(f"{n}", bytes(9 * 1024 * 1024)) for n in range(3)]
    assert (await at_ann.send("say", form(body, *three)))[0] == 413
    assert len(channel.messages) == 1


async def test_bodies_are_bounded_and_read_with_care(
    channel: Channel, at_ann: Window, ann: Person
) -> None:
    me, place = str(ann.id), str(channel.id)
    for raw, expected in (
        (json.dumps({"as": me, "content": "x" * MAX_JSON_BYTES}), 413),
        ("{", 400),
        ("[]", 400),
        ("[" * 50_000, 400),
        (json.dumps({"as": me}), 400),
        (json.dumps({"as": 7}), 400),
        (json.dumps({"as": "nobody", "channel": place, "content": "x"}), 404),
        (json.dumps({"as": me, "channel": "9" * 40, "content": "x"}), 404),
        (json.dumps({"as": me, "channel": "²", "content": "x"}), 400),
        (json.dumps({"as": me, "channel": place, "content": ["x"]}), 400),
        (json.dumps({"as": me, "channel": place, "content": "  "}), 422),
        (json.dumps({"as": me, "channel": place, "content": "x" * 2001}), 422),
        (json.dumps({"as": me, "channel": place, "content": "x", "message": "1"}), 404),
    ):
        status, answer = await at_ann.send("say", raw)
        assert (status, list(answer)) == (expected, ["error"]), raw[:80]

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(80):
            yield b" " * 1024

    json_type = {"Content-Type": "application/json"}
    assert (await at_ann.send("say", endless(), json_type))[0] == 413
    assert (await at_ann.send("say", b"{}", {"Content-Type": "text/plain"}))[0] == 415
    for name, body in (
        ("slash", {"channel": place, "command": " "}),
        ("slash", {"channel": place, "command": "x", "options": []}),
        ("slash", {"channel": place, "command": "x", "options": {"o": {"planet": 1}}}),
        ("slash", {"channel": place, "command": "x", "options": {"o": {"file": 7}}}),
        ("select", {"channel": place, "message": "1", "custom_id": "x"}),
        ("submit", {"form": "made-up"}),
        ("friend", {"user": "1", "on": True}),
        ("forward", {"channel": place, "on": "yes"}),
        ("nonsense", {}),
    ):
        status, answer = await at_ann.act(name, **body)
        assert (status in {400, 404}, list(answer)) == (True, ["error"]), name
    assert channel.messages == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example"},
        {"Host": "localhost.evil.example:8470"},
        {"Host": "203.0.113.7"},
        {"Host": ""},
    ],
)
async def test_other_sites_are_refused(
    channel: Channel, at_ann: Window, headers: dict[str, str]
) -> None:
    body = json.dumps({"as": at_ann.me, "channel": str(channel.id), "content": "x"})
    assert (await at_ann.send("say", body, headers))[0] == 403
    for path in ("/page/api/world", "/page/live"):
        async with at_ann.session.get(at_ann.base + path, headers=headers) as response:
            assert response.status == 403, path
    with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
        await at_ann.session.ws_connect(at_ann.base + "/page/live", headers=headers)
    assert channel.messages == []


async def test_the_own_origin_by_any_loopback_name(
    channel: Channel, at_ann: Window, ann: Person
) -> None:
    body = json.dumps({"as": at_ann.me, "channel": str(channel.id), "content": "x"})
    for host in ("localhost:8470", "127.0.0.1", "[::1]:9", "LOCALHOST"):
        headers = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        assert (await at_ann.send("say", body, headers))[0] == 200, host


async def test_bound_to_the_network_numbers_are_taken_and_names_are_not() -> None:
    async with Sandbox(host="0.0.0.0") as world:  # noqa: S104 - what is to be tested
        ann = world.create_guild("Friends").add_person("Ann")
        port = world.api_url.rpartition(":")[2].partition("/")[0]
        async with aiohttp.ClientSession() as session:
            at = Window(f"http://127.0.0.1:{port}", str(ann.id), session)
            for host, expected in (("192.0.2.1:80", 200), ("evil.example", 403)):
                url = f"{at.base}/page/api/world"
                async with session.get(url, headers={"Host": host}) as response:
                    assert response.status == expected


async def test_files_of_the_page(at_ann: Window) -> None:
    folder = Path(guard.__file__).parents[1] / "page"
    names = {file.name: f"/page/{file.name}" for file in folder.iterdir()} | {"": "/"}
    assert {"index.html", "main.js", "base.css", "icon.svg"} <= names.keys()
    kinds = {"html": "text/html", "js": "text/javascript", "css": "text/css", "": "text/html"}
    for name, path in names.items():
        async with at_ann.session.get(at_ann.base + path) as response:
            assert response.status == 200, path
            kind = kinds.get(name.rpartition(".")[2], "image/svg+xml")
            assert response.content_type == kind
            assert response.headers["Cache-Control"] == "no-store"
            policy = response.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
            assert "unsafe" not in policy
    for path in ("/page/", "/page/none.js", "/page/..%2fserver.py", "/page/..%5cserver.py"):
        async with at_ann.session.get(at_ann.base + path) as response:
            assert response.status == 404, path


def test_no_text_is_ever_parsed_as_html() -> None:
    """The page builds nodes. It has no code that would turn a message into markup."""
    folder = Path(guard.__file__).parents[1] / "page"
    for file in folder.glob("*.js"):
        text = file.read_text()
        for door in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("):
            assert door not in text, f"{file.name}: {door}"
        assert len(text.splitlines()) <= 250, file.name


async def test_a_friend_is_switched_on_and_off(
    world: Sandbox, channel: Channel, at_ann: Window, at_bob: Window, bob: Person
) -> None:
    world.page.company.reaction_s = 0
    bot, place = Croupier(), str(channel.id)
    async with running(world, bot):
        await at_ann.do("friend", user=str(bob.id), on=True)
        changed = await at_ann.next_push(lambda push: push.get("company", {}).get("friends"))
        assert changed["company"]["friends"] == [str(bob.id)]
        options = {"opponent": {"user": str(bob.id)}}
        await at_ann.do("slash", channel=place, command="challenge", options=options)
        await at_ann.message(lambda push: "your turn" in push["content"])
        await at_ann.do("friend", user=str(bob.id), on=False)
        changed = await at_bob.next_push(
            lambda push: push["type"] == "world" and not push["company"]["friends"]
        )
        await at_ann.do("forward", channel=place, on=True)
        done = await at_ann.next_push(lambda push: push.get("company", {}).get("note"))
        assert (done["company"]["forward"], done["company"]["note"]) == (None, "Pieces placed: 6.")
        assert bot.legal_moves == [*LATE]
        await at_ann.do("forward", channel=place, on=True)
        done = await at_ann.next_push(
            lambda push: "Nobody" in push.get("company", {}).get("note", "")
        )


async def test_placing_is_stopped(
    world: Sandbox, channel: Channel, at_ann: Window, ann: Person, bob: Person
) -> None:
    place = str(channel.id)
    async with running(world, Croupier()):
        answer = await ann.slash(channel, "challenge", opponent=bob)
        assert answer.message is not None
        await bob.click(answer.message, "Accept")
        await at_ann.do("forward", channel=place, on=True)
        status, _ = await at_ann.act("forward", channel=place, on=True)
        assert status == 409
        await at_ann.do("forward", channel=place, on=False)
        note = await at_ann.next_push(lambda push: push.get("company", {}).get("note"))
        assert note["company"] == {"friends": [], "forward": None, "note": "Stopped."}
