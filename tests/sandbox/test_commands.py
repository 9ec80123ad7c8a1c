"""Tests for registering commands: what Discord accepts and what it rejects."""

from typing import Any

import pytest

from sandbox import Sandbox
from tests.sandbox.clients import Api


def command(name: str = "move", **more: object) -> dict[str, Any]:
    return {"name": name, "description": "d", **more}


def option(name: str = "o", kind: int = 3, **more: object) -> dict[str, Any]:
    return {"name": name, "description": "d", "type": kind, **more}


def choices(count: int) -> list[dict[str, str]]:
    return [{"name": f"n{n}", "value": f"v{n}"} for n in range(count)]


GOOD: list[dict[str, Any]] = [
    command("x" * 32, description="x" * 100),
    command("zug-e_2", name_localizations={"de": "zug"}),
    command("être"),
    command(options=[option(f"o{n}") for n in range(25)]),
    command(options=[option(choices=choices(25))]),
    command(options=[option("a", required=True), option("b")]),
    command(options=[option("sub", 1, options=[option()])]),
    command(options=[option("group", 2, options=[option("sub", 1, options=[option()])])]),
    command(options=[option(autocomplete=True), option("n", 4, min_value=1, max_value=9)]),
    {"name": "Show Board", "type": 3},
]

BAD: list[tuple[dict[str, Any], str]] = [
    (command(""), "name"),
    (command("x" * 33), "name"),
    (command("Move"), "name"),
    (command("two words"), "name"),
    (command("d2!"), "name"),
    (command(description=""), "description"),
    (command(description="x" * 101), "description"),
    ({"name": "move"}, "description"),
    (command(type=9), "type"),
    (command(options=[option(f"o{n}") for n in range(26)]), "options"),
    (command(options=[option("Upper")]), "options.0.name"),
    (command(options=[option("a"), option("a")]), "options.1.name"),
    (command(options=[option("a"), option("b", required=True)]), "options.1.required"),
    (command(options=[option(kind=12)]), "options.0.type"),
    (command(options=[option(description="")]), "options.0.description"),
    (command(options=[option(choices=choices(26))]), "options.0.choices"),
    (command(options=[option(choices=[{"name": "n", "value": "x" * 101}])]), "options.0.choices"),
    (command(options=[option(choices=[{"name": "n", "value": 1}])]), "options.0.choices.0.value"),
    (command(options=[option(kind=5, choices=choices(1))]), "options.0.choices"),
    (command(options=[option(choices=choices(1), autocomplete=True)]), "options.0.autocomplete"),
    (command(options=[option("sub", 1), option("b")]), "options"),
    (command(options=[option("group", 2, options=[option()])]), "options.0.options"),
    (command(options=[option("s", 1, options=[option("t", 1)])]), "options.0.options.0.type"),
    (command(options=[option(choices=[{"name": "x" * 100, "value": "y" * 100}] * 25)] * 2), ""),
]


@pytest.fixture
def path(world: Sandbox) -> str:
    return f"/applications/{world.application.id}/commands"


@pytest.mark.parametrize("body", GOOD)
async def test_just_within_the_limits(api: Api, path: str, body: dict[str, Any]) -> None:
    status, answer = await api("PUT", path, [body])
    assert status == 200, answer
    assert answer[0]["name"] == body["name"]
    assert (await api("GET", path))[1] == answer


@pytest.mark.parametrize(("body", "place"), BAD)
async def test_just_beyond_the_limits(
    api: Api, path: str, body: dict[str, Any], place: str
) -> None:
    await api("PUT", path, [command("before")])
    status, answer = await api("PUT", path, [command("fine"), body])
    assert (status, answer["code"]) == (400, 50035)
    errors = answer["errors"]["1"]
    for step in filter(None, place.split(".")):
        assert step in errors, answer
        errors = errors[step]
    # All fail together: the registered ones stay.
    assert [row["name"] for row in (await api("GET", path))[1]] == ["before"]


async def test_at_most_a_hundred_commands_are_accepted(api: Api, path: str) -> None:
    hundred = [command(f"c{n}") for n in range(100)]
    assert (await api("PUT", path, hundred))[0] == 200
    status, answer = await api("PUT", path, [*hundred, command("more")])
    assert (status, answer["code"]) == (400, 30032)
    assert (await api("PUT", path, [command(), command()]))[1]["code"] == 50035


async def test_eight_thousand_characters_are_all_there_is(api: Api, path: str) -> None:
    offered = [{"name": f"{n:0100}", "value": f"{n:0100}"} for n in range(25)]
    long = [option(f"o{n}", choices=offered) for n in range(2)]
    status, answer = await api("PUT", path, [command(options=long)])
    assert (status, answer["code"]) == (400, 50035)
    assert (await api("PUT", path, [command(options=long[:1])]))[0] == 200


async def test_remaining_components_keep_their_ids(api: Api, path: str) -> None:
    _, first = await api("PUT", path, [command("a"), command("b")])
    _, second = await api("PUT", path, [command("b", description="new"), command("c")])
    assert second[0]["id"] == first[1]["id"]
    assert [row["name"] for row in second] == ["b", "c"]


async def test_events_of_another_application_are_not_sent(api: Api) -> None:
    assert (await api("GET", "/applications/1/commands"))[1]["code"] == 50001
    assert (await api("PUT", "/applications/1/commands", [command()]))[1]["code"] == 50001
