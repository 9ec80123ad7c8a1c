"""Holds REST exchanges of the sandbox against Discord's own OpenAPI description.

The description knows nothing of the gateway, so that interactions as the bot receives them, and
all other events, are beyond it. It says little about what a body may not hold either: fields that
no schema names come from the sandbox, which notes those that it did not read.
"""

import json
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from sandbox import Exchange
from tests.shared_files import SHARED, shared_json

_FILE = "discord/openapi.json"
_UNDOCUMENTED = {"use_nested_fields"}
"""Query parameters that Discord takes and clients send, though no page tells of them."""

_OF_THE_RUN = re.compile(r"[1-9][0-9]{16,19}|[0-9-]{10}T[0-9:.]{8,15}")
"""What alone differs between many a body and the next: IDs and times, each as good as another."""

_FREE = {"content", "custom_id", "description", "filename", "label", "nonce", "proxy_url", "url"}
"""Fields whose text is anything: the description bounds their length, and says no more of them."""

_ID = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+$"}]}
"""What Discord takes for an id: clients send numbers too, though the description says text."""

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
"""The faults of a form carry names for codes, as Discord's pages on errors show and bots see; the
description says numbers, as for the error around them."""


def at_hand() -> bool:
    """Whether the description lies beside this checkout."""
    return (SHARED / _FILE).exists()


def check(exchanges: Iterable[Exchange]) -> list[str]:
    """Where requests or answers differ from the description: one line each, none if all is well.

    None either where the description is not at hand, as the end of a test run says.
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
    # What was refused need not have been well-formed.
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
    if _holds(pointer, _without_ids(_plain(body)), lenient=lenient):
        return []
    error = best_match(_validator(pointer, lenient=lenient).iter_errors(body))
    if error is None:  # two values that are not to be the same were taken for one
        return []
    return [f"{where}: {error.json_path}: {error.message[:300]}"]


def _plain(body: Any) -> Any:
    """A body in which free texts are as good as another of the like length, and sizes as another.

    The boards of a game then differ in nothing but what the description speaks of.
    """
    if isinstance(body, list):
        return [_plain(part) for part in body]
    if not isinstance(body, dict):
        return body
    return {name: _plain_field(name, part) for name, part in body.items()}


def _plain_field(name: str, part: Any) -> Any:
    if name in _FREE and isinstance(part, str):
        return "x" * _length_like(name, len(part))
    if name == "size" and type(part) is int:
        return 0
    return _plain(part)


@cache
def _length_like(name: str, length: int) -> int:
    """The longest text of a field that is within the same bounds as one of this length."""
    return min((bound for bound in _bounds()[name] if bound >= length), default=length)


@cache
def _bounds() -> dict[str, set[int]]:
    """Up to which lengths free texts are too short, or short enough, wherever they stand."""
    bounds: dict[str, set[int]] = {name: set() for name in _FREE}
    parts = [_description()]
    while parts:
        part = parts.pop()
        if isinstance(part, list):
            parts += part
        elif isinstance(part, dict):
            parts += part.values()
            fields = part.get("properties", {})
            for name in _FREE & fields.keys():
                bounds[name] |= _own_bounds(fields[name])
    return bounds


def _own_bounds(field: Any) -> set[int]:
    """The bounds of one field, also of what it may be among others."""
    kinds = (field, *field.get("oneOf", ()), *field.get("anyOf", ()))
    shortest = {kind["minLength"] - 1 for kind in kinds if "minLength" in kind}
    return shortest | {kind["maxLength"] for kind in kinds if "maxLength" in kind}


def _without_ids(body: Any) -> str:
    """A body's text, in which each digit of an ID and of a time is a 1."""
    return _OF_THE_RUN.sub(lambda one: re.sub("[0-9]", "1", one[0]), json.dumps(body))


@lru_cache(maxsize=10_000)
def _holds(pointer: tuple[str, ...], body: str, *, lenient: bool) -> bool:
    """Whether a body is as described. Every bot says much the same: looking again takes seconds."""
    return _validator(pointer, lenient=lenient).is_valid(json.loads(body))


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
    """Every operation by method and shape of path, with its place and its query parameters."""
    operations = {}
    for path, item in _description()["paths"].items():
        for method in ("get", "post", "put", "patch", "delete"):
            if method in item:
                parameters = (*item.get("parameters", ()), *item[method].get("parameters", ()))
                operations[method, _shape(path)] = {
                    **item[method],
                    "pointer": ("paths", path, method),
                    "queries": {one["name"] for one in parameters if one["in"] == "query"},
                }
    return operations


def _shape(template: str) -> str:
    """A path's template without the names of its variable parts."""
    return re.sub(r"\{[^}]*\}", "{}", template)


@cache
def _registry(*, lenient: bool) -> Registry[Any]:
    components = _description()["components"]
    schemas = {**components["schemas"], "InnerErrors": _FAULTS}
    if lenient:
        schemas["SnowflakeType"] = _ID
    description = {**_description(), "components": {**components, "schemas": schemas}}
    resource = Resource.from_contents(description, default_specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource("urn:discord", resource)
    return registry


@cache
def _validator(pointer: tuple[str, ...], *, lenient: bool) -> Draft202012Validator:
    steps = (step.replace("~", "~0").replace("/", "~1") for step in pointer)
    fragment = "/".join(step.replace("{", "%7B").replace("}", "%7D") for step in steps)
    schema = {"$ref": f"urn:discord#/{fragment}"}
    return Draft202012Validator(schema, registry=_registry(lenient=lenient))
