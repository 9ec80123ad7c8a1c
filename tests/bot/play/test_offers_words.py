"""Tests for texts about offers, takebacks and lists."""

import re
from dataclasses import replace

import pytest

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH, reader_for
from bot.composition import FEATURE_SET
from bot.connection.posts import command
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Moved, Resigned, Started
from bot.play.model.game import AutoMoveReason, Game, Offer, before_start
from bot.play.model.offer_events import (
    DrawAgreed,
    HintsAgreed,
    OfferDeclined,
    OfferMade,
    RestPlaced,
    TakenBack,
)
from bot.play.model.typed import PlacementList
from bot.play.words.boards import answered_offer, board, board_view
from bot.play.words.boards import note as note_post
from bot.play.words.notices import action_receipt
from bot.replay.model.replays import record_of
from dvonn import Coordinates, finish_placement, parse_move, parse_point
from tests.bot.replayed import ANN, BOB, RULE, A, B, new_game, play, started, step
from tests.games import random_game

MOVES = [str(move) for move in random_game(5)]


def offer(game: Game, user: UserId, what: Offer) -> tuple[Game, GameUpdate]:
    return step(game, OfferMade(what), user)


def lines(update: GameUpdate) -> list[str]:
    return board(IN_ENGLISH, update).content.splitlines()


def labels(update: GameUpdate) -> list[str]:
    return [button.label for button in board(IN_ENGLISH, update, parts=FEATURE_SET.board).buttons]


def together(*updates: GameUpdate) -> GameUpdate:
    """Combine several updates into one, for example a list's updates, or unposted ones."""
    return GameUpdate(updates[-1].game, tuple(update.events[0] for update in updates), ())


def plan(text: str, *, else_next: bool = False) -> PlacementList:
    return PlacementList(tuple(map(parse_point, text.split())), else_next)


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        (Offer.DRAW, f"{A} offers a draw. {B}, accept?"),
        (
            Offer.FINISH,
            f"{A} suggests placing the rest at random. {B}, accept?",
        ),
        (Offer.TAKEBACK, f"{A} would like to undo d2, e2. {B}, accept?"),
        (Offer.HINTS, f"{A} suggests hints from me, for both. {B}, accept?"),
        (Offer.PAUSE, f"{A} suggests a pause: no time runs for either. {B}, accept?"),
    ],
)
def test_an_offer_names_its_subject_and_pings_the_opponent(what: Offer, sentence: str) -> None:
    game, _ = play(started(), "d2", "e2")
    game, update = offer(game, ANN, what)
    post = note_post(IN_ENGLISH, update)
    assert post.content == sentence
    assert post.picture is None
    assert len(sentence.replace(A, "@Ann").replace(B, "@Bob")) <= 80
    assert post.pings == (BOB,)
    assert [button.label for button in post.buttons] == ["Accept", "Decline", "Place", "More"]
    assert post.buttons[0].custom_id == f"dvonn:board:12:{game.row.revision}:accept"
    assert post.buttons[1].custom_id == f"dvonn:board:12:{game.row.revision}:decline"
    word = action_receipt(IN_ENGLISH, update).content
    assert word == "I asked. Changed your mind? Press *Decline*."
    standing = f"It's {A}'s turn. {sentence.removesuffix(f' {B}, accept?')}"
    assert board_view(IN_ENGLISH, game).content.endswith(standing)


def test_the_machine_answers_too_soon_for_a_change_of_mind() -> None:
    row = replace(started().row, machine=ANN, level=3)
    game = step(before_start(row), Started(), BOB)[0]
    _, update = offer(game, BOB, Offer.TAKEBACK)
    assert re.fullmatch(r"I asked \w+\.", action_receipt(IN_ENGLISH, update).content)


def test_an_offer_speaks_the_games_coordinates() -> None:
    game, _ = play(started(Coordinates.PERGIOCO), "b2", "b3")
    _, update = offer(game, ANN, Offer.TAKEBACK)
    assert lines(update)[0].startswith(f"{A} would like to undo d2, c2.")


def test_declining_pings_the_one_who_offered_if_they_are_to_move() -> None:
    game, _ = play(started(), "d2", "e2")
    asked, _ = offer(game, ANN, Offer.DRAW)
    _, update = step(asked, OfferDeclined(), BOB)
    assert lines(update)[0] == f"{B} declined. {A}, your turn."
    assert board(IN_ENGLISH, update).pings == (ANN,)
    assert labels(update)[0] == "Place"
    _, update = step(asked, OfferDeclined(withdrawn=True), ANN)
    assert lines(update)[0] == f"{A} withdrew the offer. {A}, your turn."
    assert board(IN_ENGLISH, update).pings == ()  # she has just acted


def test_withdrawing_an_offer_causes_no_ping() -> None:
    game, moved = play(started(), "d2")
    asked, offered = offer(game, ANN, Offer.DRAW)
    assert board(IN_ENGLISH, offered).pings == (BOB,)
    _, update = step(asked, OfferDeclined(withdrawn=True), ANN)
    assert lines(update)[0] == f"{A} withdrew the offer. {B}, your turn."
    assert board(IN_ENGLISH, update).pings == ()
    # The boards before it could not be sent, so this is Bob's first notice that it is his turn.
    assert board(IN_ENGLISH, together(*moved, offered, update)).pings == (BOB,)


def test_a_board_leaves_out_the_question_to_its_answer_and_nothing_else() -> None:
    game, moved = play(started(), "d2", "e2")
    asked, offered = offer(game, ANN, Offer.HINTS)
    _, agreed = step(asked, HintsAgreed(), BOB)
    told = "\n".join(lines(together(*moved, offered, agreed)))
    assert f"{B} agreed." in told
    assert "suggests hints" not in told
    for move in ("d2", "e2"):
        assert f"placed {move}." in told


def test_a_takeback_names_the_undone_moves() -> None:
    game, _ = play(started(), "d2", "e2", "f2")
    _, update = step(game, TakenBack(2), ANN)
    assert lines(update)[0] == f"{A} took back f2. {A}, your turn."
    assert board(IN_ENGLISH, update).pings == ()
    assert action_receipt(IN_ENGLISH, update).content == "Done."
    asked, _ = offer(game, BOB, Offer.TAKEBACK)
    _, update = step(asked, TakenBack(1), ANN)
    assert lines(update)[0] == f"{B} took back e2, f2. {B}, your turn."
    assert board(IN_ENGLISH, update).pings == (BOB,)


def test_an_agreed_draw_leaves_the_count_to_the_picture() -> None:
    game, _ = play(started(), *MOVES[:60])
    asked, _ = offer(game, ANN, Offer.DRAW)
    _, update = step(asked, DrawAgreed(), BOB)
    said = lines(update)
    assert said[0] == f"{A} and {B} agree on a draw."
    assert not any(line.startswith("On the board: ") for line in said)
    assert labels(update)[0] == "Rematch"
    assert board(IN_ENGLISH, update).pings == (ANN,)


def test_the_rest_at_random_explains_how_to_continue() -> None:
    game, _ = play(started(), *MOVES[:20])
    asked, _ = offer(game, ANN, Offer.FINISH)
    after, update = step(asked, RestPlaced(7), BOB)
    said = lines(update)
    assert said[0].startswith(f"{B} agreed. I placed the rest at random. ")
    assert f"Board full! {RULE}" in said
    position = game.position
    for move in finish_placement(game.position, 7):
        position = position.play(move)
    assert after.position == position
    assert record_of(after).headers["Seed"] == "7"


def test_an_open_offer_is_repeated() -> None:
    game, _ = play(started(), "d2", "e2")
    asked, _ = offer(game, ANN, Offer.DRAW)
    _, update = step(asked, Moved(parse_move("f2")), ANN)
    assert lines(update)[:2] == [
        f"{A} placed f2. {B}, your turn.",
        f"{A} offers a draw. {B}, accept?",
    ]
    assert labels(update) == ["Place", "More", "Accept", "Decline"]


def test_players_who_move_again_are_not_asked_to_accept_their_own_offer() -> None:
    """Their opponent's planned reply came at once, and did not answer the offer."""
    game, _ = play(started(), "d2", "e2")
    asked, _ = offer(game, ANN, Offer.DRAW)
    moved, own = step(asked, Moved(parse_move("f2")), ANN)
    _, planned = step(moved, Moved(parse_move("g2"), AutoMoveReason.LISTED), BOB)
    told = lines(together(own, planned))
    assert told[:2] == [
        f"{B} placed g2 (as planned). {A}, your turn.",
        f"{A} offers a draw. {B}, accept?",
    ]


@pytest.mark.parametrize("what", Offer)
def test_a_lapsed_offer_is_announced(what: Offer) -> None:
    game, _ = play(started(), "d2")
    asked, _ = offer(game, ANN, what)
    _, update = step(asked, Moved(parse_move("e2")), BOB)
    assert lines(update)[:2] == [
        f"{B} placed e2. {A}, your turn.",
        "The offer is off the table.",
    ]
    assert labels(update)[0] == "Place"


def listed(game: Game, moves: list[str]) -> tuple[Game, list[GameUpdate]]:
    updates = []
    for move in moves:
        assert game.to_move is not None
        game, update = step(game, Moved(parse_move(move), AutoMoveReason.LISTED), game.to_move)
        updates.append(update)
    return game, updates


def test_listed_placements_have_a_line_for_each_player() -> None:
    game, first = play(started(), MOVES[0])
    _, rest = listed(game, MOVES[1:49])
    update = together(*first, *rest)
    said = lines(update)
    assert said[0] == f"{A} placed {MOVES[48]} (as planned). {A}, your turn again."
    assert said[1] == "Earlier:"
    white = [
        move for one, move in zip(update.events, MOVES, strict=False) if one.event.actor == ANN
    ]
    assert said[2] == f"- {A} placed {', '.join(white[:-1])}."
    assert said[3].startswith(f"- {B} placed ")
    assert said[4].startswith("Board full!")
    assert len(board(IN_ENGLISH, update).content) <= 1_000


def test_a_few_listed_placements_are_announced_one_by_one() -> None:
    game, first = play(started(), "d2")
    _, rest = listed(game, ["e2", "f2", "g2"])
    said = lines(together(*first, *rest))
    assert said[:5] == [
        f"{B} placed g2 (as planned). {A}, your turn.",
        "Earlier:",
        f"- {A} placed d2.",
        f"- {B} placed e2 (as planned).",
        f"- {A} placed f2 (as planned).",
    ]


def test_an_agreed_offer_is_not_announced_separately() -> None:
    game, _ = play(started(), *MOVES[:2])
    game, asked = step(game, OfferMade(Offer.TAKEBACK), ANN)
    _, back = step(game, TakenBack(0), BOB)
    said = lines(together(asked, back))
    assert said[0] == f"{A} took back {MOVES[0]}, {MOVES[1]}. {A}, your turn."
    assert not any("would like to undo" in line for line in said)


def test_after_many_events_the_newest_is_announced_and_hints_stay() -> None:
    """A night without posting: placements, offers, a takeback, moves. And one with moves only."""
    game, updates = started(), list[GameUpdate]()
    for number, move in enumerate(MOVES[:80]):
        assert game.to_move is not None
        if number % 3 == 0:
            game, update = offer(game, ANN, Offer.DRAW)
            updates.append(update)
            game, update = step(game, OfferDeclined(), BOB)
            updates.append(update)
        assert game.to_move is not None
        why = AutoMoveReason.ONLY if number % 5 == 0 else None
        game, update = step(game, Moved(parse_move(move), why), game.to_move)
        updates.append(update)
    assert game.to_move is not None
    game, end = step(game, Resigned(), game.to_move)
    said = lines(together(*updates, end))
    assert len("\n".join(said)) <= 2_000
    assert said[0].endswith(f"<@{end.events[0].event.actor}> resigned.")
    assert said[1] == "Earlier:"
    assert said[2].startswith("- ")
    assert said[2].endswith(" earlier turns")
    assert MOVES[79] in said[-1]


def test_an_end_lists_the_moves_played_during_passes() -> None:
    moves = [str(move) for move in random_game(16)]
    row = replace(new_game().row, machine=BOB, level=1)
    _, updates = play(step(before_start(row), Started(), BOB)[0], *moves)
    said = lines(together(*updates[-3:]))
    assert said[0].startswith(f"{A} beats Pip 8–6. ")
    assert said[0].endswith(f" {A} couldn't move, so Pip moved {moves[-2]}, {moves[-1]}.")
    assert said[1].startswith("Cut off: ")
    assert len(said) == 3, "and a farewell: what Ann has just played she knows"
    _, updates = play(started(), *moves)
    said = lines(together(*updates[-3:]))
    assert said[0].endswith(f" {A} couldn't move, so {B} moved {moves[-2]}, {moves[-1]}.")
    assert any(line.startswith(f"Earlier: {A} moved {moves[-3]}.") for line in said)


def test_automatic_moves_are_called_automatic() -> None:
    game, _ = play(started(), *MOVES[:48])
    _, update = step(game, Moved(parse_move(MOVES[48]), AutoMoveReason.ONLY), ANN)
    assert lines(update)[0].startswith(f"{A} placed {MOVES[48]} (the only move). ")
    game, _ = play(started(), *MOVES[:49])
    assert game.to_move is not None
    _, update = step(game, Moved(parse_move(MOVES[49]), AutoMoveReason.ONLY), game.to_move)
    assert f"{MOVES[49]} (the only move)." in lines(update)[0]


def test_a_subcommand_is_clicked_by_its_commands_number() -> None:
    assert command(IN_ENGLISH, "setup abort", {"setup": 7}) == "</setup abort:7>"
    assert command(IN_ENGLISH, "setup abort", {}) == "/setup abort"


def test_command_names_are_in_the_readers_language() -> None:
    # Discord shows a command mention's own letters to everyone, and a translated one has no link.
    assert command(reader_for("es"), "setup abort", {"setup": 7}) == ("`/configurar anular`")
    assert command(reader_for("nl"), "help", {"help": 7}) == "</help:7>"


def test_buttons_of_an_answered_offer_keep_their_places_but_cannot_be_pressed() -> None:
    game, update = offer(started(), ANN, Offer.DRAW)
    before = note_post(IN_ENGLISH, update).buttons
    after = answered_offer(IN_ENGLISH, game)
    assert [(button.label, button.row) for button in after] == [
        (button.label, button.row) for button in before
    ]
    assert [button.label for button in after if button.disabled] == ["Accept", "Decline"]
    assert not any(button.disabled for button in before)
