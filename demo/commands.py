"""Helper to use commands with options, including those in the form *More options*."""

from typing import Final

from sandbox import Answer, Channel, Person

IN_FORM: Final = {"colour", "start", "where", "coordinates", "teams", "weekends", "strict"}
"""The options of /play and /challenge that are chosen in their form."""
_TRIES: Final = 4
"""Maximum number of attempts, because a bot on a busy machine may be too slow for a form."""
_ALSO: Final = ("where", "coordinates", "teams", "strict")
_NAMED: Final = ("teams", "strict")
"""Options of the form that are either on or off."""


async def use(person: Person, place: Channel, command: str, /, **options: object) -> Answer:
    """Use /play or /challenge, and fill in the form if an option is there."""
    arguments = {name: value for name, value in options.items() if name not in IN_FORM}
    if len(arguments) == len(options):
        return await person.slash(place, command, **arguments)
    for _ in range(_TRIES):
        answer = await person.slash(place, command, **arguments, more=True)
        if answer.modal is not None:
            break
    else:
        return answer
    form: dict[str, str | list[str]] = {
        name: [str(options[name])] for name in ("colour", "start") if name in options
    }
    form |= {"weekends": str(options["weekends"])} if "weekends" in options else {}
    (menu,) = (field for field in answer.modal.modal.fields if field.custom_id == "also")
    choices = {option["value"] for option in menu.payload["options"]}  # not the defaults
    values = {name if name in _NAMED else str(options[name]) for name in _ALSO if name in options}
    form["also"] = sorted(values & choices)
    return await person.submit(answer.modal, form)
