"""Help topics about the game itself, with their answers."""

from collections.abc import Callable
from typing import Final

from bot.base.languages import Reader
from bot.connection.posts import command
from bot.guide.topics import Topic


def by_ear(reader: Reader, mention: Callable[[str], str]) -> str:
    """Explain how to play without seeing the board. `mention` returns a command's mention."""
    sentence = reader.gettext(
        "**Playing by ear.** Switch *Boards in words* on in {settings}, under *Language and "
        "boards*: each turn is a new message then, with its board in words. {move} says what each "
        "move does."
    )
    return sentence.format(move=mention("move"), settings=mention("settings"))


FRIENDS: Final = Topic(
    words=(
        "friend, friends, invite, other people, freund, freunde, freundin, einladen, ami, amis, "
        "amie, inviter, amigo, amigos, amiga, invitar, amico, amici, amica, invitare, vriend, "
        "vrienden, vriendin, uitnodigen"
    ),
    answer=lambda reader: reader.gettext("{challenge} invites a friend, or anyone.").format(
        challenge=command(reader, "challenge", {})
    ),
)
BY_EAR: Final = Topic(
    words=(
        "blind, screen reader, by ear, accessibility, blindheit, screenreader, "
        "nach gehör, aveugle, lecteur d'écran, à l'oreille, ciego, ciega, "
        "de oído, cieco, cieca, a orecchio, schermlezer, op gehoor"
    ),
    answer=lambda reader: by_ear(reader, lambda name: command(reader, name, {})),
)
LEVELS: Final = Topic(
    words="level, levels, stufe, stufen, niveau, niveaux, nivel, niveles, livello, livelli",
    answer=lambda reader: reader.gettext("You choose my level with /play. 1 is the easiest."),
)
