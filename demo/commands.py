"""Uses commands with all their options. Some are in the form behind *More options*."""

from typing import Final

from sandbox import Answer, Channel, Person

IN_FORM: Final = {"colour", "start", "where", "coordinates", "teams", "weekends", "strict"}
"""The options of /play and /challenge that are chosen in their form."""
_TRIES: Final = 4
"""A bot on a busy machine may be too slow for a form, and says so."""
_ALSO: Final = ("where", "coordinates", "teams", "strict")
_NAMED: Final = ("teams", "strict")
"""Options of the form that are either on or off."""


async def use(person: Person, place: Channel, command: str, /, **options: object) -> Answer:
    """Use /play or /challenge, and fill in the form if an option is there."""
    asked = {name: value for name, value in options.items() if name not in IN_FORM}
    if len(asked) == len(options):
        return await person.slash(place, command, **asked)
    for _ in range(_TRIES):
        opened = await person.slash(place, command, **asked, more=True)
        if opened.modal is not None:
            break
    else:
        return opened
    form: dict[str, str | list[str]] = {
        name: [str(options[name])] for name in ("colour", "start") if name in options
    }
    form |= {"weekends": str(options["weekends"])} if "weekends" in options else {}
    (listed,) = (field for field in opened.modal.modal.fields if field.custom_id == "also")
    offered = {option["value"] for option in listed.payload["options"]}  # not the defaults
    wanted = {name if name in _NAMED else str(options[name]) for name in _ALSO if name in options}
    form["also"] = sorted(wanted & offered)
    return await person.submit(opened.modal, form)
