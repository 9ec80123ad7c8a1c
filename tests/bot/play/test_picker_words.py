"""The picker in words: what can move, where it may land, and what that costs."""

from bot.base.locales import IN_ENGLISH
from bot.connection.posts import ButtonStyle, Post
from bot.play.words.picker import landings, picker
from bot.play.words.pictures import Picture
from dvonn import POINTS, Color, Point, Position
from renderer import Marks
from tests.bot.play.test_moves_words import CORNER, LINE, game_of
from tests.bot.replayed import play, started


def picture_of(post: Post) -> Picture:
    assert isinstance(post.picture, Picture)
    return post.picture


def test_the_first_step_shows_the_stacks_that_can_move() -> None:
    stacks = {**LINE, "b2": "BRW", "c1": "B", "d1": "BBW", "e2": "R"}
    game = game_of(Position.from_stacks(stacks, turn=Color.WHITE))
    post = picker(IN_ENGLISH, game)
    assert post.content == "Which stack? (4 can move)"
    assert picture_of(post).marks == Marks(landings=tuple(map(Point, ("a1", "b1", "d1", "b2"))))
    (select,) = post.selects
    assert [(option.label, option.description) for option in select.options] == [
        ("a1 · 3 moves", "to b1, a2, b2"),
        ("b1 · 3 moves", "to a1, c1, b2"),
        ("d1 · 1 move", "3 high: to a1"),
        ("b2 · 1 move", "3 high, 1 red inside: to e2"),
    ]


def test_the_first_step_of_placing_shows_the_free_spaces() -> None:
    game, _ = play(started(), "a1", "b1")
    post = picker(IN_ENGLISH, game)
    assert post.content == "Where does the red piece go?"
    assert picture_of(post).marks == Marks()  # neither the last move nor fifty circles
    offered = {option.value for select in post.selects for option in select.options}
    assert offered == {str(move) for move in game.position.legal_moves()}


def test_of_a_row_with_one_free_space_only_that_is_named() -> None:
    placed = [str(point) for point in POINTS if str(point) not in {"c3", "a1", "d1"}]
    game, _ = play(started(), *placed[:46])
    rows = [select.placeholder for select in picker(IN_ENGLISH, game).selects]
    assert rows == ["Row 3: c3", "Row 1: a1 to d1"]


def test_a_landing_says_what_it_cuts_off_and_whose() -> None:
    stacks = {**LINE, "c1": "BB"}
    game = game_of(Position.from_stacks(stacks, turn=Color.WHITE))
    from_a1 = landings(IN_ENGLISH, game, Point("a1"))
    from_b1 = landings(IN_ENGLISH, game, Point("b1"))
    shown = [(one.label, one.style) for one in (*from_a1.buttons, *from_b1.buttons)]
    assert shown == [
        ("b1 ✂4, 2 yours", ButtonStyle.DANGER),
        ("a2 ✂3, 1 yours", ButtonStyle.DANGER),
        ("Back", ButtonStyle.SECONDARY),
        ("a1 ✂2", ButtonStyle.PRIMARY),
        ("c1 ✂3 yours", ButtonStyle.DANGER),
        ("Back", ButtonStyle.SECONDARY),
    ]
    assert from_a1.content.startswith("a1 can go to:\n✂ says how many pieces it cuts off")
    # Another stack is one choice away.
    (select,) = from_a1.selects
    assert [option.value for option in select.options if option.chosen] == ["a1"]
    assert len(select.options) > 1


def test_where_nothing_is_cut_off_nothing_is_said_of_it() -> None:
    stacks = {**CORNER, "a1": "W", "b2": "WW"}
    game = game_of(Position.from_stacks(stacks, turn=Color.WHITE))
    post = landings(IN_ENGLISH, game, Point("a1"))
    assert post.content == "a1 can go to:"
    assert [button.label for button in post.buttons] == ["a2", "b2", "Back"]
