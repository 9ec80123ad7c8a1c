"""Tests for moves in any spelling, through the real bot.

A text that says more than a move, such as a question, gets a reaction instead.
"""

from collections import deque
from collections.abc import Iterator

import pytest

from dvonn import format_move
from sandbox import Message
from tests.e2e.conftest import Club, Table, is_board
from tests.games import random_game
from tests.tiers import one_in

FORMATTED = (
    "**{m}**",
    "*{m}*",
    "***{m}***",
    "__{m}__",
    "_{m}_",
    "__**{m}**__",
    "||{m}||",
    "`{m}`",
    "``{m}``",
    "```{m}```",
    "```\n{m}\n```",
    "```txt\n{m}\n```",
    "> {m}",
    ">>> {m}",
    "> **{m}**",
    "# {m}",
    "### {m}",
    "-# {m}",
    "- {m}",
    "* {m}",
    "- **{m}**",
    "**{a}**-**{b}**",
    "**{a}** {b}",
    "*{a}* → *{b}*",
)
IN_COMPANY = (
    "**{m}**, please! 🙂",
    "**{m}** please",
    "{m} 🙂",
    "{m} lol",
    "<:dvonn_d2:123456789> {m} <a:hi:1>",
    "ok {m}",
    "then {m}",
    "dann {m}",
    "alors {m}",
    "allora {m}",
    "entonces {m}",
    "dan {m}",
    "si {m}",
    "if {m}",
    "{m} else",
    "{m} *",
    "I play {m}",
    "ich spiele {m}",
    "je joue {m}",
    "juego {m}",
    "gioco {m}",
    "ik speel {m}",
    "from {a} to {b}",
    "von {a} nach {b}",
    "{bob} {m}, your turn",
    "{bot} **{m}**",
    "{role} {m}",
    "{m} {role}",
    "({m})",
    "“{m}”",
)
NUMBERED_AND_MARKED = (
    "1. {m}",
    "1.{m}",
    "12... {m}",
    "12) {m}",
    "{m}!",
    "{m}!?",
    "**{m}**!?",
    "{m} ...",
)
SEPARATED = (
    "{a}{b}",
    "{a} {b}",
    "{a}, {b}",
    "{a}/{b}",
    "{a}->{b}",
    "{a} --> {b}",
    "{a}--{b}",
    "{a}…{b}",
    r"{a}\-{b}",
    "{a}=>{b}",
    "{a} ⇒ {b}",
    "{a}→{b}",
    "{a} ⟶ {b}",
    "{a} ➜ {b}",
    "{a} ➡️ {b}",
    "{a} 👉 {b}",
    "{a}~{b}",
    "{a} ~> {b}",
    "{a}>{b}",
    "{a} >> {b}",
    "{a}:{b}",
    "{a}x{b}",
    "{a} × {b}",  # noqa: RUF001 - a multiplication sign
    "{a} – {b}",
    "{a} — {b}",
    "{a} to {b}",
    "{a} takes {b}",
    "{a} onto {b}",
    "{a} auf {b}",
    "{a} schlägt {b}",
    "{a} vers {b}",
    "{a} prend {b}",
    "{a} hasta {b}",
    "{a} sobre {b}",
    "{a} su {b}",
    "{a} prende {b}",
    "{a} naar {b}",
    "{a} op {b}",
    "{fa}－{fb}",  # noqa: RUF001 - of full width
    "{fa}　{fb}",
)
PLACED = (
    "**{m}**",
    "*{m}*",
    "__{m}__",
    "`{m}`",
    "```\n{m}\n```",
    "> {m}",
    "1. {m}",
    "then {m}",
    "{m} else",
    "{m}!?",
    "{fb}",
    "place {m}",
    "{role} {m}",
)
MARKED = (
    "~~{m}~~",
    "{m}?",
    "I might play {m}",
    "what about **{m}**",
    "{m} loses, I think",
)
"""These texts say more than the move."""


@pytest.fixture
async def tables(club: Club) -> "Tables":
    return Tables(club)


class Tables:
    """Yield one game after the other, so that there is always a player to move."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._table: Table | None = None
        self._count = 0

    async def placing(self) -> Table:
        return await self._at(range(40), 0)

    async def moving(self) -> Table:
        return await self._at(range(49, 80), 49)

    async def _at(self, plies: range, first: int) -> Table:
        table = self._table
        if table is None or table.position.plies not in plies or table.position.turn is None:
            self._count += 1
            place = self._club.guild.create_channel(f"table-{self._count}")
            players = deque((self._club.ann, self._club.bob, self._club.cid))
            players.rotate(self._count)  # the limit on challenges between two people
            self._table = table = await self._club.start_game(
                place, challenger=players[0], opponent=players[1]
            )
            if first:
                await table.reach(random_game(self._count)[:first])
        return table


def spelled(club: Club, table: Table, spelling: str) -> tuple[str, Table]:
    """Yield typed texts, each with the table after the move that it spells."""
    move = table.position.legal_moves()[0]
    source, target = str(move.source or ""), str(move.target)
    waiting = table.black if table.to_move == table.white else table.white
    wide = {ord(char): ord(char) + 0xFEE0 for char in "abcdefghijk12345"}
    text = spelling.format(
        m=format_move(move),
        a=source,
        b=target,
        fa=source.translate(wide),
        fb=target.translate(wide),
        bob=waiting.mention,
        bot=club.world.bot_user.mention,
        role=f"<@&{club.guild.bot_role.id}>",
    )
    return text, Table(table.channel, table.white, table.black, position=table.position.play(move))


async def comes_of(club: Club, said: Message, revision: int) -> str:
    """Return a message's effect: played, reaction or answer."""

    def shows(one: Message) -> bool:
        is_reply = one.reference is not None and one.reference.message_id == said.id
        return bool(is_board(revision)(one) or (one is said and one.reactions) or is_reply)

    shown = await said.channel.wait_for(shows, after=said.id - 1)
    if shown is said:
        return "marked"
    return "played" if is_board(revision)(shown) else "answered"


def rows() -> Iterator[tuple[str, bool, str]]:
    """Yield each spelling, whether it places a piece, and its effect."""
    for spelling in (*FORMATTED, *IN_COMPANY, *NUMBERED_AND_MARKED, *SEPARATED):
        yield spelling, False, "played"
    for spelling in MARKED:
        yield spelling, False, "marked"
    for spelling in PLACED:
        yield spelling, True, "played"
    for spelling in MARKED:
        yield spelling, True, "marked"


async def test_a_move_is_played_however_it_is_spelled(club: Club, tables: Tables) -> None:
    """Stop at the first spelling without an answer."""
    wrong = []
    for spelling, placing, expected in one_in(5, rows()):
        table = await (tables.placing() if placing else tables.moving())
        text, after = spelled(club, table, spelling)
        said = await table.to_move.say(table.channel, text)
        result = await comes_of(club, said, after.position.plies)
        if result != "played":  # so that no turn has many reactions
            await table.to_move.say(table.channel, format_move(table.position.legal_moves()[0]))
            await after.board(after.position.plies)
        table.position = after.position
        if result != expected:
            wrong.append((text, result))
    assert wrong == []
