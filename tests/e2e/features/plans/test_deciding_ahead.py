"""Tests for plans by command, form and private board. They are private and survive kills."""

from dvonn import Coordinates, Move, format_move
from tests.e2e.conftest import Club, Table, choose, shown_alone, tells_of, texts
from tests.e2e.database import seed_of
from tests.games import drawn


async def begin(club: Club) -> tuple[Table, list[Move]]:
    """Return a game on a random board with Ann to move, and the following moves."""
    table = await club.start_game(start="balanced")
    table.position = position = drawn(seed_of(club.bot, 1))
    line = []
    for _ in range(4):
        line.append(position.legal_moves()[0])
        position = position.play(line[-1])
    return table, line


async def test_a_plan_outlives_a_kill_and_is_played_with_the_move_it_waits_for(club: Club) -> None:
    table, line = await begin(club)
    await choose(club.bob, club.channel, coordinates=["pergioco"])
    first, reply, third, last = (format_move(move, Coordinates.PERGIOCO) for move in line)
    before = [(message.id, message.content) for message in club.channel.messages]
    made = texts(
        await club.bob.slash(club.channel, "plan", moves=f"if {first} then {reply}; else ask")
    )
    assert made.splitlines()[1] == f"1. if {first} then {reply}"
    # He tries more moves on a private board, and adds them.
    view = shown_alone(await club.bob.slash(club.channel, "plan"))
    await club.bob.click(view, "Choose on a board")
    form = await club.bob.click(view, "Type moves")
    await club.bob.submit(form.modal, {"moves": f"{first} {reply} {third} {last}"})
    await club.bob.click(view, "Keep this line")
    assert f"1. if {first} then {reply}, if {third} then {last}" in view.content
    # He adds another line and removes it again.
    deviation = next(move for move in table.position.legal_moves() if move != line[0])
    other = format_move(deviation, Coordinates.PERGIOCO)
    answer = format_move(table.position.play(deviation).legal_moves()[0], Coordinates.PERGIOCO)
    await club.bob.click(view, "Plan ahead")
    form = await club.bob.click(view, "Type moves")
    assert form.modal is not None
    await club.bob.submit(
        form.modal, {"lines": f"{first}: {reply}, {third}: {last}\n{other}: {answer}"}
    )
    await club.bob.click(view, "Plan ahead")
    (lines,) = view.selects
    await club.bob.select(view, [lines.options[1][1]])
    assert other not in view.content
    assert texts(await club.ann.slash(club.channel, "plan")).startswith("You have no plan yet.")
    assert [(message.id, message.content) for message in club.channel.messages] == before
    await club.bot.restart()
    await table.type(line[0])
    board = await table.board(2)
    assert f" {line[1]} (as planned)." in board.content
    assert board.pinged == frozenset()
    assert table.boards() == ["dvonn-1-0.png", "dvonn-1-2.png"]
    table.position = table.position.play(line[1])
    await table.type(line[2])
    assert f" {line[3]} (as planned)." in (await table.board(4)).content


async def test_on_the_players_own_turn_a_plan_asks_before_it_plays(club: Club) -> None:
    table, line = await begin(club)
    first = line[0]
    after = table.position.play(first)
    here = club.channel
    reply = next(
        move
        for move in table.position.legal_moves()
        if {move.source, move.target}.isdisjoint({first.source, first.target})
    )
    await table.board(0)
    before = [(message.id, message.content) for message in here.messages]
    view = shown_alone(await club.ann.slash(here, "plan", moves=f"{first} {reply}"))
    assert view.content.splitlines()[0] == (
        f"**Play {first} now, and {reply} whatever {club.bob.mention} does?**"
    )
    assert view.content.splitlines()[-1] == "Nothing is played yet, and only you see this."
    await club.ann.click(view, "Not now")
    assert view.content == "OK. Nothing was played, and no plan was changed."
    assert [(message.id, message.content) for message in here.messages] == before

    view = shown_alone(await club.ann.slash(here, "plan"))
    form = await club.ann.click(view, "Type moves")
    await club.ann.submit(form.modal, {"lines": f"{first} {reply}"})
    late = shown_alone(await club.ann.slash(here, "plan", moves=f"{first} {reply}"))
    assert [(message.id, message.content) for message in here.messages] == before
    await club.bot.restart()  # the question survives the kill
    await club.ann.click(view, f"Yes, play {first}")
    board = await table.board(1)
    assert tells_of(board.content, club.ann, first)
    assert view.content.splitlines() == [
        f"Played: {first}.",
        "Got it. On your next turns (/plan):",
        f"1. whatever {club.bob.mention} does: {reply}",
    ]
    refused = texts(await club.ann.click(late, f"Yes, play {first}"))
    assert refused == "The board has changed since then. Plan anew with /plan."
    table.position = after
    theirs = next(move for move in after.legal_moves() if reply in after.play(move).legal_moves())
    await table.type(theirs)
    assert f" {reply} (as planned)." in (await table.board(3)).content


async def test_faults_are_reported_with_their_place(club: Club) -> None:
    table, (first, *_) = await begin(club)
    refused = texts(await club.bob.slash(club.channel, "plan", moves=f"if {first} then {first}"))
    assert refused.startswith(f"You couldn't play {first} there: ")
    assert f"Nothing saved. (After “if {first} then”.) Write it like this: `" in refused
    assert table.boards() == ["dvonn-1-0.png"]
