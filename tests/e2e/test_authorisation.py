"""Tests for strangers who use other people's ids, with a table of all buttons and selects.

Discord's clients only send ids from messages that their user sees. These ids are forged.
"""

from random import Random

from bot.replay.model.replays import pack
from demo.commands import use
from sandbox import Answer, Channel, Message, Permission, Person
from tests.e2e.conftest import Club, message_of, texts
from tests.e2e.database import everything
from tests.e2e.features.reviews.reviewing import review
from tests.e2e.features.tournaments.cups import create
from tests.fuzz.ids import sample, templates
from tests.games import random_game
from tests.tiers import share_of

ENDED, RUNNING, CUP, STUDY, CHALLENGE = 1, 2, 1, 1, 3
VIEW = int(Permission.VIEW_CHANNEL)
MOVES = random_game(5)
EACH = share_of(15)
"""Number of ids of each template and game."""
BUTTON, SELECT = 2, 3
OUT_OF_SIGHT = "I don't show that game here. Open it where it was played."
REFUSED = {
    "game": (OUT_OF_SIGHT,),
    "tournament": ("I can't find that tournament.",),
    "study": ("That board isn't there anymore. Open a new one.",),
    "challenge": ("already over", "can press that"),
}
"""The answer for each kind of thing that an id can name."""
NOT_REVIEWED = "Reviews are switched off here."
"""The answer to every request for a review, if the bot has no machine."""


class Rooms:
    """A server with two games in a hidden channel, and people who can't see it."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.hidden = club.guild.create_channel("hidden")
        self.other = club.world.create_guild("Elsewhere")
        self.lobby = self.other.create_channel("lobby")
        self.dan = self.other.add_person("Dan")

    async def furnish(self) -> None:
        """Create a reviewed game, a running one, a tournament, a study and a challenge."""
        club, hidden = self.club, self.hidden
        club.guild.set_permissions(hidden, club.guild.everyone, deny=VIEW)
        for item in (club.ann, club.bob, club.guild.bot_role):
            club.guild.set_permissions(hidden, item, allow=VIEW)
        ended = await club.start_game(hidden)
        await ended.reach(MOVES[:60])
        asked = message_of(await club.ann.slash(hidden, "resign"))
        await club.ann.click(asked, "Yes, resign")
        self.last = await ended.board(61)
        await review(club, game=ENDED, losses={54: 0.3})
        running = await club.start_game(hidden)
        await running.reach(MOVES[:12])
        await create(club.guild.owner, club.channel, name="Cup", format="swiss")
        tried = message_of(await club.ann.menu(self.last, "Explore from here"))
        assert any(f":study:{STUDY}:" in (button.custom_id or "") for button in tried.buttons)
        await use(club.ann, club.channel, "challenge", opponent=club.bob)


async def forged(person: Person, under: Message, custom_id: str, *, is_list: bool) -> Answer:
    """Press a button that was never under a message of the bot."""
    one: dict[str, object] = {"id": 2, "type": BUTTON, "style": 2, "label": "?"}
    if is_list:
        options = [{"label": "?", "value": str(ENDED)}]
        one = {"id": 2, "type": SELECT, "options": options, "min_values": 1, "max_values": 1}
    row = {"id": 1, "type": 1, "components": [one | {"custom_id": custom_id}]}
    under.components = [row]
    if is_list:
        return await person.select(under, [str(ENDED)], custom_id=custom_id)
    return await person.click(under, custom_id=custom_id)


def table(known: dict[str, object]) -> list[tuple[str, str, bool]]:
    """Return all ids that name other people's things: the kind of thing, and True for a select."""
    rng, rows = Random(47), []
    for name, template in templates():
        for group, numbers in (
            ("game", (RUNNING, ENDED)),
            ("subject", (RUNNING, ENDED)),
            ("tournament", (CUP,)),
            ("study", (STUDY,)),
            ("challenge", (CHALLENGE,)),
        ):
            if group not in template.groupindex:
                continue
            for number in numbers:
                named = known | {group: number}
                if group == "study":
                    named["move"] = pack(MOVES[:1])
                made = {sample(template, rng, **named) for _ in range(EACH)}
                what = "game" if group == "subject" else group
                rows += [(item, what, name.endswith("Select")) for item in sorted(made)]
            break
    return rows


async def test_strangers_are_shown_nothing_and_change_nothing(club: Club) -> None:
    rooms = Rooms(club)
    await rooms.furnish()
    before = everything(club.bot)
    rows = table({"revision": 0, "round": 1})
    assert len(rows) > 40 * EACH
    here = [row for row in rows if row[1] not in {"tournament", "challenge"}]
    wrong = []
    for person, place, seen in (
        (club.cid, club.channel, here),  # the others are for everyone there
        (rooms.dan, rooms.lobby, rows),
        (rooms.dan, rooms.dan.dm, rows),
    ):
        under = message_of(await person.slash(place, "help"))
        for custom_id, what, is_list in seen:
            answer = await forged(person, under, custom_id, is_list=is_list)
            said = answer.message.text if answer.message is not None else ""
            refused = (NOT_REVIEWED,) if custom_id.endswith(":review") else REFUSED[what]
            if not answer.ephemeral or not any(item in said for item in refused):
                wrong.append((place.name, custom_id, said or repr(answer)))
    assert wrong == []
    assert everything(club.bot) == before


async def test_players_spectators_and_those_who_were_shown_a_game_read_it(club: Club) -> None:
    rooms = Rooms(club)
    await rooms.furnish()
    page = f"dvonn:game:{ENDED}:page"

    async def reads(person: Person, place: Channel) -> bool:
        under = message_of(await person.slash(place, "help"))
        said = texts(await forged(person, under, page, is_list=False))
        assert (said == OUT_OF_SIGHT) is not (" wins." in said)
        return said != OUT_OF_SIGHT

    # A player everywhere; a member of the server once they can see the channel.
    assert await reads(club.bob, club.bob.dm)
    assert not await reads(club.cid, club.channel)
    club.guild.set_permissions(rooms.hidden, club.cid, allow=VIEW)
    assert await reads(club.cid, club.channel)
    assert not await reads(club.cid, club.cid.dm)
    # Ann shows this in another server where she is a member. Everyone there can read on.
    rooms.other.join(club.ann)
    listed = message_of(await club.ann.slash(rooms.lobby, "help"))
    replay = message_of(
        await forged(club.ann, listed, f"dvonn:replay:{ENDED}:60:at", is_list=False)
    )
    shared = message_of(await club.ann.click(replay, "Share"))
    assert not shared.ephemeral
    board = message_of(await rooms.dan.click(shared, "Explore"))
    opened = message_of(await rooms.dan.click(board, "Game page"))
    assert " wins." in opened.text
    assert "**Review** of" in texts(await rooms.dan.click(opened, "Review"))
