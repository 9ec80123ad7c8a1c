"""Reads JSON bodies, and records a fault in the form for each value of the wrong type."""

from datetime import datetime
from typing import Any

from sandbox.errors import Form

Path = tuple[str | int, ...]


def snowflake(value: object) -> int | None:
    """Return an id from JSON, a number or a string of digits, or None for anything else.

    >>> snowflake("42"), snowflake(42), snowflake("forty-two")
    (42, 42, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if value >= 0 else None
    if isinstance(value, str) and value.isdecimal() and value.isascii():
        return int(value)
    return None


class Fields:
    """The fields of one JSON object in a request, read one at a time.

    If a field is missing or null, a method returns its default. If a value is wrong, the method
    records a fault and returns its default. Fields that were never read are listed as unknown.
    """

    def __init__(self, body: Any, form: Form, path: Path = ()) -> None:
        self._body: dict[str, Any] = body if isinstance(body, dict) else {}
        self.form = form
        self._path = path
        self._read: set[str] = set()
        form.opened.append(self)
        if not isinstance(body, dict):
            form.wrong(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")

    def __contains__(self, name: str) -> bool:
        self._read.add(name)
        return name in self._body

    def raw(self, name: str, default: Any = None) -> Any:
        """Return the value unchanged."""
        self._read.add(name)
        return self._body.get(name, default)

    def wrong(self, name: str, code: str, message: str) -> None:
        """Record a fault in a field."""
        self.form.wrong((*self._path, name), code, message)

    def required(self, name: str) -> None:
        """Record a fault because a field is missing."""
        self.wrong(name, "BASE_TYPE_REQUIRED", "This field is required")

    def text(
        self, name: str, *, longest: int, shortest: int = 0, required: bool = False
    ) -> str | None:
        """Return a string whose length is within limits. Other scalars are converted to text."""
        value = self.raw(name)
        if value is None:
            if required:
                self.required(name)
            return None
        if isinstance(value, bool | int | float):
            value = str(value)
        if not isinstance(value, str):
            self.wrong(name, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return None
        if len(value) > longest:
            self.wrong(name, "BASE_TYPE_MAX_LENGTH", f"Must be {longest} or fewer in length.")
        elif len(value) < shortest:
            self.wrong(
                name,
                "BASE_TYPE_BAD_LENGTH",
                f"Must be between {shortest} and {longest} in length.",
            )
        return value

    def number(self, name: str, *, low: int | None = None, high: int | None = None) -> int | None:
        """Return an integer within limits. A string of digits is also accepted."""
        value = self.raw(name)
        if value is None:
            return None
        try:
            number = int(value)
        except (TypeError, ValueError):
            self.wrong(name, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return None
        if low is not None and number < low:
            self.wrong(
                name, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}."
            )
        elif high is not None and number > high:
            self.wrong(
                name, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}."
            )
        return number

    def flag(self, name: str) -> bool | None:
        value = self.raw(name)
        if value is None or isinstance(value, bool):
            return value
        self.wrong(name, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
        return None

    def id(self, name: str) -> int | None:
        value = self.raw(name)
        if value is None:
            return None
        number = snowflake(value)
        if number is None:
            self.wrong(name, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
        return number

    def ids(self, name: str, *, limit: int) -> list[int]:
        """Return a list of snowflakes."""
        numbers = []
        for n, value in enumerate(self.items(name, limit=limit)):
            number = snowflake(value)
            if number is None:
                self.form.wrong(
                    (*self._path, name, n),
                    "NUMBER_TYPE_COERCE",
                    f'Value "{value}" is not snowflake.',
                )
            else:
                numbers.append(number)
        return numbers

    def items(self, name: str, *, limit: int) -> list[Any]:
        """Return a list of at most ``limit`` items, without checking their types."""
        value = self.raw(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.wrong(name, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if len(value) > limit:
            self.wrong(name, "BASE_TYPE_MAX_LENGTH", f"Must be {limit} or fewer in length.")
        return value

    def inner(self, name: str) -> "Fields | None":
        """Return the fields of the object in a field, or None."""
        value = self.raw(name)
        return None if value is None else Fields(value, self.form, (*self._path, name))

    def each(self, name: str, *, limit: int) -> "list[Fields]":
        """Return the fields of each object in a list."""
        return [
            Fields(item, self.form, (*self._path, name, n))
            for n, item in enumerate(self.items(name, limit=limit))
        ]

    def moment(self, name: str) -> str | None:
        """Return an ISO 8601 time."""
        value = self.text(name, longest=64)
        if value is None:
            return None
        try:
            datetime.fromisoformat(value)
        except ValueError:
            self.wrong(name, "DATE_TIME_TYPE_PARSE", f"Could not parse {value}.")
            return None
        return value

    def names(self) -> list[str]:
        """Return the names of all fields in the object."""
        return list(self._body)

    def unread(self) -> list[str]:
        """Return the paths of fields that were never read."""
        unread = (name for name in self._body if name not in self._read)
        return [".".join(map(str, (*self._path, name))) for name in unread]
