"""Texts for the strategy chapters. Their positions come from games of the machine."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.base.languages import Reader


@dataclass(frozen=True, slots=True)
class StepWords:
    """The texts of a lesson step, with placeholders that `steps` fills in."""

    task: str
    right: str


def strategy(reader: Reader) -> Mapping[str, StepWords]:
    only_one = reader.gettext("**Only one move wins. Which?**")
    sentences = {
        "bridge": (
            reader.gettext(
                "{stack} is your bridge. Nothing else links the stacks behind it to red."
            ),
            reader.gettext("First across the bridge, then away from it."),
        ),
        "choke": (
            reader.gettext(
                "{stack} is a choke point. Some of your stacks are linked to red only there."
            ),
            reader.gettext("Everything stays linked, and {target} is yours, too."),
        ),
        "back": (
            reader.gettext("Black has just taken {stack}. But you can land there, too."),
            reader.gettext("A retake: {target} is yours again, {high} tall."),
        ),
        "guard": (
            reader.gettext(
                "{stack} is {height} tall, and you could take it. But Black would take it "
                "straight back."
            ),
            reader.gettext("You took its guard first, and Black can't even move."),
        ),
        "snipe": (
            reader.gettext(
                "{stack} is {height} tall. To land there, your stack must be exactly as tall as "
                "its distance."
            ),
            reader.gettext("{target} is {high} tall, and {stack} is {high} away. Bullseye!"),
        ),
        "lift": (
            reader.gettext("Land on your own stack, and you lift it. Taller, it lands elsewhere."),
            reader.gettext("{target} is {high} tall now, and can get away."),
        ),
        "settle": (
            reader.gettext(
                "Few moves are left. Take {stack} ({height} tall), and Black takes it "
                "straight back."
            ),
            reader.gettext("{target} is smaller, but it stays yours."),
        ),
        "reserve": (
            reader.gettext("You can cut off {most} black pieces. Black can't stop it anymore."),
            reader.gettext("Your cut was a reserve move: it could wait."),
        ),
        "order": (
            reader.gettext("Black can't move anymore. You have one more move, or two."),
            reader.gettext("Two moves instead of one."),
        ),
    }
    return {
        name: StepWords(f"{task}\n{only_one}", right) for name, (task, right) in sentences.items()
    }
