"""Tests for the texts about a player who has disappeared."""

from dataclasses import replace

from bot.base.languages import IN_ENGLISH
from bot.connection.posts import Post
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Aborted, Deserted
from bot.play.model.game import Game, Offer
from bot.play.model.offer_events import OfferMade
from bot.play.words.boards import board
from bot.play.words.clocks import with_clocks
from tests.bot.replayed import ANN, BOB, CID, A, B, C, play, started, step

GO_ON = "Play on against me"
LOOKING_BACK = ("Replay", "More")
HINT = f"{B}, you can keep waiting, or end it without a result."


def labels(update: GameUpdate) -> list[str]:
    return [button.label for button in board(IN_ENGLISH, update).buttons]


def lying() -> tuple[Game, GameUpdate]:
    """A game in which Ann is to place the third red piece."""
    return step(play(started(), "d2", "e2")[0], Deserted(), ANN)


def test_both_players_learn_the_state() -> None:
    _, update = lying()
    post = board(IN_ENGLISH, update)
    assert post.content == f"No move for 14 days. {A}, your turn.\n{HINT}"
    assert post.pings == (ANN,)
    assert labels(update) == ["Place", "End without a result", "More"]


def test_a_pending_offer_is_shown_as_well() -> None:
    asked = step(play(started(), "d2", "e2")[0], OfferMade(Offer.DRAW), BOB)[0]
    _, update = step(asked, Deserted(), ANN)
    assert board(IN_ENGLISH, update).content.splitlines()[1:] == [
        HINT,
        f"{B} offers a draw. {A}, accept?",
    ]
    assert labels(update)[0] == "Place"
    assert labels(update)[-3:] == ["More", "Accept", "Decline"]


def test_unannounced_moves_are_announced_with_the_next_board() -> None:
    game, lies = lying()
    game, (move,) = play(game, "f2")
    content = board(IN_ENGLISH, GameUpdate(game, (*lies.events, *move.events), ())).content
    assert content.startswith(f"{A} placed f2. {B}, your turn.")
    assert "\nEarlier: No move for 14 days." in content
    assert "end it without" not in content


def test_the_end_names_no_winner_and_offers_the_machine() -> None:
    _, update = step(lying()[0], Aborted(), BOB)
    post = board(IN_ENGLISH, update)
    assert post.content == (f"{A} hasn't moved for 14 days. {B} ended this game. No result.")
    assert (post.pings, labels(update)) == ((ANN,), [GO_ON, *LOOKING_BACK])


def test_an_early_end_names_only_its_player() -> None:
    game, _ = lying()
    _, moderator = step(game, Aborted(), CID)
    assert board(IN_ENGLISH, moderator).content.startswith(
        f"{A} hasn't moved for 14 days. {C} ended this game."
    )
    assert labels(moderator) == [GO_ON, *LOOKING_BACK]
    _, himself = step(game, Aborted(), ANN)
    assert board(IN_ENGLISH, himself).content == f"{A} ended this game. No result.\n{B}"
    back, _ = play(game, "f2")
    _, after = step(back, Aborted(), CID)
    assert board(IN_ENGLISH, after).content == f"{C} ended this game. No result.\n{A} {B}"
    assert labels(after) == [*LOOKING_BACK]
    _, nowhere = step(game, Aborted(no_place=True), CID)
    assert labels(nowhere) == [*LOOKING_BACK]


def test_no_clock_mentions_absent_players() -> None:
    words = "After 14 days without a move, the game can be ended with no winner."
    game = started()
    post = Post(content="")
    assert words in with_clocks(IN_ENGLISH, post, game, None).content
    alone = replace(game, row=replace(game.row, machine=BOB))
    content = with_clocks(IN_ENGLISH, post, alone, None).content
    assert words not in content
    assert "No clock in this game." in content
