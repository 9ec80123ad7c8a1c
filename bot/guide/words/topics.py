"""Topics that people ask the bot about in words, and the game's answers."""

from typing import Final

from bot.guide.topics import Topic

FRIENDS: Final = Topic(
    words=(
        "friend, friends, invite, other people, freund, freunde, freundin, einladen, ami, amis, "
        "amie, inviter, amigo, amigos, amiga, invitar, amico, amici, amica, invitare, vriend, "
        "vrienden, vriendin, uitnodigen"
    ),
    told=lambda reader: reader.gettext("/challenge invites a friend, or anyone."),
)
LEVELS: Final = Topic(
    words="level, levels, stufe, stufen, niveau, niveaux, nivel, niveles, livello, livelli",
    told=lambda reader: reader.gettext("You choose my level with /play. 1 is the easiest."),
)
