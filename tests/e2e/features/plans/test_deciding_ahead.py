"""What is decided ahead, by command, form and private board: unseen, and kept by kills."""

from dvonn import Coordinates, Move, format_move
from tests.e2e.conftest import Club, Table, choose, shown_alone, texts
from tests.e2e.database import seed_of
from tests.games import drawn


async def begin(club: Club) -> tuple[Table, list[Move]]:
    """A game on a random board in which Ann is to move, and what is played from there."""
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
    before = [(one.id, one.content) for one in club.channel.messages]
    made = texts(
        await club.bob.slash(club.channel, "plan", moves=f"if {first} then {reply}; else ask")
    )
    assert made.splitlines()[1] == f"1. if {first} then {reply}"
    # He tries further on a board of his own, and keeps that, too.
    view = shown_alone(await club.bob.slash(club.channel, "plan"))
    await club.bob.click(view, "On a board")
    form = await club.bob.click(view, "Type moves")
    await club.bob.submit(form.modal, {"moves": f"{first} {reply} {third} {last}"})
    await club.bob.click(view, "Keep this line")
    assert f"1. if {first} then {reply}, if {third} then {last}" in view.content
    # And another, which he removes again.
    deviation = next(one for one in table.position.legal_moves() if one != line[0])
    other = format_move(deviation, Coordinates.PERGIOCO)
    answer = format_move(table.position.play(deviation).legal_moves()[0], Coordinates.PERGIOCO)
    await club.bob.click(view, "Plan ahead")
    form = await club.bob.click(view, "Type it")
    assert form.modal is not None
    await club.bob.submit(
        form.modal, {"lines": f"{first}: {reply}, {third}: {last}\n{other}: {answer}"}
    )
    await club.bob.click(view, "Plan ahead")
    (lines,) = view.selects
    await club.bob.select(view, [lines.options[1][1]])
    assert other not in view.content
    assert texts(await club.ann.slash(club.channel, "plan")).startswith("You have no plan yet.")
    assert [(one.id, one.content) for one in club.channel.messages] == before
    await club.bot.restart()
    await table.type(line[0])
    board = await table.board(2)
    assert f"moved {line[1]} (as planned)." in board.content
    assert board.pinged == frozenset()
    assert table.boards() == ["dvonn-1-0.png", "dvonn-1-2.png"]
    table.position = table.position.play(line[1])
    await table.type(line[2])
    assert f"moved {line[3]} (as planned)." in (await table.board(4)).content


async def test_what_is_wrong_is_told_with_its_place(club: Club) -> None:
    table, (first, *_) = await begin(club)
    refused = texts(await club.bob.slash(club.channel, "plan", moves=f"if {first} then {first}"))
    assert refused.startswith(f"You couldn't play {first} there: ")
    assert f"Nothing saved. (After “if {first} then”.) Write it like this: `" in refused
    assert table.boards() == ["dvonn-1-0.png"]
