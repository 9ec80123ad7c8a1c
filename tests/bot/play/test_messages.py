"""Tests for the bot's messages: a table of changes and their texts."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GuildId, MessageId, TournamentId
from bot.base.languages import IN_ENGLISH
from bot.base.zones import UnknownZone
from bot.composition import refusal
from bot.connection.posts import timestamp, user
from bot.guide.words.status import Status, status
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Aborted, AnyEventData, Moved, Resigned, Started
from bot.play.model.game import Game, before_start
from bot.play.model.refusals import (
    BadClock,
    BadList,
    BadOffer,
    ClockProblem,
    IllegalPlay,
    ListProblem,
    OfferProblem,
    UnreadableMove,
)
from bot.play.model.refused_starts import (
    AskedTooOften,
    MissingPermissions,
    NotForYou,
    RematchOffered,
    TooManyChallenges,
    TooManyGames,
    TooSoon,
    WrongChannel,
)
from bot.play.model.terms import ChallengeState, ColorChoice, OpenChallenge, Place, Start
from bot.play.model.turns import illegal_play
from bot.play.use_cases.own_games import ListedGame
from bot.play.words import events
from bot.play.words.boards import board, board_as_text, board_view
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.challenges import challenge_accepted, challenge_closed
from bot.play.words.notices import running_games
from bot.play.words.pictures import caption_of, cut
from bot.play.words.views import thread_name
from bot.replay.model.refusals import BadPaste, PasteProblem
from dvonn import Color, Coordinates, IllegalMoveError, NotationError, Position, parse_move
from tests.bot.replayed import (
    ANN,
    BOB,
    CID,
    RULE,
    A,
    B,
    C,
    challenge,
    labels,
    new_game,
    play,
    started,
    step,
)
from tests.bot.table import moved
from tests.games import random_game


def content(update: GameUpdate) -> str:
    return board(IN_ENGLISH, update).content


def test_the_first_board_asks_white_for_a_red_piece() -> None:
    post = board(IN_ENGLISH, step(new_game(), Started(), BOB)[1])
    assert post.content == (
        f"{A}, your turn.\nWhite: {A}. Black: {B}.\n"
        "Place a red piece: press *Place* or type a space, like a1."
    )
    assert post.pings == (ANN,)
    assert labels(post) == ["Place", "More"]
    assert post.picture is not None
    assert post.picture.filename == "dvonn-12-0.png"


@pytest.mark.parametrize("start", [Start.PLACEMENT, Start.BALANCED])
def test_a_tournament_games_thread_adds_to_its_announcement(
    start: Start,
) -> None:
    row = replace(new_game().row, start=start, seed=2001, rated=True)
    told = {}
    for tournament in (None, TournamentId(3)):
        _, update = step(before_start(replace(row, tournament=tournament)), Started(), BOB)
        told[tournament is None] = content(update).splitlines()
    assert len(told[False]) <= 4
    assert "This game is rated." in told[True]
    assert "This game is rated." not in told[False]
    assert f"White: {A}. Black: {B}." in told[False]


def test_a_placement_names_the_player_and_the_space_and_the_next_player() -> None:
    _, updates = play(started(), "d2", "e2", "f2", "g2")
    assert content(updates[0]).startswith(f"{A} placed d2. {B}, your turn.\nPlace a red")
    assert content(updates[2]) == (
        f"{A} placed f2. {B}, your turn.\nAll three red pieces are down. Now place your own."
    )
    assert content(updates[3]) == f"{B} placed g2. {A}, your turn."


def test_a_game_in_pergioco_coordinates_speaks_them() -> None:
    _, (update,) = play(started(Coordinates.PERGIOCO), "b2")
    post = board(IN_ENGLISH, update)
    assert post.content.startswith(f"{A} placed d2.")
    assert post.picture is not None
    assert "d2" in post.picture.alt_text
    assert "like e1." in post.content


def test_players_who_move_again_are_informed() -> None:
    moves = [str(move) for move in random_game(5)]
    game, updates = play(started(), *moves[:49])
    assert content(updates[-1]).startswith(
        f"{A} placed {moves[48]}. {A}, your turn again.\nBoard full!"
    )
    assert game.position.turn is Color.WHITE


@pytest.mark.parametrize("seed", range(4))
def test_the_first_pieces_that_are_cut_off_are_explained_once(seed: int) -> None:
    _, updates = play(started(), *(str(move) for move in random_game(seed)))
    cuts = [
        update
        for update in updates
        if update.events[-1].position.removed and update.game.is_running
    ]
    explained = [update for update in updates if "Stacks with no link to red" in content(update)]
    assert len(cuts) > 1
    assert explained == cuts[:1]


@pytest.mark.parametrize("seed", range(8))
def test_every_board_starts_with_the_text_of_a_notification(seed: int) -> None:
    game, updates = play(started(), *(str(move) for move in random_game(seed)))
    for update in updates:
        post = board(IN_ENGLISH, update)
        told = update.events[-1]
        first = post.content[:80]
        assert f"<@{told.event.actor}>" in first
        assert str(moved(told).move) in (first if update.game.is_running else post.content)
        if update.game.is_running:
            to_move = update.game.to_move
            assert post.pings == (() if to_move == told.event.actor else (to_move,))
            assert f"<@{to_move}>, your turn" in post.content.splitlines()[0]
        assert len(post.content) <= 2_000
        assert post.picture is not None
        assert len(post.picture.alt_text) <= 1_024
        for point in told.position.removed:
            assert point in post.content
        for color in told.position.passed:
            assert f"<@{game.player(color)}>" in post.content
            assert "can't move and passes" in post.content
    end = content(updates[-1])
    white, black = game.position.score(Color.WHITE), game.position.score(Color.BLACK)
    high, low = sorted((white, black), reverse=True)
    assert end.count(f" {high}–{low}.") == 1  # the score appears once, and first
    assert f" {high}–{low}." in end[:80]
    assert re.match(rf"(<@\d+> beats <@\d+>|<@\d+> and <@\d+> draw) {high}–{low}\. ", end)
    last = updates[-1].events[0].event.actor
    assert board(IN_ENGLISH, updates[-1]).pings == (BOB if last == ANN else ANN,)
    assert labels(board(IN_ENGLISH, updates[-1])) == ["Rematch", *LOOKING_BACK]
    assert labels(board(IN_ENGLISH, updates[48]))[0] == "Move"


def test_the_winner_is_named_with_both_scores() -> None:
    ends: dict[Color | None, tuple[Game, str]] = {}
    for seed in range(60):
        game, updates = play(started(), *(str(move) for move in random_game(seed)))
        ends.setdefault(game.position.winner, (game, content(updates[-1]).splitlines()[0]))
    for winner, (game, line) in ends.items():
        white, black = game.position.score(Color.WHITE), game.position.score(Color.BLACK)
        high, low = max(white, black), min(white, black)
        if winner is None:
            assert line.startswith(f"{A} and {B} draw {white}–{black}. ")
        else:
            two = user(game.player(winner)), user(game.player(winner.opponent))
            assert line.startswith(f"{two[0]} beats {two[1]} {high}–{low}. ")
    assert Color.WHITE in ends
    assert Color.BLACK in ends


def test_a_resignation_names_the_winner_and_counts_nothing() -> None:
    game, _ = play(started(), "d2")
    _, update = step(game, Resigned(), ANN)
    post = board(IN_ENGLISH, update)
    assert post.content == f"{B} wins. {A} resigned."
    assert post.pings == (BOB,)
    assert labels(post) == [
        "Rematch",
        "Play on against me",
        *LOOKING_BACK,
    ]


def test_an_aborted_game_has_no_result() -> None:
    _, update = step(started(), Aborted(), CID)
    assert content(update) == f"{C} ended this game. No result.\n{A} {B}"
    assert labels(board(IN_ENGLISH, update)) == ["More"]


def test_unannounced_moves_are_announced_with_the_next_board() -> None:
    game, updates = play(started(), "d2", "e2", "f2")
    told = tuple(update.events[0] for update in updates)
    text = content(GameUpdate(game, told, ()))
    assert text.startswith(f"{A} placed f2. {B}, your turn.\nEarlier:\n- {A} placed d2.\n")
    assert f"- {B} placed e2." in text
    shorter = content(GameUpdate(game, told[1:], ())).splitlines()
    assert shorter[:2] == [f"{A} placed f2. {B}, your turn.", f"Earlier: {B} placed e2."]


def test_an_unannounced_moves_losses_are_announced_with_the_next_board() -> None:
    _, updates = play(started(), *map(str, random_game(2)))
    number = next(
        number
        for number, (one, after) in enumerate(pairwise(updates))
        if one.events[0].position.removed and one.game.to_move == after.events[0].event.actor
    )
    (untold,), (newest,) = updates[number].events, updates[number + 1].events
    (cut,) = events.details(IN_ENGLISH, updates[number].game, untold)
    assert cut in content(updates[number]).splitlines()
    later = content(GameUpdate(updates[number + 1].game, (untold, newest), ())).splitlines()
    (earlier,) = (line for line in later if line.startswith("Earlier: "))
    assert earlier.endswith(f" {cut}")


def test_an_unannounced_start_has_nothing_to_announce() -> None:
    _, start = step(new_game(), Started(), BOB)
    game, (update,) = play(started(), "d2")
    text = content(GameUpdate(game, (*start.events, *update.events), ()))
    assert text.startswith(f"{A} placed d2. {B}, your turn.")
    assert "Earlier" not in text


def test_the_board_as_text_has_the_whole_position() -> None:
    game, _ = play(started(), *(str(move) for move in random_game(5)[:60]))
    post = board_as_text(IN_ENGLISH, game, is_newest=False)
    told, rows = post.content.split("\n```\n")
    assert told.startswith("That's an old board. The newest one is further down.\nLast move ")
    assert f" White: {A}. Black: {B}. " in told
    assert rows.endswith("\n```")
    for point in game.position.stacks:
        assert f" {point}" in told
    assert len(post.content) <= 2_000
    assert not board_as_text(IN_ENGLISH, game, is_newest=True).content.startswith("This")


def test_viewing_pings_nobody() -> None:
    post = board_view(IN_ENGLISH, started())
    assert post.pings == ()
    assert post.content == f"White: {A}. Black: {B}. It's {A}'s turn."
    assert post.picture is not None


def test_running_games_are_listed_with_links() -> None:
    game = started()
    one = ListedGame(game=game, board=None, deadline=None, pause=None, is_stuck=False)
    linked = replace(one, board=(ChannelId(2), MessageId(3)))
    post = running_games(IN_ENGLISH, [linked, one], GuildId(1), BOB)
    assert post.content.splitlines() == [
        (f"1. <#2> vs {A}: their turn · [Go to board](https://discord.com/channels/1/2/3)"),
        f"2. <#2> vs {A}: their turn",
    ]
    mine = running_games(IN_ENGLISH, [one], GuildId(1), ANN)
    assert mine.content == f"1. <#2> vs {B}: **your turn**"
    assert "/challenge" in running_games(IN_ENGLISH, [], GuildId(1), ANN).content
    many = running_games(IN_ENGLISH, [linked] * 25, GuildId(1), ANN).content
    assert len(many) <= 2_000
    assert many.splitlines()[-1].endswith("more.")


DAY = datetime(2026, 1, 1, tzinfo=UTC)

LINK = "https://discord.com/channels/1/2/3"


def test_a_challenge_names_its_terms_and_pings_the_opponent() -> None:
    post = challenge_post(
        IN_ENGLISH,
        challenge(colour=ColorChoice.BLACK, coordinates=Coordinates.PERGIOCO, place=Place.THREAD),
    )
    assert post.content.splitlines() == [
        f"{B}, {A} challenges you to a game of DVONN.",
        f"{A} plays Black.",
        "Empty board: you place the pieces first.",
        "Coordinates: rows a to e, 1 to 11 (pergioco)",
        "It gets a thread of its own.",
    ]
    assert post.pings == (BOB,)
    assert [(button.label, button.custom_id) for button in post.buttons] == [
        ("Accept", "dvonn:challenge:4:accept"),
        ("Decline", "dvonn:challenge:4:decline"),
        ("Cancel", "dvonn:challenge:4:cancel"),
        ("How to play", "dvonn:rules"),
    ]


def test_an_open_challenge_pings_nobody() -> None:
    post = challenge_post(IN_ENGLISH, challenge(opponent=None))
    assert post.pings == ()
    assert [button.label for button in post.buttons] == ["Accept", "Cancel", "How to play"]
    assert post.content.splitlines()[1] == "Colors: random"


def test_an_answered_challenge_says_how() -> None:
    accepted = challenge_accepted(IN_ENGLISH, challenge(), started())
    assert accepted.content == f"{B} accepted {A}'s challenge.\nGame in the thread below"
    swapped = challenge(channel=ChannelId(77), challenger=BOB, opponent=ANN, place=Place.THREAD)
    elsewhere = challenge_accepted(IN_ENGLISH, swapped, started()).content
    assert elsewhere.startswith(f"{A} accepted {B}'s challenge.")
    for state, words in (
        (ChallengeState.DECLINED, f"{B} declined {A}'s challenge."),
        (ChallengeState.CANCELLED, f"{A} canceled the challenge."),
        (ChallengeState.EXPIRED, f"{A}'s challenge expired after 7 days."),
    ):
        closed = challenge_closed(IN_ENGLISH, challenge(state=state))
        assert (closed.content, closed.pings) == (words, ())


def test_a_threads_name_fits() -> None:
    assert thread_name(IN_ENGLISH, 3, "Ann", "Bob") == "DVONN 3: Ann – Bob"
    inside = thread_name(IN_ENGLISH, 3, "Ann", "Bob", event="Cup, round 2, board 1")
    assert inside == "Cup, round 2, board 1: Ann – Bob"
    assert len(thread_name(IN_ENGLISH, 10**9, "x" * 90, "y" * 90)) <= 100
    turned = thread_name(IN_ENGLISH, 3, "\u202eAnn\u2067", "\u200f\u05d3\u05df")
    assert turned == "DVONN 3: Ann – \u05d3\u05df"


END = Position.from_stacks(
    {"a1": "W", "a2": "WB", "b1": "R", "c1": "BBB", "b2": "WW", "c2": "B"}, turn=Color.WHITE
)


def illegal(text: str, position: Position = END) -> str:
    move = parse_move(text)
    with pytest.raises(IllegalMoveError) as caught:
        position.play(move)
    return refusal(IN_ENGLISH, IllegalPlay(caught.value, Coordinates.STANDARD))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a1", "a1 can go to b1, a2, b2."),
        ("a1-a1", "A stack can't stay where it is."),
        ("k3-k4", "There's nothing on k3."),
        ("b1-a1", "Lone red pieces can't move."),
        ("c2-b1", "c2 isn't yours. You're White."),
        ("a1-c2", "c2 isn't in a straight line from a1."),
        ("a1-c1", "a1 is a single piece, so it moves 1 space. c1 is 2 away."),
        ("b2-d2", "There's nothing on d2 to land on."),
        ("b1", "Lone red pieces can't move. You can play"),
        ("c2", "c2 isn't yours. You're White. You can play"),
        ("k5", "There's nothing on k5."),
        ("b2", "b2 has nowhere to land."),
    ],
)
def test_each_illegal_move_gets_its_reason(text: str, words: str) -> None:
    assert illegal(text).startswith(words)


def test_in_a_game_a_refusal_names_the_owner_of_a_stack() -> None:
    game = replace(started(), position=END)
    with pytest.raises(IllegalMoveError) as caught:
        END.play(parse_move("c2-b1"))
    words = refusal(IN_ENGLISH, illegal_play(game, caught.value, Coordinates.STANDARD))
    assert words.startswith(f"c2 is {B}'s. You're White. ")
    guess = illegal_play(game, caught.value, Coordinates.STANDARD, guessed=True)
    assert "You're" not in refusal(IN_ENGLISH, guess)


def test_a_refusal_names_legal_moves() -> None:
    assert illegal("a1-c1").endswith("a1 can go to b1, a2, b2.")
    assert illegal("k3-k4").endswith("You can play a1-b1, a1-a2, a1-b2.")
    full, _ = play(started(), *(str(move) for move in random_game(5)[:49]))
    many = illegal("d3-d3", full.position)
    assert " You can play " in many
    surrounded = illegal("e3-e4", full.position)
    assert surrounded.startswith(("e3 is surrounded", "e3 belongs", "Lone red"))


def test_a_surrounded_stack_named_alone_is_explained() -> None:
    full, _ = play(started(), *(str(move) for move in random_game(5)[:49]))
    position = full.position
    held = next(
        point
        for point in position.stacks
        if position.owner(point) is position.turn and position.is_surrounded(point)
    )
    words = f"{held} is surrounded on all six sides, so it can't move. You can play "
    assert illegal(held, position).startswith(words)


def test_a_placement_refused_names_a_free_space_nearby() -> None:
    game, _ = play(started(), "d2")
    assert illegal("d2", game.position) == "There's already a piece on d2. You can play c1."
    assert illegal("d2-d4", game.position) == (
        "We're still placing pieces, one space at a time. You can play c3."
    )


def unreadable(text: str, position: Position) -> str:
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    return refusal(IN_ENGLISH, UnreadableMove(caught.value, position, Coordinates.STANDARD))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pass", "You never need to pass."),
        ("b2 c3 d4", "One move at a time here, please, such as d2-d4."),
        ("z9", "There's no “z9” on this board."),
        ("a2-a30", "There's no “a30” on this board."),
        ("hello", "I didn't understand that."),
        ("", "I didn't understand that."),
    ],
)
def test_each_unreadable_text_gets_its_reason(text: str, words: str) -> None:
    said = unreadable(text, Position.initial())
    assert said.startswith(words)
    assert "You can play a1." in said


@pytest.mark.parametrize("text", ["a99999999999999999999", "z9@everyone", "q1`*_<@1>"])
def test_a_refusal_repeats_no_markup(text: str) -> None:
    words = unreadable(text, END)
    assert not set("@*_<>") & set(words)
    assert len(words) < 200


LOOKING_BACK = ["Replay", "More"]
"""The buttons under the last board of every game."""

HERE = ChannelId(2), MessageId(3)
ELSEWHERE = OpenChallenge(ChannelId(4), None, DAY)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (BadPaste(PasteProblem.BAD_LINE, line=3, wrong_part="d2 `x`"), "wrong: `d2 'x'`"),
        (RematchOffered(challenge(), HERE), f"offered a rematch. It's waiting here: {LINK}"),
        (RematchOffered(challenge(), (ChannelId(2), None)), "waiting here: <#2>"),
        (NotForYou(BOB), f"Only {B} can press that."),
        (MissingPermissions(("A",)), "I need this permission here: A. Ask"),
        (
            MissingPermissions(("A", "B"), asker_may_mend=True),
            "these permissions here: A and B. You",
        ),
        (WrongChannel(frozenset({ChannelId(5), ChannelId(2)})), "played in <#2> and <#5>."),
        (TooManyGames(ANN, 1, is_asker=True), "You can play 1 game at a time. Finish it"),
        (TooManyGames(BOB, 5, is_asker=False), f"{B} is already playing 5 games,"),
        (
            TooManyChallenges(GuildId(1), (OpenChallenge(*HERE, DAY), ELSEWHERE)),
            f"{LINK} and <#4>.",
        ),
        (TooSoon(timedelta(seconds=3.2)), "Please wait 4 seconds."),
        (TooSoon(timedelta(milliseconds=1)), "Please wait 1 second."),
        (AskedTooOften(DAY), f"You can ask again {timestamp(DAY, relative=True)}."),
        (BadClock(ClockProblem.CAP_BELOW_BANK, timedelta(hours=36)), "the start time, 36 hours"),
        (UnknownZone("Berlin", ("Europe/Berlin", "Europe/Paris")), "Did you mean Europe/B"),
    ],
)
def test_a_refusal_names_the_person_and_the_place_and_the_number(
    error: PlayError, words: str
) -> None:
    assert words in refusal(IN_ENGLISH, error)


def test_each_list_and_offer_problem_has_its_own_sentence() -> None:
    lists = {refusal(IN_ENGLISH, BadList(problem, "c3", limit=24)) for problem in ListProblem}
    offers = {refusal(IN_ENGLISH, BadOffer(problem)) for problem in OfferProblem}
    assert len(lists) == len(ListProblem)
    assert len(offers) == len(OfferProblem)
    assert refusal(IN_ENGLISH, BadList(ListProblem.TWICE, "c3")).startswith(
        "c3 is in your list twice."
    )
    assert "24 spaces" in refusal(IN_ENGLISH, BadList(ListProblem.TOO_MANY, limit=24))


def first_board(**terms: Any) -> GameUpdate:
    """The first message of a game."""
    return step(before_start(replace(new_game().row, **terms)), Started(), BOB)[1]


def test_a_random_board_says_so() -> None:
    post = board(IN_ENGLISH, first_board(start=Start.BALANCED, seed=2001))
    lines = post.content.splitlines()
    assert lines[:3] == [
        f"{A}, your turn.",
        f"White: {A}. Black: {B}.",
        RULE,
    ]
    assert lines[-1].startswith("On your turn, press *Move* or type a move, like ")
    assert labels(post)[0] == "Move"


def test_the_machine_has_its_name_where_the_bot_is_a_guest_too() -> None:
    begun = first_board(start=Start.BALANCED, seed=2001, machine=ANN, level=1).game
    game = replace(begun, row=replace(begun.row, visiting=True))
    update = step(game, Moved(game.position.legal_moves()[0]), ANN)[1]
    assert board(IN_ENGLISH, update).content.startswith("Pip moved ")


def test_nobody_is_asked_to_move_for_the_machine() -> None:
    post = board(IN_ENGLISH, first_board(start=Start.BALANCED, seed=2001, machine=ANN, level=1))
    lines = post.content.splitlines()
    assert lines[0] == "Pip is thinking."
    assert lines[-1].startswith("On your turn, press a stack or type a move, like ")
    assert [button.label for button in post.buttons if not button.disabled] == ["More"]
    assert post.pings == ()
    placing = board(IN_ENGLISH, first_board(machine=ANN, level=1))
    assert placing.content.splitlines()[:2] == [
        "Pip is thinking.",
        f"Level 1 · Pip (first games). White: Pip. Black: {B}.",
    ]


@pytest.mark.parametrize(("how", "usable"), [(Resigned(), True), (Aborted(), False)])
def test_a_rematch_is_for_games_with_a_result(how: AnyEventData, *, usable: bool) -> None:
    """Against the machine its button stays in place."""
    begun = first_board(start=Start.BALANCED, seed=2001, machine=ANN, level=1).game
    over = board(IN_ENGLISH, step(begun, how, BOB)[1])
    (rematch,) = [button for button in over.buttons if button.label == "Rematch"]
    assert rematch.disabled is not usable


def test_a_long_position_is_shortened_to_discords_limit() -> None:
    assert cut("a" * 1_024) == "a" * 1_024
    assert cut("a" * 1_025) == "a" * 1_023 + "…"


def test_the_picture_shows_the_only_player_their_color() -> None:
    begun = first_board(start=Start.BALANCED, seed=2001, machine=ANN, level=1).game
    other = first_board(start=Start.BALANCED, seed=2001, machine=BOB).game
    people = first_board(start=Start.BALANCED, seed=2001).game

    assert [caption_of(game).you for game in (begun, other, people)] == [
        Color.BLACK,
        Color.WHITE,
        None,
    ]
    shown = board_view(IN_ENGLISH, begun).picture
    assert shown is not None
    assert " Black: you." in shown.alt_text


def test_the_first_board_says_how_to_play_also_where_the_machine_has_moved() -> None:
    """The start and its move are announced together, because nobody has seen a board before."""
    begun = first_board(start=Start.BALANCED, seed=2001, machine=ANN, level=1)
    game, moved = step(begun.game, Moved(begun.game.position.legal_moves()[0]), ANN)
    post = board(IN_ENGLISH, GameUpdate(game, (*begun.events, *moved.events), ()))
    assert RULE in post.content.splitlines()
    later = board(IN_ENGLISH, moved)
    assert RULE not in later.content.splitlines()


def test_a_challenge_says_how_the_board_is_filled() -> None:
    said = challenge_post(IN_ENGLISH, challenge(start=Start.BALANCED)).content
    assert "Even board: fair to both." in said
    assert "lot" not in challenge_post(IN_ENGLISH, challenge()).content


WELL = Status(
    version="1.2.3",
    heartbeat_ms=41,
    received_until=datetime(2026, 1, 1, tzinfo=UTC),
    unsent=0,
    reads_messages=True,
    has_machine=True,
)
ILL = replace(
    WELL, heartbeat_ms=None, received_until=None, unsent=2, reads_messages=False, has_machine=False
)


def test_the_status_names_faults() -> None:
    assert status(IN_ENGLISH, WELL).content.splitlines() == [
        "DVONN bot 1.2.3 is running.",
        "- Discord answers in 41 ms.",
        "- I last heard from Discord <t:1767225600:R>.",
        "- You can type moves into the channel.",
        "- You can play against me: /play.",
    ]
    hidden = status(IN_ENGLISH, replace(WELL, lacking=("View Channel",))).content
    assert "- I need this permission here: View Channel." in hidden
    assert "type moves" not in hidden
    assert status(IN_ENGLISH, ILL).content.splitlines() == [
        "DVONN bot 1.2.3 is running.",
        "- 2 boards waiting to be posted.",
        "- Play with the buttons, with /move, or by replying to a board.",
        "- Games against me are switched off here. Challenge a person instead.",
    ]


def test_people_who_listen_read_the_board_in_the_text() -> None:
    update = first_board(start=Start.BALANCED, seed=2001, machine=BOB, level=1)
    seen, heard = (
        board(replace(IN_ENGLISH, uses_screen_reader=hears), update) for hears in (False, True)
    )
    assert heard.picture is not None
    assert seen.picture is not None
    assert heard.picture.filename == seen.picture.filename
    assert heard.picture.alt_text == "Position", "nobody hears the words twice"
    *lines, board_line = heard.content.splitlines()
    assert len(lines) == len(seen.content.splitlines()), "the text says the rest"
    told = seen.picture.alt_text
    assert told == f"Your turn. {board_line}"
    assert not any("Black: Pip" in line for line in lines), "the board's line names the players"
