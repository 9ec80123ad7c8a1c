"""Tests for moves as people write them, and for chat that is ignored."""

import re

import pytest

from bot.base.languages import reader_for
from bot.base.spelling import (
    looks_like_a_move,
    may_contain_move,
    move_among_courtesies,
    moves_among_words,
    without_courtesies,
)
from bot.features.talk.model import TextRequest, request_in
from bot.features.talk.small_talk import SmallTalk, is_link, small_talk_in
from bot.features.talk.words import (
    greeting,
    quiet_answer,
    reply_to_swearing,
    small_talk_answer,
)
from bot.play.model.typed import read_typed
from dvonn import Coordinates, IllegalMoveError, NotationError, Position
from tests.bot.composition.test_catalogues import LANGUAGES
from tests.bot.features.talk.chatter import chatter
from tests.bot.play.test_bounded_texts import unread
from tests.bot.replayed import play, started
from tests.games import positions_of, random_game

STANDARD = Coordinates.STANDARD
LINES = 10_000
"""Minimum number of lines of chat."""


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("a1-b1!", "a1-b1"),
        ("c2 please", "c2"),
        ("d2-d4, te toca", "d2-d4"),
        ("d2-d4 tocca a te!", "d2-d4"),
        ("d2-d4, jouw beurt", "d2-d4"),
        ("d2-d4, à toi de jouer", "d2-d4"),
        ("(f5-e4)", "f5-e4"),
        ("**h3-i4**", "h3-i4"),
        ("h1:i1", "h1-i1"),
        ("h1 i1 gg", "h1-i1"),
        ("d2 → d4", "d2-d4"),
        ("d2 ⟶ d4", "d2-d4"),
        ("d2⇒d4", "d2-d4"),
        ("D2-D4.", "d2-d4"),
        ("d2 ➡️ d4", "d2-d4"),
        ("d2 👉 d4", "d2-d4"),
        ("d4 🙂👍🏽", "d4"),
        ("👨\u200d👩\u200d👧 d4", "d4"),
        ("🇵🇱 d4", "d4"),
        ("d4 1️⃣", "d4"),
        ("<:dvonn_d2:123456789> d4 <a:hi:1>", "d4"),
        ("Thank you! d2-d4 :)", "d2-d4"),
        ("ok, **d2**-**d4** please!!!", "d2-d4"),
        ("Sorry... d4", "d4"),
        ("d4 gl hf", "d4"),
        ("gg d4 gg", "d4"),
        ("bitte d4, danke", "d4"),
        ("d4 s'il te plaît", "d4"),
        ("d4 s\u2019il te plai\u0302t", "d4"),
        ("d4 por favor", "d4"),
        ("proszę d4", "d4"),
        ("d4お願いします", "d4"),
        ("d4 пожалуйста", "d4"),
        ("||d4||", "d4"),
        ("__d2__ `d4`", "d2-d4"),
        ("```txt\nd2-d4\n```", "d2-d4"),
        ("- d2-d4", "d2-d4"),
        ("d4 xD", "d4"),
        ("«d2 – d4»", "d2-d4"),
        ("/move d2-d4", "d2-d4"),
        ("/move move: d2-d4", "d2-d4"),
        ("/Zug zug:d4", "d4"),
        ("<@8> d4", "d4"),
        ("d2-d4 <@!8>", "d2-d4"),
        (":D d2-d4", "d2-d4"),
        ("<3 d2-d4", "d2-d4"),
        ("-> d2-d4", "d2-d4"),
        ("ok 3: d4", "d4"),
        ("then d2-d4", "d2-d4"),
        ("12... d2 onto d4!?", "d2-d4"),
    ],
)
def test_a_move_among_courtesies_is_read(text: str, move: str) -> None:
    assert str(move_among_courtesies(text, STANDARD)) == move
    assert may_contain_move(text) or looks_like_a_move(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gg",
        "please",
        "🙂",
        "/moves d4",
        "/undo d4",
        "d4?",
        "d4 ?",
        "~~d4~~",
        "not d4",
        "d4 now",
        "d2 please d4 e5",
        "d4 thanksgiving",
        "okd4",
        "d4é",
        "$d4",
        "d4:D",
        "xDd4",
        "d4 " + "thanks " * 60,
    ],
)
def test_text_beyond_a_move_is_not_a_move(text: str) -> None:
    assert move_among_courtesies(text, STANDARD) is None


def test_illegal_moves_stay_refused() -> None:
    game, _ = play(started(), "d2")
    with pytest.raises(IllegalMoveError):
        read_typed("d2 please", STANDARD, game.position)
    with pytest.raises(NotationError):
        read_typed("b2, c3 please", STANDARD, game.position)
    assert [str(move) for move in read_typed("e2!", STANDARD, game.position).moves] == ["e2"]
    pergioco = read_typed("c11!", Coordinates.PERGIOCO, Position.initial())
    assert [str(move) for move in pergioco.moves] == ["k3"]


def test_ten_thousand_lines_of_chat_hold_no_move() -> None:
    lines = list(chatter(LINES, seed=1))
    assert len(set(lines)) == LINES
    read = [
        line
        for line in lines
        if looks_like_a_move(line)
        or any(move_among_courtesies(line, system) for system in Coordinates)
    ]
    assert read == []
    # There must be real stacks on the board, otherwise the test would show little.
    assert sum(map(may_contain_move, lines)) > LINES // 2


def test_chat_is_never_played_at_any_stage_of_a_game() -> None:
    positions = positions_of(random_game(3))[:-1:6]
    for number, line in enumerate(chatter(2_000, seed=2)):
        with pytest.raises((NotationError, IllegalMoveError)):
            read_typed(line, STANDARD, positions[number % len(positions)])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I think d4 is best", ["d4"]),
        ("d4 or e3?", ["d4", "e3"]),
        ("D4, no, d4", ["d4"]),
        ("~~d4~~", ["d4"]),
        ("今d4にいます", ["d4"]),
        ("b2b meeting", []),
        ("c 4 explosives", []),
        ("z9 is off the board", []),
        ("https://example.org/d4 <:d4:12> <@4>", []),
        ("d4 " * 200, []),
    ],
)
def test_spaces_among_words_are_found_while_pieces_are_placed(text: str, found: list[str]) -> None:
    assert [str(word) for word in moves_among_words(text, Position.initial(), STANDARD)] == found


def test_movements_among_words_are_found_once_stacks_move() -> None:
    game, _ = play(started(), *(str(move) for move in random_game(5)[:49]))
    first, second, *_ = game.position.legal_moves()
    text = f"shall I play {first} or {second.source} to {second.target}? d1 maybe, {first}"
    assert moves_among_words(text, game.position, STANDARD) == (first, second)
    assert moves_among_words(f"only {first.source}", game.position, STANDARD) == ()
    squeezed = f"hm {first.source}{first.target} hm"
    assert moves_among_words(squeezed, game.position, STANDARD) == (first,)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("help", TextRequest.HELP),
        ("HELP!!", TextRequest.HELP),
        ("How do I play?", TextRequest.RULES),
        ("/help", TextRequest.HELP),
        ("Hilfe", TextRequest.HELP),
        ("rules pls", TextRequest.RULES),
        ("Teach me, please!", TextRequest.LEARN),
        ("/learn", TextRequest.LEARN),
        ("what are the rules?", TextRequest.RULES),
        ("règles", TextRequest.RULES),
        ("re\u0300gles", TextRequest.RULES),
        ("Let\u2019s play!", TextRequest.PLAY),
        ("board", TextRequest.BOARD),
        ("whose turn is it?", TextRequest.BOARD),
        ("my games", TextRequest.GAMES),
        ("hint?", TextRequest.HINT),
        ("Gib mir bitte einen Tipp", None),
        ("Was soll ich spielen?", TextRequest.HINT),
        ("What is DVONN?", TextRequest.RULES),
        ("Undo please", TextRequest.UNDO),
        ("take  back", TextRequest.UNDO),
        ("draw?", TextRequest.DRAW),
        ("I offer a draw.", TextRequest.DRAW),
        ("**resign**", TextRequest.RESIGN),
        ("I give up 😭", TextRequest.RESIGN),
        ("A chi tocca?", TextRequest.BOARD),
        ("Wer ist am Zug?", TextRequest.BOARD),
        ("Hallo, bitte spiel mit mir!", TextRequest.PLAY),
        ("Ciao, gioca con me per favore!", TextRequest.PLAY),
        ("Hoi, speel tegen mij alsjeblieft!", TextRequest.PLAY),
        ("Salut, on joue\u202f?", TextRequest.PLAY),
        ("J\u2019abandonne\u202f!", TextRequest.RESIGN),
        ("¡Hola! ¿Cómo se juega?", TextRequest.RULES),
        ("¿A quién le toca?", TextRequest.BOARD),
        ("Juega conmigo, por favor", TextRequest.PLAY),
        ("¡Me rindo! Bien jugado.", TextRequest.RESIGN),
        ("Mi serve aiuto", TextRequest.HELP),
        ("Dammi un consiglio, grazie mille", TextRequest.HINT),
        ("Torna indietro, per favore", TextRequest.UNDO),
        ("Zullen we spelen?", TextRequest.PLAY),
        ("Zet terug, alsjeblieft", TextRequest.UNDO),
        ("Ik wil leren spelen", TextRequest.LEARN),
        ("Ich biete Remis an", TextRequest.DRAW),
        ("how do i resign??", TextRequest.RESIGN),
        ("Wie gebe ich auf?", TextRequest.RESIGN),
        ("Comment j\u2019abandonne\u202f?", TextRequest.RESIGN),
        ("¿Cómo me rindo?", TextRequest.RESIGN),
        ("Come faccio a abbandonare?", TextRequest.RESIGN),
        ("Hoe kan ik opgeven?", TextRequest.RESIGN),
        ("who's turn", TextRequest.BOARD),
        ("How many pieces do I have?", TextRequest.BOARD),
        ("how long do I have left?", TextRequest.BOARD),
        ("Wie viel Zeit habe ich noch?", TextRequest.BOARD),
        ("Combien de temps me reste-t-il\u202f?", TextRequest.BOARD),
        ("¿Cuánto tiempo me queda?", TextRequest.BOARD),
        ("Quanto tempo mi resta?", TextRequest.BOARD),
        ("Hoeveel tijd heb ik nog?", TextRequest.BOARD),
        ("undo pls", TextRequest.UNDO),
        ("can I take my move back?", TextRequest.UNDO),
        ("Kann ich einen Tipp haben?", TextRequest.HINT),
        ("how do I undo?", TextRequest.HELP),
        ("Wie kann ich Remis anbieten?", TextRequest.HELP),
        ("Come gioco?", TextRequest.RULES),
        ("¿Cómo jugar?", TextRequest.RULES),
        ("can I have a cookie?", None),
        ("how do I look?", None),
        ("how do I", None),
        ("", None),
        ("thanks", None),
        ("help the others", None),
        ("don't resign", None),
        ("resign or draw", None),
        ("board games are fun", None),
        ("help " * 30, None),
    ],
)
def test_requests_in_plain_words(text: str, wish: TextRequest | None) -> None:
    assert request_in(text) is wish


@pytest.mark.parametrize(
    ("text", "talk"),
    [
        ("Hello!", SmallTalk.GREETING),
        ("¡Hola!", SmallTalk.GREETING),
        ("Thanks! 🙂", SmallTalk.THANKS),
        ("ok", SmallTalk.COURTESY),
        ("👍", SmallTalk.COURTESY),
        ("you suck", SmallTalk.SWEARING),
        ("T\u2019es nul\u202f!", SmallTalk.SWEARING),
        ("STOP!!", SmallTalk.STOP),
        ("fuck off", SmallTalk.STOP),
        ("Lass mich in Ruhe.", SmallTalk.STOP),
        ("", None),
        ("stop sign", None),
        ("d2-d4", None),
    ],
)
def test_messages_to_the_bot_without_a_request(text: str, talk: SmallTalk | None) -> None:
    assert small_talk_in(text) is talk


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_each_word_that_an_answer_says_to_say_is_understood(language: str) -> None:
    reads = reader_for(language.replace("_", "-"))
    told = [
        greeting(reads, (), has_machine=True).content,
        *(
            small_talk_answer(reads, talk, in_game=game)
            for talk in SmallTalk
            for game in (True, False)
        ),
        *(
            words(reads, in_game=game)
            for words in (reply_to_swearing, quiet_answer)
            for game in (True, False)
        ),
    ]
    said = re.findall(r"[“„«]\s?(\w+)\s?[”“»]", " ".join(told))
    assert len(said) == 34
    assert all(request_in(word) or small_talk_in(word) is SmallTalk.STOP for word in said)


def test_texts_that_are_too_long_stay_unchanged() -> None:
    long = "d4" + "!" * 400
    assert without_courtesies(long) is long


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_suggested_phrases_are_understood(language: str) -> None:
    told = reader_for(language.replace("_", "-")).gettext(
        "I can teach you in five minutes, or we just play. /help has everything I"
        " can do. Or tell me: rules, learn, play, board, games, hint, undo, draw "
        "or resign."
    )
    words = re.findall(r"\w+", told.rpartition(":")[2])
    wishes = [request_in(word) for word in words]
    wishes.remove(None)  # the word for "or"
    assert wishes == [request for request in TextRequest if request is not TextRequest.HELP]


def test_texts_that_are_too_long_are_not_parsed_for_requests() -> None:
    assert request_in(unread(10**9)) is None
    assert small_talk_in(unread(10**9)) is None


@pytest.mark.parametrize(("length", "is_one"), [(500, True), (501, False)])
def test_a_link_is_read_up_to_its_limit(length: int, *, is_one: bool) -> None:
    assert is_link("https://example.org/".ljust(length, "a")) is is_one
    assert not is_link("see https://example.org/")
