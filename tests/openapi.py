"""Check REST exchanges of the sandbox against Discord's own OpenAPI description.

The description leaves out the gateway, and therefore events and received interactions. It also says
little about fields that are not allowed. The sandbox reports the fields that it did not read.
"""

import re
from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any

from jsonschema_rs import Draft202012, Draft202012Validator, Registry, ValidationError

from sandbox import Exchange
from tests.shared_files import SHARED, shared_json

_FILE = "discord/openapi.json"
_UNDOCUMENTED = {"use_nested_fields"}
"""Query parameters that Discord accepts and clients send, although they are not documented."""

_ID = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+$"}]}
"""Values that Discord accepts as an id. Clients send numbers, too, against its description."""

_FAULTS = {
    "type": "object",
    "additionalProperties": False,
    "required": ["_errors"],
    "properties": {
        "_errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
            },
        }
    },
}
"""Errors of a form have names as codes, according to Discord's documentation.

The description says numbers.
"""


def at_hand() -> bool:
    """Return True if the description is next to this checkout."""
    return (SHARED / _FILE).exists()


def check(exchanges: Iterable[Exchange]) -> list[str]:
    """Return where requests or responses differ from the description, one line each.

    Without the description the list is empty, as the end of a test run says.
    """
    if not at_hand():
        return []
    return [line for exchange in exchanges for line in _violations(exchange)]


def _violations(exchange: Exchange) -> list[str]:
    where = f"{exchange.method} {exchange.route or exchange.path} -> {exchange.status}"
    operation = _operations().get((exchange.method.lower(), _shape(exchange.route)))
    if operation is None:
        return [f"{where}: there is no such route"]
    found = [
        f"{where}: unknown query parameter {name!r}"
        for name in exchange.query
        if name not in operation["queries"] | _UNDOCUMENTED
    ]
    # A refused request may be malformed.
    if exchange.status < 400:
        found += [f"{where}: unknown field {name!r}" for name in exchange.unknown_fields]
        found += _body(where, operation, exchange)
    return found + _answer(where, operation, exchange)


def _body(where: str, operation: dict[str, Any], exchange: Exchange) -> list[str]:
    content = operation.get("requestBody", {}).get("content", {})
    if exchange.request is None:
        missing = operation.get("requestBody", {}).get("required")
        return [f"{where}: the request has no body"] if missing else []
    if "application/json" not in content:
        return [f"{where}: the request should have no body"]
    pointer = (*operation["pointer"], "requestBody", "content", "application/json", "schema")
    return _differences(f"{where}: request", pointer, exchange.request, lenient=True)


def _answer(where: str, operation: dict[str, Any], exchange: Exchange) -> list[str]:
    responses = operation["responses"]
    key = str(exchange.status)
    if key not in responses:
        key = f"{key[0]}XX"
    if key not in responses:
        return [f"{where}: no such status"]
    response, pointer = responses[key], (*operation["pointer"], "responses", key)
    if "$ref" in response:
        pointer = tuple(response["$ref"].removeprefix("#/").split("/"))
        response = _at(pointer)
    if "content" not in response:
        return [] if exchange.response is None else [f"{where}: the answer should have no body"]
    pointer = (*pointer, "content", "application/json", "schema")
    return _differences(f"{where}: answer", pointer, exchange.response, lenient=False)


def _differences(where: str, pointer: tuple[str, ...], body: Any, *, lenient: bool) -> list[str]:
    errors = _validator(pointer, lenient=lenient).iter_errors(body)
    return [f"{where}: {_path(error)}: {error.message[:300]}" for error in islice(errors, 1)]


def _path(error: ValidationError) -> str:
    return "$" + "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path
    )


@cache
def _description() -> dict[str, Any]:
    description: dict[str, Any] = shared_json(_FILE)
    return description


def _at(pointer: tuple[str, ...]) -> Any:
    place: Any = _description()
    for step in pointer:
        place = place[step]
    return place


@cache
def _operations() -> dict[tuple[str, str], dict[str, Any]]:
    """Return every operation by method and shape of path, with its query parameters."""
    operations = {}
    for path, item in _description()["paths"].items():
        for method in ("get", "post", "put", "patch", "delete"):
            if method in item:
                parameters = (*item.get("parameters", ()), *item[method].get("parameters", ()))
                operations[method, _shape(path)] = {
                    **item[method],
                    "pointer": ("paths", path, method),
                    "queries": {
                        parameter["name"] for parameter in parameters if parameter["in"] == "query"
                    },
                }
    return operations


def _shape(template: str) -> str:
    """Return a path's template without the names of its parameters."""
    return re.sub(r"\{[^}]*\}", "{}", template)


@cache
def _registry(*, lenient: bool) -> Registry:
    components = _description()["components"]
    schemas = {**components["schemas"], "InnerErrors": _FAULTS}
    if lenient:
        schemas["SnowflakeType"] = _ID
    description = {**_description(), "components": {**components, "schemas": schemas}}
    return Registry([("urn:discord", description)], draft=Draft202012)


@cache
def _validator(pointer: tuple[str, ...], *, lenient: bool) -> Draft202012Validator:
    steps = (step.replace("~", "~0").replace("/", "~1") for step in pointer)
    fragment = "/".join(step.replace("{", "%7B").replace("}", "%7D") for step in steps)
    schema = {"$ref": f"urn:discord#/{fragment}"}
    return Draft202012Validator(schema, registry=_registry(lenient=lenient))
