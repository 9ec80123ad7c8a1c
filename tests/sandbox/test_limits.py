"""Tests for sizes and formats that Discord rejects with 50035 and similar codes."""

from typing import Any

import pytest

from sandbox import Channel, Person, Sandbox
from sandbox.drafts import MAX_FILE_BYTES
from tests.sandbox.clients import Api, png


def button(n: object = 0, **more: object) -> dict[str, object]:
    return {"type": 2, "style": 1, "label": "x", "custom_id": f"id-{n}", **more}


def row(*items: dict[str, object]) -> dict[str, object]:
    return {"type": 1, "components": list(items)}


def select(options: int, **more: object) -> dict[str, object]:
    offered = [{"label": f"o{n}", "value": f"v{n}"} for n in range(options)]
    return {"type": 3, "custom_id": "s", "options": offered, **more}


LONG = "x" * 101

GOOD: list[dict[str, Any]] = [
    {"content": "x" * 2000},
    {"embeds": [{"description": "x" * 4096}, {"footer": {"text": "x" * 1904}}]},
    {"components": [row(*(button(f"{r}{c}") for c in range(5))) for r in range(5)]},
    {"components": [row(button("x" * 97))]},
    {"components": [row(button(label="x" * 80))]},
    {"components": [row(button(label=None, emoji={"id": None, "name": "👍"}))]},
    {"components": [row({"type": 2, "style": 5, "label": "x", "url": "https://example.com"})]},
    {"components": [row(select(25, max_values=25))]},
    {"flags": 1 << 15, "components": [{"type": 10, "content": "x"} for _ in range(40)]},
    {
        "flags": 1 << 15,
        "components": [
            {"type": 17, "components": [{"type": 10, "content": "profile"}, row(button())]}
        ],
    },
]

BAD: list[tuple[dict[str, Any], str]] = [
    ({"content": "x" * 2001}, "content"),
    ({"content": ["x"]}, "content"),
    ({"content": "x", "nonce": "x" * 26}, "nonce"),
    ({"embeds": [{"title": "x"}] * 11}, "embeds"),
    ({"embeds": [{"title": "x" * 257}]}, "embeds.0.title"),
    ({"embeds": [{"description": "x" * 4097}]}, "embeds.0.description"),
    ({"embeds": [{"fields": [{"name": "x"}]}]}, "embeds.0.fields.0.value"),
    ({"embeds": [{"fields": [{"name": "x", "value": "x" * 1025}]}]}, "embeds.0.fields.0.value"),
    ({"embeds": [{"title": "x", "color": 1 << 24}]}, "embeds.0.color"),
    ({"embeds": [{"title": "x", "timestamp": "yesterday"}]}, "embeds.0.timestamp"),
    ({"embeds": [{"description": "x" * 3001}] * 2}, "embeds"),
    ({"components": [row(button(n)) for n in range(6)]}, "components"),
    ({"components": [row(*(button(n) for n in range(6)))]}, "components.0.components"),
    ({"components": [row()]}, "components.0.components"),
    ({"components": [button()]}, "components.0.type"),
    ({"components": ["row"]}, "components.0"),
    ({"components": [row(button(), button())]}, "components.0.components.1.custom_id"),
    ({"components": [row(button()), row(button())]}, "components.1.components.0.custom_id"),
    ({"components": [row(button(custom_id=LONG))]}, "components.0.components.0.custom_id"),
    ({"components": [row(button(custom_id=None))]}, "components.0.components.0.custom_id"),
    ({"components": [row(button(label="x" * 81))]}, "components.0.components.0.label"),
    ({"components": [row(button(label=None))]}, "components.0.components.0.label"),
    ({"components": [row(button(style=9))]}, "components.0.components.0.style"),
    ({"components": [row(button(style=5, url="x:y"))]}, "components.0.components.0.custom_id"),
    ({"components": [row(select(26))]}, "components.0.components.0.options"),
    ({"components": [row(select(0))]}, "components.0.components.0.options"),
    ({"components": [row(select(2), button())]}, "components.0.components"),
    ({"components": [row(select(2, max_values=3))]}, "components.0.components.0.options"),
    ({"components": [row(select(2, min_values=2))]}, "components.0.components.0.min_values"),
    ({"components": [row(select(2, placeholder="x" * 151))]}, "components.0.components.0"),
    ({"components": [{"type": 10, "content": "V2 without its flag"}]}, "components.0.type"),
    ({"flags": 1 << 15, "content": "x", "components": [row(button())]}, "content"),
    ({"flags": 1 << 15, "components": [{"type": 10, "content": "x"}] * 41}, "components"),
    ({"flags": 1 << 15, "components": [{"type": 10, "content": "x" * 2001}] * 2}, "components"),
    ({"content": "x", "allowed_mentions": {"users": [LONG]}}, "allowed_mentions.users.0"),
    ({"content": "x", "message_reference": {}}, "message_reference.message_id"),
    ({"content": "x", "message_reference": {"message_id": True}}, "message_reference.message_id"),
    ({"content": "x", "attachments": [{"description": "whose?"}]}, "attachments.0.id"),
    ({"content": "x", "tts": "yes"}, "tts"),
]


@pytest.mark.parametrize("body", GOOD)
async def test_just_within_the_limits(channel: Channel, api: Api, body: dict[str, Any]) -> None:
    status, answer = await api("POST", f"/channels/{channel.id}/messages", body)
    assert status == 200, answer


@pytest.mark.parametrize(("body", "place"), BAD)
async def test_just_beyond_the_limits(
    channel: Channel, api: Api, body: dict[str, Any], place: str
) -> None:
    status, answer = await api("POST", f"/channels/{channel.id}/messages", body)
    assert (status, answer["code"]) == (400, 50035)
    errors = answer["errors"]
    for step in place.split("."):
        assert step in errors, answer
        errors = errors[step]
    assert channel.messages == []


@pytest.mark.parametrize(
    "body", [{}, {"content": ""}, {"content": " \n"}, {"embeds": [{}]}, {"components": []}]
)
async def test_nothing_to_show(channel: Channel, api: Api, body: dict[str, Any]) -> None:
    status, answer = await api("POST", f"/channels/{channel.id}/messages", body)
    assert (status, answer["code"]) == (400, 50006)


async def test_all_faults_are_reported_at_once(channel: Channel, api: Api) -> None:
    body = {"content": "x" * 2001, "components": [row(button(label="x" * 81))]}
    _, answer = await api("POST", f"/channels/{channel.id}/messages", body)
    assert set(answer["errors"]) == {"content", "components"}


async def test_files_have_a_size_a_number_and_an_alternative_text(
    channel: Channel, api: Api
) -> None:
    path = f"/channels/{channel.id}/messages"
    small, large = b"x", b"x" * (MAX_FILE_BYTES + 1)
    status, answer = await api("POST", path, files=(("a", large),))
    assert (status, answer["code"]) == (413, 40005)
    status, answer = await api("POST", path, files=(("a", large[:-1]),) * 3)
    assert (status, answer["code"]) == (413, 40005)  # 30 MiB together
    files = tuple((f"{n}.txt", small) for n in range(11))
    assert (await api("POST", path, files=files))[1]["code"] == 50035
    assert len((await api("POST", path, files=files[1:]))[1]["attachments"]) == 10
    described = {"attachments": [{"id": 0, "description": "x" * 1025}]}
    assert (await api("POST", path, described, files=files[:1]))[1]["code"] == 50035
    described = {"attachments": [{"id": "0", "description": "x" * 1024, "filename": "b c.txt"}]}
    _, answer = await api("POST", path, described, files=files[:1])
    assert answer["attachments"][0]["description"] == "x" * 1024
    assert answer["attachments"][0]["filename"] == "b_c.txt"


async def test_pictures_in_components_v2(channel: Channel, api: Api) -> None:
    picture = {"url": "attachment://b.png"}
    body = {
        "flags": 1 << 15,
        "components": [
            {
                "type": 17,
                "components": [
                    {
                        "type": 9,
                        "components": [{"type": 10, "content": "Ann"}],
                        "accessory": {"type": 11, "media": picture},
                    },
                    {"type": 14},
                    {"type": 12, "items": [{"media": picture, "description": "A board"}]},
                ],
            },
            {"type": 13, "file": picture},
        ],
    }
    path = f"/channels/{channel.id}/messages"
    status, answer = await api("POST", path, body, files=(("b.png", png(5, 3)),))
    assert status == 200, answer
    container, file = answer["components"]
    gallery = container["components"][2]
    (attachment,) = answer["attachments"]
    for media in (gallery["items"][0]["media"], container["components"][0]["accessory"]["media"]):
        assert (media["url"], media["width"]) == (attachment["url"], 5)
    assert (file["name"], file["size"]) == ("b.png", len(png(5, 3)))


async def test_a_components_v2_message_stays_one(channel: Channel, api: Api) -> None:
    path = f"/channels/{channel.id}/messages"
    text = {"type": 10, "content": "profile"}
    _, sent = await api("POST", path, {"flags": 1 << 15, "components": [text]})
    status, answer = await api("PATCH", f"{path}/{sent['id']}", {"content": "x"})
    assert (status, answer["code"]) == (400, 50035)
    status, answer = await api("PATCH", f"{path}/{sent['id']}", {"components": [text, text]})
    assert (status, answer["flags"], len(answer["components"])) == (200, 1 << 15, 2)


async def test_fields_that_discord_does_not_know_are_noted(
    world: Sandbox, channel: Channel, api: Api
) -> None:
    body = {"content": "x", "colour": 1, "components": [row(button(tooltip="y"))]}
    status, _ = await api("POST", f"/channels/{channel.id}/messages", body)
    assert status == 200  # Discord ignores them
    exchange = world.exchanges.pop()
    assert exchange.unknown_fields == ("colour", "components.0.components.0.tooltip")


async def test_people_have_limits_too(channel: Channel, ann: Person) -> None:
    with pytest.raises(Exception, match="50035"):
        await ann.say(channel, "x" * 2001)
    with pytest.raises(Exception, match="50006"):
        await ann.say(channel, " ")


@pytest.mark.parametrize("body", [b"{", b"\xff"])
async def test_invalid_json(world: Sandbox, channel: Channel, api: Api, body: bytes) -> None:
    import aiohttp  # noqa: PLC0415

    url = f"{world.api_url}/channels/{channel.id}/messages"
    headers = {"Authorization": f"Bot {world.token}", "Content-Type": "application/json"}
    async with aiohttp.ClientSession() as session:
        async with session.post(url, data=body, headers=headers) as response:
            assert (response.status, (await response.json())["code"]) == (400, 50109)
            assert response.headers["Content-Type"] == "application/json"
        form = aiohttp.FormData()
        form.add_field("payload_json", body.decode("latin-1"))
        form.add_field("files[0]", b"x", filename="x")
        del headers["Content-Type"]
        async with session.post(url, data=form, headers=headers) as response:
            assert (response.status, (await response.json())["code"]) == (400, 50109)
