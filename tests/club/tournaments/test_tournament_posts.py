"""Tests of a tournament's posts in English, and of their buttons."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.base.languages import IN_ENGLISH
from bot.connection.posts import ButtonStyle, Post
from bot.play.model.terms import Start
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.use_cases.news import called
from club.tournaments.words.announcements import (
    RoundLimit,
    tournament_announced,
    tournament_called,
    tournament_cancelled,
    tournament_check_in,
    tournament_corrected,
    tournament_ended,
    tournament_pairing,
    tournament_results,
    tournament_round,
)
from club.tournaments.words.answers import (
    result_name,
    tournament_begun,
    tournament_called_off,
    tournament_joined,
    tournament_left,
    tournament_made,
    tournament_set_right,
)
from club.tournaments.words.games import tournament_games
from club.tournaments.words.standings import tournament_picture, tournament_table, tournament_text
from club.tournaments.words.terms import format_choice, tournament_event
from tests.club.tournaments.toured import (
    DAY,
    FIRST,
    NOW,
    drawn_twice,
    left_early,
    over,
    report,
    round_of,
    running,
    somebody,
    tournament,
)

ROBIN, SWISS, KNOCKOUT, LADDER, _ = TournamentFormat
CHECK_IN = replace(
    tournament(4, state=TournamentState.CHECK_IN, begins_at=NOW),
    entrants=tuple(
        replace(entrant, checked_in=entrant.seed == 1, withdrawn=entrant.seed == 4)
        for entrant in tournament(4).entrants
    ),
)
STARTS = f"It starts <t:{NOW.timestamp():.0f}:f> (<t:{NOW.timestamp():.0f}:R>)."


def told(post: Post) -> list[str]:
    """Return its lines with shorter names: "@2" for the second player, "Cup" for all."""
    text = post.content.replace("**Ĝŕåñð \\*Çûþ\\***", "Cup").replace("\\.", ".")
    text = re.sub(r"<@(\d{19})>", lambda found: f"@{int(found[1]) - FIRST}", text)
    return re.sub(r"\(https://discord\.com/channels/\d+/(\d+)\)", r"(\1)", text).splitlines()


def buttons(post: Post) -> list[tuple[str, str, ButtonStyle]]:
    """Return the buttons' labels, their action in tournament 12, and their styles."""
    found = []
    for button in post.buttons:
        assert button.custom_id.startswith("dvonn:cup:12:")
        action = button.custom_id.removeprefix("dvonn:cup:12:")
        found.append((button.label, action, button.style))
    return found


JOIN = ("Join", "join:created-0", ButtonStyle.SUCCESS)
LEAVE = ("Leave", "leave:created-0", ButtonStyle.SECONDARY)
PLAYERS = ("Players", "table:0:created-0", ButtonStyle.SECONDARY)


@pytest.mark.parametrize(
    ("found", "lines"),
    [
        (
            tournament(2, begins_at=NOW, round_time=3 * DAY, level=3),
            [
                "Cup",
                "Swiss: each round you play someone doing about as well · 3 rounds",
                "Even board: fair to both.",
                "Clock: 1 day per move.",
                "Each round takes 3 days at most.",
                "The games are rated.",
                "With an odd number of players I join in, at level 3 · Lulu (easy).",
                "Organised by @1.",
                STARTS,
                "2 players: @1 and @2",
            ],
        ),
        (
            tournament(0, start=Start.PLACEMENT, clock=None, rated=False, rounds=1),
            [
                "Cup",
                "Swiss: each round you play someone doing about as well · 1 round",
                "Empty board: you place the pieces first.",
                "The games aren't rated.",
                "Organised by @1.",
                "It starts when @1 says so.",
                "Nobody has joined yet.",
            ],
        ),
        (
            tournament(1, format=KNOCKOUT, lasts=DAY, third_place=True),
            [
                "Cup",
                "Knockout: lose, and you're out",
                "Even board: fair to both.",
                "Clock: 1 day per move.",
                "The losers of the semi-finals play for third place.",
                "The games are rated.",
                "Organised by @1.",
                "It starts when @1 says so.",
                "1 player: @1",
            ],
        ),
        (
            tournament(1, format=LADDER, lasts=7 * DAY, rated=False, round_time=DAY),
            [
                "Cup",
                "Ladder: beat someone above you and take their place · 7 days",
                "Challenge each other with /challenge.",
                "Every game between two players of the ladder counts, with any clock.",
                "Organised by @1.",
                "It starts when @1 says so.",
                "1 player: @1",
            ],
        ),
    ],
)
def test_an_announcement_tells_all_that_was_chosen(found: Tournament, lines: list[str]) -> None:
    post = tournament_announced(IN_ENGLISH, report(found))
    assert told(post) == lines
    assert buttons(post) == [JOIN, LEAVE, PLAYERS]
    event = tournament_event(IN_ENGLISH, found)
    assert event.splitlines() == [
        *lines[1 : lines.index("Organised by @1.")],
        "Join with the button in the channel, or in /tournament show.",
    ]


@pytest.mark.parametrize(
    ("found", "joins"),
    [
        (tournament(4, format=LADDER, state=TournamentState.RUNNING), True),
        (running(16, rounds=2), True),
        (running(16, rounds=3), False),
        (running(16, rounds=1, format=KNOCKOUT), False),
    ],
)
def test_running_tournaments_show_their_progress_and_who_can_join(
    found: Tournament, joins: bool
) -> None:
    post = tournament_announced(IN_ENGLISH, report(found))
    far = f"**{tournament_table(IN_ENGLISH, found, (), {}, 0).content.split(' · ')[1]}**"
    assert told(post)[-2] == far
    assert "starts" not in post.content
    assert buttons(post)[:2] == [JOIN, LEAVE]
    assert [button.disabled for button in post.buttons[:2]] == [not joins, False]


def test_how_far_it_is() -> None:
    states = [
        tournament(state=one) for one in TournamentState if one is not TournamentState.RUNNING
    ]
    runs = [running(), running(rounds=1, format=LADDER)]
    assert [told(tournament_games(IN_ENGLISH, one, 1))[0] for one in (*states, *runs)] == [
        "Cup · Open to join",
        "Cup · Check-in",
        "Cup · Over",
        "Cup · Cancelled",
        "Cup · Round 2 of 3",
        "Cup · Running",
    ]


def check_in(found: Tournament) -> Post:
    return tournament_check_in(IN_ENGLISH, report(found, "check_in-0"), called(found, {}))


def test_the_question_who_is_there() -> None:
    post = check_in(CHECK_IN)
    assert told(post) == [
        "Cup starts soon. Press *I'm here*, or you get no game.",
        STARTS,
        "Not here yet: @2 and @3",
        "Here: @1",
    ]
    assert post.pings == (somebody(2), somebody(3))
    assert buttons(post) == [
        ("I'm here", "here:check_in-0", ButtonStyle.PRIMARY),
        ("Join", "join:check_in-0", ButtonStyle.SUCCESS),
        ("Leave", "leave:check_in-0", ButtonStyle.SECONDARY),
        ("Players", "table:0:check_in-0", ButtonStyle.SECONDARY),
    ]
    begun = replace(CHECK_IN, state=TournamentState.RUNNING)
    post = check_in(begun)
    assert told(post) == ["Cup: check-in is over.", "Here: @1"]
    assert (post.pings, post.buttons) == ((), ())
    everybody = tuple(replace(entrant, checked_in=True) for entrant in CHECK_IN.entrants[:2])
    post = check_in(replace(CHECK_IN, entrants=everybody))
    assert told(post)[2:] == ["Here: @1 and @2"]
    nobody = tournament(1, state=TournamentState.CHECK_IN)
    assert told(check_in(nobody))[1:] == ["Not here yet: @1"]


def test_of_many_who_are_not_there_sixty_are_named() -> None:
    many = tournament(70, state=TournamentState.CHECK_IN)
    post = check_in(many)
    assert told(post)[1].endswith("@59, @60, and 10 others")


def test_the_others_are_named_in_a_message_of_their_own() -> None:
    found = tournament(62, state=TournamentState.CHECK_IN, begins_at=NOW)
    others = [somebody(61), somebody(62)]
    post = tournament_called(IN_ENGLISH, report(found, "called-1"), others)
    assert told(post) == [
        "Cup starts soon. Press *I'm here*, or you get no game.",
        STARTS,
        "Not here yet: @61 and @62",
    ]
    assert post.pings == tuple(others)
    assert buttons(post) == [
        ("I'm here", "here:called-1", ButtonStyle.PRIMARY),
        ("Players", "table:0:called-1", ButtonStyle.SECONDARY),
    ]


def test_a_round_begins() -> None:
    limit = RoundLimit(NOW + DAY, NOW)
    post = tournament_round(IN_ENGLISH, replace(report(running(5), "round-2"), limit=limit), 2)
    assert told(post) == [
        "Cup, round 2 of 3",
        "2 games, each in its own thread below.",
        f"The round ends <t:{(NOW + DAY).timestamp():.0f}:f> at the latest.",
        f"⏸ All clocks are paused until <t:{NOW.timestamp():.0f}:f>. You can play on meanwhile.",
        "@5 has a bye this round. It counts as a win.",
    ]
    assert buttons(post) == [("Games", "games:2:round-2", ButtonStyle.SECONDARY)]
    first = running(3, rounds=1)
    post = tournament_round(IN_ENGLISH, report(first, "round-1"), 1)
    assert told(post) == [
        "Cup, round 1 of 3",
        "1 game, in its own thread below.",
        "@3 has a bye this round. It counts as a win.",
        "With so few players, everybody plays everybody: 3 rounds.",
    ]
    ladder = tournament(format=LADDER, state=TournamentState.RUNNING)
    post = tournament_round(IN_ENGLISH, report(ladder, "round-1"), 1)
    assert told(post) == [
        "Cup begins.",
        "Challenge each other with /challenge.",
        "Every rated game between two players of the ladder counts, with any clock.",
    ]


def test_two_play_each_other() -> None:
    *_, pairing, _ = running().pairings
    post = tournament_pairing(IN_ENGLISH, running(), pairing)
    assert told(post) == ["Cup, round 2, board 1: @1 – @2"]
    assert post.buttons == ()
    ladder = running(format=LADDER)
    assert told(tournament_pairing(IN_ENGLISH, ladder, pairing)) == ["Cup: @1 – @2"]
    bye = replace(pairing, black=None, result=None)
    assert told(tournament_pairing(IN_ENGLISH, running(), bye)) == ["Cup, round 2, board 1: @1"]


def test_a_knockout_match_explains_its_special_terms() -> None:
    found = drawn_twice()
    posts = [tournament_pairing(IN_ENGLISH, found, pairing) for pairing in found.pairings]
    third, again = ("For third place.", "It was a draw: they play again, with colours swapped.")
    assert [told(post)[1:] for post in posts] == [[], [], [], [third], [again], [third, again]]


def test_how_a_round_went() -> None:
    post = tournament_results(IN_ENGLISH, report(over(7), "results-2", IN_ENGLISH), 2)
    assert told(post) == [
        "Cup, results of round 2",
        f"1. @1 – @2 **½–½** (corrected) · [game 201]({FIRST + 2001})",
        f"2. @3 – @4 **0–1** (corrected) · [game 202]({FIRST + 2002})",
        f"3. @5 – @6 **0–0** (corrected) · [game 203]({FIRST + 2003})",
        "(deleted) has a bye this round. It counts as a win.",
    ]
    assert buttons(post) == [("Standings", "table:0:results-2", ButtonStyle.SECONDARY)]
    assert post.picture is not None
    post = tournament_results(IN_ENGLISH, report(left_early(), "results-2"), 2)
    assert told(post)[1:] == [
        f"1. @1 – @2 **0–1** (not played) · [game 201]({FIRST + 2001})",
        f"2. @3 – @4 · [game 202]({FIRST + 2002})",
        "@5 sits this round out.",
    ]
    *_, gone, bye = running(3).pairings
    gone = replace(gone, result=PairingResult.NEITHER, forfeit=True)
    found = replace(running(3), pairings=(gone, bye))
    assert told(tournament_results(IN_ENGLISH, report(found, "results-2"), 2))[1:] == [
        f"1. @1 – @2 **0–0** (not played) · [game 201]({FIRST + 2001})",
        "@3 has a bye this round. It counts as a win.",
        "0–0? Organisers can set a result with /tournament correct.",
    ]
    found = running(2, rounds=1, format=LADDER)
    found = replace(found, pairings=(replace(found.pairings[0], result=PairingResult.NEITHER),))
    post = tournament_games(IN_ENGLISH, found, 1)
    assert told(post)[-1] == "0–0? Organisers can set a result with /tournament correct."
    post = tournament_results(IN_ENGLISH, report(drawn_twice(), "results-2"), 2)
    assert told(post)[-2:] == [
        "3. @3 – @1 **½–½** (@1 goes on, seeded higher)",
        "4. @4 – @2 **½–½** (@2 goes on, seeded higher)",
    ]


def test_a_game_without_a_message_of_its_own_is_not_linked() -> None:
    found = running(2, rounds=1, format=LADDER)
    for missing in ({"message": None}, {"game": None}):
        one = replace(found.pairings[0], **missing)  # type: ignore[arg-type]
        post = tournament_games(IN_ENGLISH, replace(found, pairings=(one,)), 1)
        assert told(post)[1:] == ["1. @1 – @2"]


def test_many_games_are_listed_without_links() -> None:
    few, many = (
        tournament_games(IN_ENGLISH, running(players, rounds=1), 1).content for players in (20, 40)
    )
    assert few.count("[game ") == 10
    assert "[game " not in many
    assert many.count(" – ") == 20


def test_a_finished_tournament_is_over() -> None:
    post = tournament_ended(IN_ENGLISH, report(over(5), "ended-0", IN_ENGLISH))
    assert told(post)[:6] == [
        "Cup is over.",
        "1. (deleted) · 2 points",
        "2. @1 · 1½ points",
        "3. @3 · 1 point",
        "",
        "Results of round 2:",
    ]
    assert told(post)[-1] == "(deleted) has a bye this round. It counts as a win."
    assert post.picture is not None
    assert buttons(post) == [("Standings", "table:0:ended-0", ButtonStyle.SECONDARY)]
    post = tournament_ended(IN_ENGLISH, report(running(2, rounds=1, format=LADDER)))
    assert len(told(post)) == 1 + 2, "it has no rounds"
    early = replace(running(2), pairings=(), round=0)
    assert "Results" not in tournament_ended(IN_ENGLISH, report(early)).content


SOON = timedelta(seconds=1)


def cancelled(entrants: int, *, after: timedelta, left: int = 0) -> Tournament:
    """A planned tournament that was cancelled after some time. Some people have left it."""
    found = tournament(entrants)
    return replace(
        found,
        entrants=tuple(
            replace(entrant, withdrawn=entrant.seed <= left) for entrant in found.entrants
        ),
        terms=replace(found.terms, begins_at=NOW),
        ended_at=NOW + after,
    )


@pytest.mark.parametrize(
    ("found", "told_line"),
    [
        (cancelled(1, after=SOON), "Cup is cancelled: too few people joined."),
        (cancelled(2, after=SOON, left=1), "Cup is cancelled: too few people joined."),
        (cancelled(2, after=SOON), "Cup is cancelled: too few people were there."),
        # An organizer has, before its planned start, or if only they could begin it.
        (cancelled(1, after=-SOON), "Cup is cancelled."),
        (cancelled(2, after=-SOON), "Cup is cancelled."),
        (tournament(1), "Cup is cancelled."),
    ],
)
def test_it_is_cancelled(found: Tournament, told_line: str) -> None:
    post = tournament_cancelled(IN_ENGLISH, report(found, "cancelled-0"))
    assert told(post) == [told_line]
    assert buttons(post) == [("Players", "table:0:cancelled-0", ButtonStyle.SECONDARY)]


def test_a_ladder_has_begun_even_without_a_game() -> None:
    ladder = replace(running(2, format=LADDER), pairings=())
    post = tournament_cancelled(IN_ENGLISH, report(ladder, "cancelled-1"))
    assert told(post) == ["Cup is cancelled. Running games continue and still count for ratings."]


def test_a_message_whose_limit_is_right_to_the_minute_stays() -> None:
    limit = RoundLimit(NOW + DAY)
    for seconds, stays in ((0, True), (59, True), (-59, True), (60, False), (-60, False)):
        told_then = RoundLimit(NOW + DAY + timedelta(seconds=seconds)).data
        assert limit.is_told_by(told_then) == stays
    for other in (RoundLimit(), RoundLimit(NOW + DAY, NOW)):
        assert not limit.is_told_by(other.data)
        assert not other.is_told_by(limit.data)
    assert not limit.is_told_by({}), "it told of none"


def test_a_correction_has_its_note() -> None:
    found, by = report(over(7), "corrected-3"), over(7).pairings[4]
    post = tournament_corrected(IN_ENGLISH, found, by)
    assert told(post) == [
        "Cup: @1 has corrected round 2, board 1: @1 – @2 **½–½**",
        "> ŵŕöñĝ \\*þļåýéŕ\\*",
    ]
    assert buttons(post) == [("Standings", "table:0:corrected-3", ButtonStyle.SECONDARY)]
    forgotten = replace(by, corrected_by=None, note=None, result=PairingResult.WHITE)
    post = tournament_corrected(IN_ENGLISH, found, forgotten)
    assert told(post) == ["Cup: (deleted) has corrected round 2, board 1: @1 – @2 **1–0**"]


# The standings


GAMES = ("Games", "games:2", ButtonStyle.SECONDARY)


def text(found: Tournament, page: int = 0) -> Post:
    return tournament_text(IN_ENGLISH, found, standings(found), page)


def test_the_standings_in_words() -> None:
    assert told(text(left_early())) == [
        "Cup · After round 1 of 5; round 2 counts once it's over",
        "1. @3 · 1 point · Sonneborn–Berger 0 · pieces +12",
        "2. @5 · 1 point · Sonneborn–Berger 0 · pieces 0",
        "3=. @2 · 0 points · Sonneborn–Berger 0 · pieces −12",
        "3=. @4 · 0 points · Sonneborn–Berger 0 · pieces −12",
        "5. @1 · 1 point · Sonneborn–Berger 0 · pieces +12 · has left",
    ]
    assert told(text(running(8)))[1] == (
        "1=. @1 · 1 point · Buchholz 0 · Sonneborn–Berger 0 · pieces +12"
    )
    assert told(text(running(2, format=LADDER, rounds=1)))[1] == "1. @1"
    starts = "It starts when @1 says so."
    assert told(text(tournament(2)))[1:] == [starts, "1. @1", "2. @2"]
    assert told(text(tournament(0)))[1:] == [starts, "Nobody has joined yet."]


@pytest.mark.parametrize(
    ("page", "shown", "ways"),
    [
        (-1, 0, [("▶", 1, ButtonStyle.PRIMARY)]),
        (0, 0, [("▶", 1, ButtonStyle.PRIMARY)]),
        (1, 1, [("◀", 0, ButtonStyle.SECONDARY), ("▶", 2, ButtonStyle.PRIMARY)]),
        (3, 3, [("◀", 2, ButtonStyle.SECONDARY)]),
        (9, 3, [("◀", 2, ButtonStyle.SECONDARY)]),
    ],
)
def test_the_standings_have_pages(
    page: int, shown: int, ways: Sequence[tuple[str, int, ButtonStyle]]
) -> None:
    found = running(64)
    words, picture = (
        text(found, page),
        tournament_table(IN_ENGLISH, found, standings(found), {}, page),
    )
    assert buttons(words) == [
        *((sign, f"text:{to}", style) for sign, to, style in ways),
        ("As picture", f"table:{shown}", ButtonStyle.SECONDARY),
        GAMES,
    ]
    assert buttons(picture) == [
        *((sign, f"table:{to}", style) for sign, to, style in ways),
        ("As text", f"text:{shown}", ButtonStyle.SECONDARY),
        GAMES,
    ]
    assert told(picture) == ["Cup · Round 2 of 3"]
    first = standings(found)[16 * shown]
    assert told(words)[1].split(" · ")[0] == f"{first.place}=. @{first.player - FIRST}"
    assert len(told(words)) == 1 + 16


def test_without_games_there_is_no_button_to_games() -> None:
    found = tournament(17)
    assert buttons(text(found, 1)) == [
        ("◀", "text:0", ButtonStyle.SECONDARY),
        ("As picture", "table:1", ButtonStyle.SECONDARY),
    ]
    assert told(text(found, 1))[2:] == ["17. @17"]


@pytest.mark.parametrize(
    ("number", "shown", "ways"),
    [
        (0, 1, [("▶", "games:2", ButtonStyle.PRIMARY)]),
        (1, 1, [("▶", "games:2", ButtonStyle.PRIMARY)]),
        (2, 2, [("◀", "games:1", ButtonStyle.SECONDARY), ("▶", "games:3", ButtonStyle.PRIMARY)]),
        (9, 3, [("◀", "games:2", ButtonStyle.SECONDARY)]),
    ],
)
def test_the_games_have_a_page_for_each_round(
    number: int, shown: int, ways: list[tuple[str, str, ButtonStyle]]
) -> None:
    post = tournament_games(IN_ENGLISH, running(8, rounds=3), number)
    assert told(post)[:2] == ["Cup · Round 3 of 3", f"Round {shown}"]
    assert buttons(post) == [*ways, ("Standings", "table:0", ButtonStyle.SECONDARY)]


def test_without_pairings_there_are_no_games() -> None:
    post = tournament_games(IN_ENGLISH, tournament(5), 1)
    assert told(post) == [
        "Cup · Open to join",
        "It starts when @1 says so.",
        "Round 1",
        "No games yet.",
    ]
    ladder = tournament_games(IN_ENGLISH, tournament(5, format=LADDER), 1)
    assert told(ladder)[2:] == ["No games yet."]


def test_the_picture_of_a_round_with_each_sort_of_end() -> None:
    found = over(7)
    names = {somebody(1): "Ann"}
    table = tournament_picture(IN_ENGLISH, found, standings(found), names).table
    assert (table.title, table.when) == (found.terms.name, "After round 2 of 3")
    assert table.by_points
    row = {one.player: n for n, one in enumerate(standings(found), start=1)}
    ann = table.rows[row[somebody(1)] - 1]
    first, second = row[somebody(2)], row[somebody(2)]
    assert (ann.name, [str(cell) for cell in ann.rounds]) == ("Ann", [f"+{first}", f"={second}"])
    assert [str(cell)[0] for cell in table.rows[row[somebody(4)] - 1].rounds] == ["−", "+"]
    assert {one.name for one in table.rows} == {"Ann", "", "(deleted)"}


def test_until_a_round_is_over_the_picture_tells_how_far_it_is() -> None:
    def when(found: Tournament) -> str:
        return tournament_picture(IN_ENGLISH, found, standings(found), {}).table.when

    assert when(replace(tournament(4), state=TournamentState.RUNNING)) == "Before round 1"
    assert when(running(8, rounds=1)) == "Round 1 of 3 counts once it's over"
    assert when(running(8, rounds=2)) == "After round 1 of 3; round 2 counts once it's over"
    cancelled = replace(running(8, rounds=2), state=TournamentState.CANCELLED)
    assert when(cancelled) == "Cancelled"
    assert when(replace(running(8, rounds=1), pairings=round_of(1, 8))) == "After round 1 of 3"
    assert when(replace(running(8, rounds=1, format=LADDER), pairings=round_of(1, 8))) == "Running"


# For one person alone


def test_the_results_of_commands() -> None:
    planned, live = tournament(begins_at=NOW), f"<t:{NOW.timestamp():.0f}:R>"
    posts = {
        "I'm announcing Cup here. Once everyone has joined, press *Start now*, here or in "
        "/tournament show.": (tournament_made(IN_ENGLISH, tournament())),
        "I'm announcing Cup here. To add it to this server's events, I need the permission "
        "Create Events.": tournament_made(IN_ENGLISH, planned, "Create Events"),
        f"You're in Cup. {STARTS}": tournament_joined(IN_ENGLISH, planned),
        "You're in Cup. You'll play from the next round on.": (
            tournament_joined(IN_ENGLISH, running())
        ),
        "You're in Cup. Challenge each other with /challenge. Every rated game between two "
        "players of the ladder counts, with any clock.": tournament_joined(
            IN_ENGLISH, running(format=LADDER)
        ),
        "You're in Cup.": tournament_joined(IN_ENGLISH, CHECK_IN),
        "You've left Cup.": tournament_left(IN_ENGLISH, tournament()),
        "You've left Cup. A game you're playing still counts.": (
            tournament_left(IN_ENGLISH, running())
        ),
        "@2 is out of Cup.": tournament_left(IN_ENGLISH, running(), somebody(2)),
        "Cup begins. With so few players, everybody plays everybody: 3 rounds.": (
            tournament_begun(IN_ENGLISH, running(3))
        ),
        "Cup begins.": tournament_begun(IN_ENGLISH, running(64)),
        f"These are live games, so everyone checks in first. Cup starts {live}. To skip the "
        "wait, press *Start now* again.": tournament_begun(IN_ENGLISH, CHECK_IN),
        "Cup is cancelled.": tournament_called_off(IN_ENGLISH, tournament()),
        "Corrected in Cup. I'm telling the channel, with your note.": (
            tournament_set_right(IN_ENGLISH, running())
        ),
    }
    assert [" ".join(told(post)) for post in posts.values()] == list(posts)


def test_results_and_formats_to_choose_from() -> None:
    results = [result_name(IN_ENGLISH, one) for one in PairingResult if not one.is_bye]
    assert results == [
        "1–0: White has won",
        "0–1: Black has won",
        "½–½: a draw",
        "0–0: nobody gets anything",
    ]
    assert [format_choice(IN_ENGLISH, one) for one in TournamentFormat] == [
        "Round robin: everybody plays everybody",
        "Swiss: each round you play someone doing about as well",
        "Knockout: lose, and you're out",
        "Ladder: beat someone above you and take their place",
        "League: divisions, with a new season by itself",
    ]
