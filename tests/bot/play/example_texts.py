"""Examples of all texts about the game."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

import dvonn
from bot.base import ids
from bot.base.errors import PlayError
from bot.base.formats import shortened_people
from bot.base.languages import Reader
from bot.base.zones import UnknownZone
from bot.composition import refusal as refusal_post
from bot.connection.posts import Post, join_within_limit, mention
from bot.connection.words import too_slow, try_again
from bot.play import feature
from bot.play.game_changes import GameUpdate
from bot.play.model import compat_0_1_0, events, refusals
from bot.play.model import refused_starts as starts
from bot.play.model.clock import Clock, TimeControl
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import AutoMoveReason, Game, Offer, before_start
from bot.play.model.offer_events import (
    DrawAgreed,
    HintsAgreed,
    OfferDeclined,
    RestPlaced,
    TakenBack,
)
from bot.play.model.pauses import SHOWN_ON_BOARDS, Pause, PauseReason
from bot.play.model.preview import Preview
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ColorChoice,
    Defaults,
    EndReason,
    OpenChallenge,
    Outcome,
    Place,
    ServerBlock,
    Start,
)
from bot.play.model.time_events import PauseAgreed, PauseEnded, TimeGiven, VacationTaken
from bot.play.model.turns import illegal_play
from bot.play.seams import combine
from bot.play.store.games import EndedGame
from bot.play.use_cases.own_games import ListedGame
from bot.play.words import compat_0_1_0 as commands_0_1_0
from bot.play.words import effects, notices, rounds
from bot.play.words.begin_form import both_sides, more_options, start_name
from bot.play.words.boards import (
    answered_offer,
    board,
    board_as_text,
    board_buttons,
    board_view,
    note,
)
from bot.play.words.challenges import (
    challenge,
    challenge_accepted,
    challenge_closed,
    level_name,
    machine_game_in_thread,
    play_level,
    play_me,
)
from bot.play.words.characters import farewell, greeting
from bot.play.words.clocks import clock_choices, confirm_claim, vacations, with_clocks
from bot.play.words.moves import board_aloud, legal_moves, stands_alone, suggestions
from bot.play.words.picker import landings, move_form, picker, preview, space_lists
from bot.play.words.undelivered import channel_deleted_notice, undelivered
from bot.play.words.views import assumed_inside, thread_name
from bot.replay.feature import VIEWS
from bot.replay.model.refusals import (
    BadPaste,
    GameStillRunning,
    LineTooLong,
    NoBoard,
    NoSuchPly,
    PasteProblem,
)
from bot.replay.model.replays import (
    MoveSequence,
    ReplayCursor,
    ReplayView,
    record_of,
    sequence_of,
    view_at,
)
from bot.replay.parts import page_parts, replay_parts
from bot.replay.use_cases.history import EndedGames
from bot.replay.words.game_page import (
    GamePagePart,
    PageAsker,
    animated,
    ended_list,
    game_page,
    games_list,
    record,
    replay,
    shared_ply,
    web_page,
)
from bot.replay.words.play_from import position_form
from bot.replay.words.views import film
from dvonn._records.position_text import PrintedPosition
from dvonn.machine import LEVELS
from dvonn_lessons.move_effects import Landing, MoveEffects
from tests.bot.play.test_clocks import FISCHER, RESTING, RUNNING, resting
from tests.bot.play.test_moves_words import game_of
from tests.bot.play.test_offers_words import offer, together
from tests.bot.play.test_vacations import DAY, PLANNED, absence
from tests.bot.play.test_vacations import RUNNING as AWAY
from tests.bot.replayed import ANN, BOB, CID, play, started, step
from tests.bot.replayed import challenge as challenge_row
from tests.bot.reviewed import placed, proven, review_of, worth
from tests.games import positions_of, random_game

NOW = datetime(2026, 3, 1, tzinfo=UTC)

HOUR = timedelta(hours=1)

GAME = [str(move) for move in random_game(5)]
GAME_POSITIONS = positions_of(random_game(5))
MIDDLE = GAME_POSITIONS[60]

LONG_ID = 1234567890123456789

ExampleTexts = dict[str, Callable[[Reader], object]]


@cache
def whole_game() -> tuple[Game, list[GameUpdate]]:
    return play(started(), *GAME)


def cuts() -> Iterator[MoveEffects]:
    """Moves that cut something off, in one player's stacks or in both, few or many."""
    for position in positions_of(random_game(8)):
        if position.phase is dvonn.Phase.MOVEMENT:
            moves = (MoveEffects(position, move) for move in position.legal_moves())
            yield from (does for does in moves if does.after.removed)


@cache
def boards() -> tuple[GameUpdate, ...]:
    """A board after each kind of event, and after several at once."""
    return tuple(_boards())


def _boards() -> Iterator[GameUpdate]:
    yield step(before_start(started().row), events.Started(), BOB)[1]
    game, updates = whole_game()
    yield from updates
    yield from (together(*updates[:60]), together(*updates[49:]))
    for seed in (0, 2, 14):  # with forced passes; the last one is a draw
        played = play(started(), *map(str, random_game(seed)))[1]
        yield from (*played, together(*played[49:]))
        for machine in (ANN, BOB):
            begun = replace(started(), row=replace(started().row, machine=machine, level=3))
            played = play(begun, *map(str, random_game(seed)))[1]
            yield from (*played[:2], *played[49:], together(*played[49:]))
    thinks = before_start(replace(started().row, machine=ANN, level=3))
    for is_long in (False, True):
        yield replace(step(thinks, events.Started(), BOB)[1], is_long=is_long)
    solo = full_board(machine=ANN)
    for game in (solo, replace(solo, row=replace(solo.row, visiting=True))):
        yield step(game, events.Started(), BOB)[1]
    yield step(solo, events.Moved(solo.position.legal_moves()[0], AutoMoveReason.ONLY), ANN)[1]
    yield offer(solo, BOB, Offer.DRAW)[1]
    yield step(solo, events.Resigned(), BOB)[1]
    yield step(MOVING, events.Moved(dvonn.parse_move(GAME[49]), AutoMoveReason.ONLY), ANN)[1]
    row = replace(started().row, start=Start.BALANCED, seed=2001, clock=FISCHER)
    after, update = step(before_start(row), events.Started(), BOB)
    yield replace(update, deadline=NOW)
    for rest in SHOWN_ON_BOARDS:
        still = Pause(begins=NOW, ends=NOW + 5 * HOUR, reason=rest)
        yield replace(update, deadline=NOW, pause=still)
    yield step(after, events.Resigned(), ANN)[1]
    for start in (Start.PLACEMENT, Start.BALANCED):
        row = replace(started().row, start=start, clock=FISCHER, visiting=True)
        yield step(before_start(row), events.Started(), BOB)[1]
    game = play(started(), "d2", "e2")[0]
    for ending in (events.Resigned(), events.Aborted(), events.TimedOut()):
        yield step(game, ending, ANN)[1]
    yield step(MOVING, events.TimedOut(), ANN)[1]
    yield step(game, events.Moved(dvonn.parse_move("f2"), AutoMoveReason.LISTED), ANN)[1]
    yield step(MOVING, events.Moved(dvonn.parse_move(GAME[49]), AutoMoveReason.LISTED), ANN)[1]
    yield step(game, events.Moved(dvonn.parse_move("f2"), AutoMoveReason.ONLY), ANN)[1]
    yield from offers(game)
    lies, update = step(game, events.Deserted(), ANN)
    yield update
    yield step(lies, events.Aborted(), BOB)[1]
    yield step(lies, events.Aborted(no_place=True), CID)[1]
    yield step(lies, events.Aborted(decided=True), CID)[1]
    yield step(MOVING, events.TimedOut(round_over=True), ANN)[1]
    yield from claims()
    yield from flags()
    given_up = step(play(started(), *GAME[:60])[0], events.Resigned(), ANN)[0]
    row = replace(given_up.row, machine=CID, level=3)
    yield step(replace(given_up, row=row), events.Continued(), BOB)[1]
    yield from team_games()
    row = replace(started().row, start=Start.PIE)
    picked, update = step(before_start(row), compat_0_1_0.BoardPicked(2), ANN)
    yield update
    for side in dvonn.Color:
        yield step(picked, compat_0_1_0.SidePicked(side), BOB)[1]


def claims() -> Iterator[GameUpdate]:
    """A rated game without a clock: first board, notice of inactivity, and claim."""
    row = replace(started().row, rated=True, claimable=True)
    yield step(before_start(row), events.Started(), BOB)[1]
    lies, update = step(CLAIMABLE, events.Deserted(), ANN)
    yield update
    yield step(lies, events.TimedOut(), ANN, is_claim=True)[1]
    gone, update = step(MOVING, events.Deserted(from_server=True), ANN)
    yield update
    yield step(gone, events.TimedOut(), ANN, is_claim=True)[1]
    yield step(gone, events.Aborted(), BOB)[1]


def flags() -> Iterator[GameUpdate]:
    """Friends' games with a clock: first board, a time that is up, and reactions."""
    row = replace(started().row, clock=FISCHER, claimable=True)
    yield step(before_start(row), events.Started(), BOB)[1]
    for game in (started(), MOVING):
        timed = replace(game, row=row, clock=Clock.start(FISCHER, NOW))
        late, update = step(timed, events.Deserted(), ANN)
        yield update
        yield step(late, events.Aborted(), BOB)[1]
        yield step(late, events.TimedOut(), ANN, is_claim=True)[1]


def team_games() -> Iterator[GameUpdate]:
    """A team's first board, and the end after no votes."""
    team = ids.team_of(ids.ChannelId(LONG_ID))
    game = full_board(machine=BOB)
    row = replace(game.row, white=team, vote=HOUR)
    begun, update = step(replace(game, row=row), events.Started(), BOB)
    yield replace(update, deadline=NOW)
    yield step(begun, events.Aborted(no_votes=True), team)[1]


def full_board(machine: ids.UserId) -> Game:
    row = replace(started().row, start=Start.BALANCED, seed=2001, machine=machine, level=3)
    return before_start(row)


def offers(game: Game) -> Iterator[GameUpdate]:
    for what in Offer:
        asked, update = offer(game, ANN, what)
        yield update
        yield step(asked, OfferDeclined(), BOB)[1]
        yield step(asked, OfferDeclined(withdrawn=True), ANN)[1]
        yield step(asked, events.Moved(dvonn.parse_move("f2")), ANN)[1]
        lapses = offer(play(started(), "d2")[0], ANN, what)[0]
        yield step(lapses, events.Moved(dvonn.parse_move("e2")), BOB)[1]
    yield step(offer(game, ANN, Offer.DRAW)[0], DrawAgreed(), BOB)[1]
    yield step(offer(game, ANN, Offer.FINISH)[0], RestPlaced(7), BOB)[1]
    yield step(offer(game, BOB, Offer.TAKEBACK)[0], TakenBack(1), ANN)[1]
    yield from pauses(game)
    agreed, update = step(offer(game, ANN, Offer.HINTS)[0], HintsAgreed(), BOB)
    yield update
    yield from play(agreed, "f2")[1]
    yield step(agreed, events.Resigned(), ANN)[1]
    yield step(game, TakenBack(1), BOB)[1]


def pauses(game: Game) -> Iterator[GameUpdate]:
    """An agreed pause, its end, and a gift of time."""
    paused, update = step(offer(game, ANN, Offer.PAUSE)[0], PauseAgreed(), BOB)
    yield update
    ended, update = step(paused, PauseEnded(), ANN)
    yield update
    yield step(ended, PauseEnded(), BOB)[1]
    yield from play(paused, "f2")[1]
    yield step(game, VacationTaken(1_800_000_000), ANN)[1]
    for days in (1, 3):
        given = step(game, TimeGiven(days * 86_400), ANN)[1]
        yield replace(given, deadline=NOW)


def own_game(game: Game, pause: Pause | None = None, *, is_stuck: bool = False) -> ListedGame:
    board = ids.ChannelId(2), ids.MessageId(3)
    return ListedGame(game=game, board=board, deadline=NOW, pause=pause, is_stuck=is_stuck)


def own_games() -> Iterator[ListedGame]:
    """A game whose clock is paused, for each reason."""
    yield own_game(started(), is_stuck=True)
    for rest in PauseReason:
        yield own_game(started(), Pause(begins=NOW, ends=NOW + HOUR, reason=rest))
    yield own_game(started(), Pause(begins=NOW, ends=NOW, reason=PauseReason.AGREED, is_open=True))


def refused_starts() -> Iterator[PlayError]:
    answered = [challenge_row(state=state) for state in ChallengeState]
    here = ids.ChannelId(2), ids.MessageId(3)
    open_ones = [OpenChallenge(*here, NOW), OpenChallenge(here[0], None, NOW)]
    yield starts.NoThreadsHere()
    for reason in starts.BusyReason:
        lacks = starts.MissingPermissions(("A",)) if reason is starts.BusyReason.LACKING else None
        yield starts.ChannelBusy(here[0], ids.GameId(1), reason, lacks)
    yield from (starts.ChallengeAnswered(item) for item in answered[1:])
    yield from (starts.RematchOffered(item, here) for item in answered)
    yield starts.RematchOffered(answered[0], (here[0], None))
    yield from (starts.NotForYou(None), starts.NotForYou(BOB), starts.RolesUnknown())
    yield starts.LevelMissing(11)
    yield from (starts.BadOpponent(problem) for problem in starts.OpponentProblem)
    for more in ({}, {"everywhere": True}, {"channel": here[0]}):
        yield starts.NotAllowed("Manage Channels", **more)
    for missing in (("A",), ("A", "B")):
        for may_mend in (True, False):
            yield starts.MissingPermissions(missing, asker_may_mend=may_mend)
    yield starts.WrongChannel(frozenset({here[0], ids.ChannelId(LONG_ID)}))
    for most in (1, 5):
        yield from (starts.TooManyGames(ANN, most, is_asker=own) for own in (True, False))
        yield starts.TooSoon(timedelta(seconds=most))
    yield starts.TooManyChallenges(ids.GuildId(1), tuple(open_ones))
    block = ServerBlock(player=BOB, until=NOW, reason="1234")
    yield from (starts.BlockedHere(block, is_asker=is_asker) for is_asker in (True, False))
    yield from (starts.NotNow(BOB), starts.YouBlocked(BOB), starts.AskedTooOften(NOW))
    yield from (UnknownZone("x", ("Europe/Berlin", "Europe/Paris")), UnknownZone("x", ()))


def refused() -> Iterator[PlayError]:
    yield from refused_starts()
    turn = ids.GameId(1), ids.Revision(1)
    yield from (
        refusals.NotYourTurn(BOB, *turn),
        refusals.GameJustEnded(*turn),
        refusals.NoGameHere(),
    )
    yield from (refusals.NotAPlayer(), refusals.GameNotRunning(), NoBoard(), refusals.StaleBoard())
    yield refusals.OutOfSight()
    yield from (refusals.BadClock(problem, 1_440 * HOUR) for problem in refusals.ClockProblem)
    yield from (refusals.BadList(problem, "c3", limit=24) for problem in refusals.ListProblem)
    yield from (refusals.BadOffer(problem, limit=20) for problem in refusals.OfferProblem)
    yield from (refusals.BadGift(problem, timedelta(days=8)) for problem in refusals.GiftProblem)
    yield from (
        refusals.TooLateToAbort(),
        refusals.TooLateToAbort(NOW),
    )
    for vacation in refusals.VacationProblem:
        yield refusals.BadVacation(vacation, limit=3 * DAY, other=AWAY, year=2026)
    yield from (refusals.TooLateToAbort(NOW, claims=True), refusals.OwnRatedGame())
    yield from (NoSuchPly(), LineTooLong(28), GameStillRunning())
    yield from (refusals.NoEngineHelp(problem) for problem in refusals.HelpProblem)
    for problem in PasteProblem:
        yield BadPaste(problem, line=3, wrong_part="d2-d4", limit=20_000)
    yield from (
        BadPaste(problem, line=3, column=7, wrong_part=found)
        for problem in (PasteProblem.BAD_LINE, PasteProblem.BAD_MOVE)
        for found in ("z5", "")
    )
    yield from (refusals.TeamDecides(), refusals.TeamDecides(ANN))
    yield refusals.TeamVotes(ids.GameId(1), ids.Revision(0))
    yield refusals.NotYourVote(BOB, ids.GameId(1), ids.Revision(1))
    yield from (
        starts.OnlyPrivately(),
        refusals.NoVacation(),
    )
    for position in (dvonn.Position.initial(), MOVING.position, END[-3].position):
        for text in ("pass", "b2 c3 d4", "z9", "hello", ""):
            try:
                dvonn.parse_move(text)
            except dvonn.NotationError as error:
                yield refusals.UnreadableMove(error, position, dvonn.Coordinates.STANDARD)
        for reason in dvonn.Reason:
            for move in map(dvonn.parse_move, ("d2", "d2-d4", "a1-b1")):
                yield refusals.IllegalPlay(
                    dvonn.IllegalMoveError(move, position, reason), dvonn.Coordinates.STANDARD
                )
    for game in (MOVING, *END[:-1]):
        for point in dvonn.POINTS:
            lone = dvonn.IllegalMoveError(
                dvonn.Move(target=point), game.position, dvonn.Reason.WRONG_PHASE
            )
            yield refusals.IllegalPlay(lone, dvonn.Coordinates.STANDARD)
            yield illegal_play(game, lone, dvonn.Coordinates.STANDARD)


def challenges() -> Iterator[ChallengeRow]:
    plain = challenge_row()
    for terms in (
        {"start": Start.BALANCED},
        *(
            {"start": Start.POSITION, "position": PrintedPosition(MIDDLE, assumed)}
            for assumed in ((), tuple(MIDDLE.stacks)[:1])
        ),
        *({"colour": colour} for colour in ColorChoice),
        {"opponent": None, "coordinates": dvonn.Coordinates.PERGIOCO, "place": Place.THREAD},
        {"level": 3, "clock": RESTING},
        {"rated": True},
        {"opponent": None, "rated": None},
        *({"clock": FISCHER, "rated": False, "strict": strict} for strict in (False, True)),
    ):
        yield replace(plain, terms=replace(plain.terms, **terms))  # type: ignore[arg-type]  # its own


def clocked(
    control: TimeControl | None, machine: ids.UserId | None = None, *, claimable: bool = False
) -> Game:
    row = replace(started().row, clock=control, machine=machine, claimable=claimable)
    return replace(started(), row=row)


PAUSED = step(started(), PauseAgreed(), BOB)[0]
GIVING = replace(clocked(TimeControl.from_text("3d")), clock=Clock.start(FISCHER, NOW))
GAMES = [started(), play(started(), *GAME[:60])[0], whole_game()[0], PAUSED]

MOVING = play(started(), *GAME[:49])[0]

MOVES = [play(started(), *GAME[:plies])[0] for plies in (0, 5, 49, 60, 70, 80)]

END = [
    update.game for seed in (0, 2) for update in play(started(), *map(str, random_game(seed)))[1]
][-12:]

CLAIMABLE = replace(MOVING, row=replace(MOVING.row, rated=True, claimable=True))

RATED = replace(started(), row=replace(started().row, rated=True))

ALONE = [
    dvonn.Position.from_stacks({"a1": "R", "b1": top, "c1": top, "d1": top}, turn=color)
    for top, color in (("W", dvonn.Color.WHITE), ("B", dvonn.Color.BLACK))
]

SLOW = TimeControl.from_text("3d+90m")

REVIEWED = step(MOVES[-1], events.Resigned(), ANN)[0]

REVIEWS = [
    replace(
        review_of(REVIEWED, losses, motifs=tuple(dvonn.Motif), missed=tuple(dvonn.Motif)),
        placement=placed(),
    )
    for losses in ({50: 0.06, 53: 0.07, 55: 0.12, 56: 0.3}, {55: 0.3}, {})
]

REVIEWS += [
    replace(
        REVIEWS[0],
        placement=None,
        plies=(
            *(replace(ply, before=before, after=before) for ply in REVIEWS[0].plies[:-2]),
            *(replace(ply, before=proven(margin)) for ply in REVIEWS[0].plies[-2:]),
        ),
    )
    for margin, before in (
        (3, worth(0.5, 1, 4)),
        (-3, worth(0.5, -4, -1)),
        (0, worth(0.5, -2, 2)),
        (0, proven(0)),
        (3, proven(3)),
        (-3, proven(-3)),
    )
]

LEVELLED = replace(challenge_row().terms, level=3)

COURSE = MoveSequence(dvonn.Position.initial(), tuple(map(dvonn.parse_move, GAME)))

PASSING = [MoveSequence(dvonn.Position.initial(), tuple(random_game(seed))) for seed in (0, 2)]

THOUGHTS = [
    Thought(moves=tuple(map(dvonn.parse_move, GAME[60:])), white_wins=0.71),
    *(Thought(moves=(dvonn.parse_move(GAME[60]),), margin=margin) for margin in (7, 0, -7)),
    Thought(moves=(dvonn.parse_move("d2"),)),
]

WORTHS = [Thought(moves=(dvonn.parse_move("d2"),), white_wins=0.6)]

_FOR = (
    ("WWR2bB1WB/BBbwB1wwbwB1WBBbW/B4RB1RB1/4W2bwBWW/3W3WB W move", "g2-f1"),
    ("WWR2bB1WB/BBbwB1wwbwB1WBBbW/B4RB1RB1/4W2bwBWW/3W3WB W move", "g2-h2"),
    ("WWR2bB1WB/BBbwB1wwbwB1WBBbW/B4RB1RB1/4W2bwBWW/3W3WB W move", "k4-j3"),
    ("1wWR2bB1WB/BBbwB1wwbwB1WBBbW/B4RB1RB1/4W2bwBWW/3W3WB B move", "f1-h1"),
    ("1wWR2bB1WB/BBbwB1wwbwB1WBBbW/B4RB1RB1/4W2bwBWW/3W3WB B move", "h2-g2"),
    ("1wWR6/BBbwB1wwbwB5/B4RbwrB4/4wW5/9 B move", "a2-a3"),
)
"""Boards and moves, one for each purpose of a move."""

THINKS = replace(started(), row=replace(started().row, machine=BOB, level=3))

EMPTY = EndedGames(games=(), has_newer=False, has_older=False)

ENDED = EndedGames(
    games=tuple(
        EndedGame(row=replace(started().row, outcome=outcome), at=NOW)
        for outcome in (
            Outcome(EndReason.COUNT, dvonn.Color.WHITE, 7),
            Outcome(EndReason.TIME, dvonn.Color.BLACK),
            Outcome(EndReason.RESIGNATION, dvonn.Color.WHITE),
            Outcome(EndReason.AGREEMENT),
            Outcome(EndReason.ABORT),
        )
    ),
    has_newer=False,
    has_older=True,
)


@cache
def all_seen() -> tuple[ReplayView, ...]:
    """Each ply of some games, alone and as part of a game, and some with tried moves."""
    return tuple(_all_seen())


def _all_seen() -> Iterator[ReplayView]:
    whole = whole_game()[0]
    for game, course in ((None, COURSE), (whole, COURSE), *((None, item) for item in PASSING)):
        number = None if game is None else game.row.id
        yield from (
            view_at(ReplayCursor(number, ply), course, game) for ply in range(course.plies + 1)
        )
        yield view_at(ReplayCursor(number, 49, course.moves[49:53]), course, game)
    printed = COURSE.positions()[60]
    yield view_at(ReplayCursor(None), MoveSequence(printed, ()))
    yield view_at(ReplayCursor(None), MoveSequence(printed, (), assumed=tuple(printed.stacks)[:1]))
    row = replace(started().row, start=Start.BALANCED, seed=2001)
    ready = step(before_start(row), events.Started(), BOB)[0]
    yield view_at(ReplayCursor(row.id, 49), sequence_of(ready), ready)


def elsewhere(game: Game) -> Game:
    return replace(game, row=replace(game.row, channel=ids.ChannelId(77)))


def game_pages(who: Reader, parts: Sequence[GamePagePart]) -> list[Post]:
    return [
        game_page(
            who,
            game,
            newest,
            PageAsker(
                asker,
                has_machine=machine,
                may_end=machine,
                may_pause=not machine,
                may_resume=game is PAUSED,
                link="https://example.org/dvonn.html#1" if machine else "",
            ),
            parts,
        )
        for game in (
            *GAMES,
            GIVING,
            *END[-3:],
            RATED,
            *(update.game for update in boards()[-20:]),
            THINKS,
        )
        for asker in (ANN, CID)
        for newest in (None, (ids.ChannelId(2), ids.MessageId(9)))
        for machine in (False, True)
    ]


def _options(field: Any) -> list[str]:
    return [button.label for button in getattr(field, "options", ())]


WITHOUT_FEATURES: Final = combine((feature.GAME, VIEWS))


EXAMPLE_TEXTS: ExampleTexts = {
    "too_slow": lambda who: too_slow(who, "0" * 8),
    "try_again": lambda who: try_again(who, "0" * 8),
    "animated": lambda who: animated(
        who, film(who, view_at(ReplayCursor(None), COURSE)), b"", mention
    ),
    "film": lambda who: film(who, view_at(ReplayCursor(None), COURSE)).seats,
    "more_options": lambda who: [
        [title, *((field.label, field.placeholder, *_options(field)) for field in fields)]
        for title, fields in (
            more_options(who, usual, to_machine=to_machine)
            for usual in (
                Defaults(),
                Defaults(place=Place.THREAD, coordinates=dvonn.Coordinates.PERGIOCO),
            )
            for to_machine in (True, False)
        )
    ],
    "position_form": lambda who: [
        [title, *((field.label, field.placeholder, *_options(field)) for field in fields)]
        for title, fields in (
            position_form(who, position, level=level, among_people=among_people)
            for position in (MIDDLE, GAME_POSITIONS[61])
            for level in (None, 3)
            for among_people in (True, False)
        )
    ],
    "board": lambda who: [board(who, update) for update in boards()],
    "note": lambda who: [note(who, update) for update in boards()],
    "answered_offer": lambda who: list(answered_offer(who, started())),
    "board_buttons": lambda who: list(board_buttons(who, started(), (), is_answered=True)),
    "board_aloud": lambda who: [board_aloud(who, game) for game in GAMES + MOVES + END],
    "board_as_text": lambda who: [
        board_as_text(who, game, is_newest=newest) for game in GAMES for newest in (True, False)
    ],
    "cannot_read": lambda who: notices.cannot_read(who, CID),
    "challenge": lambda who: [
        *(challenge(who, row, visiting=number) for row in challenges() for number in (False, True)),
        challenge(who, challenge_row(), away={ANN: NOW}),
    ],
    "challenge_accepted": lambda who: [
        challenge_accepted(who, row, game)
        for row in (challenge_row(), replace(challenge_row(), terms=LEVELLED))
        for game in (started(), elsewhere(started()))
    ],
    "machine_game_in_thread": lambda who: [
        machine_game_in_thread(who, replace(challenge_row(), terms=LEVELLED))
    ],
    "challenge_closed": lambda who: [
        challenge_closed(who, challenge_row(state=state)) for state in ChallengeState
    ],
    "clock_choices": lambda who: [
        *(clock_choices(who, text) for text in ("", "90 minutes")),
        clock_choices(who, "", Defaults(clock=FISCHER)),
    ],
    "confirm_abort": lambda who: notices.confirm_abort(who, started()),
    "confirm_claim": lambda who: confirm_claim(who, CLAIMABLE, BOB),
    "confirm_leaving": lambda who: [
        notices.confirm_leaving(who, game, ANN) for game in (started(), next(team_games()).game)
    ],
    "confirm_resignation": lambda who: [
        notices.confirm_resignation(who, game, ANN)
        for game in (started(), play(started(), "d2", "c3", "e4", "b2", "f5", "d4", "g1")[0])
    ],
    "game_page": lambda who: game_pages(who, page_parts(WITHOUT_FEATURES.extensions)),
    "ended_list": lambda who: [ended_list(who, page, ANN) for page in (EMPTY, ENDED)],
    "games_list": lambda who: [
        games_list(who, running, page, ids.GuildId(1), asker)
        for running in ([], [own_game(started())], [own_game(started())] * 8)
        for page in (EMPTY, ENDED)
        for asker in (ANN, BOB)
    ],
    "landings": lambda who: [
        landings(who, game, source)
        for game in (*MOVES[3:], *END)
        for source in sorted({move.source for move in game.position.legal_moves() if move.source})
    ],
    "greeting": lambda who: [greeting(who, level) for level in LEVELS],
    "farewell": lambda who: [
        farewell(who, level, beaten=beaten) for level in LEVELS for beaten in (True, False)
    ],
    "both_sides": both_sides,
    "level_name": lambda who: [level_name(who, level) for level in LEVELS],
    "start_name": lambda who: [start_name(who, start) for start in Start],
    "legal_moves": lambda who: [legal_moves(who, game) for game in MOVES],
    "board_view": lambda who: [board_view(who, game) for game in (*GAMES, full_board(CID))],
    "move_form": lambda who: [move_form(who, game) for game in (started(), MOVING)],
    "fit": lambda who: join_within_limit(who, ["1" * 90] * 30),
    "play_level": lambda who: [play_level(who, level) for level in LEVELS],
    "some_others": lambda who: shortened_people(who, map(str, range(40))),
    "space_lists": lambda who: [
        item.placeholder
        for item in space_lists(
            who, str, dvonn.Position.initial(), dvonn.Coordinates.STANDARD, turned=False
        )
    ],
    "not_posted": lambda who: [
        notices.not_posted(who, missing) for missing in ((), ("Attach Files",))
    ],
    "picker": lambda who: [picker(who, game) for game in MOVES],
    "play_me": play_me,
    "action_receipt": lambda who: [notices.action_receipt(who, update) for update in boards()],
    "preview": lambda who: [
        preview(who, Preview(game, MoveEffects(game.position, move)))
        for game in (MOVING, *END, *map(game_of, ALONE))
        for move in game.position.legal_moves()[:12]
    ],
    "read_in_part": lambda who: notices.read_in_part(who, 1_000, timedelta(days=14)),
    "record": lambda who: record(who, END[-1], record_of(END[-1], white="Ann")),
    "refusal": lambda who: [refusal_post(who, error) for error in refused()],
    "replay": lambda who: [
        replay(who, seen, may_share=may_share, parts=replay_parts(WITHOUT_FEATURES.extensions))
        for seen in all_seen()
        for may_share in (True, False)
    ],
    "on_page": lambda who: [rounds.on_page(who, Post(content=""), ids.GameId(1))],
    "round_page": lambda who: [
        rounds.round_page(who, game, count, played)
        for game in (None, MOVING, MOVES[0])
        for count in (1, 3)
        for played in ((), (dvonn.parse_move("d2-d4"),))
    ],
    "running_games": lambda who: [
        notices.running_games(who, some, ids.GuildId(1), asker)
        for some in ([], list(map(own_game, GAMES)), list(own_games()))
        for asker in (ANN, BOB)
    ],
    "assumed_inside": lambda who: [
        assumed_inside(who, seen.sequence.assumed) for seen in all_seen()
    ],
    "shared_ply": lambda who: [
        shared_ply(who, seen, CID, link=link)
        for seen in all_seen()
        for link in ("", "https://example.org/dvonn.html#1CKf~")
    ],
    "stands_alone": lambda who: [
        stands_alone(
            who, game.position, dvonn.Coordinates.STANDARD, game.position.legal_moves()[:count]
        )
        for game in (MOVING, whole_game()[0])
        for count in (0, 1, 3, 12)
    ],
    "suggestions": lambda who: [
        suggestions(who, game, game.position.legal_moves()) for game in MOVES + END
    ],
    "landing_words": lambda who: [
        effects.landing_words(who, Landing(owner, height, reds))
        for owner in (None, *dvonn.Color)
        for height, reds in ((1, 0), (3, 0), (3, 1))
    ],
    "reason": lambda who: [
        effects.reason(who, THINKS, MoveEffects(dvonn.position_from_text(at), dvonn.parse_move(to)))
        for at, to in _FOR
    ],
    "cut_off": lambda who: [
        effects.cut_off(who, GAMES[0], does, reads=reads)
        for does in cuts()
        for reads in (None, does.mover)
    ],
    "thread_name": lambda who: [
        thread_name(who, 12, "1" * 60, "2" * 60, event=event) for event in ("", "1234")
    ],
    "channel_deleted_notice": lambda who: channel_deleted_notice(who, GAMES[0], ANN),
    "undelivered": lambda who: [
        undelivered(who, game, person, missing, with_name=named)
        for game in (
            GAMES[0],
            END[-1],
            replace(GAMES[0], row=replace(GAMES[0].row, own_thread=True)),
        )
        for person in (ANN, CID)
        for missing in ((), ("Attach Files",), ("Attach Files", "View Channel"))
        for named in (False, True)
    ],
    "unknown_command": lambda who: [
        commands_0_1_0.unknown_command(who, name, {})
        for name in ("takeback", "fill", "abort", "chess")
    ],
    "vacations": lambda who: [
        vacations(who, absence()),
        vacations(who, absence(AWAY, PLANNED)),
    ],
    "web_page": lambda who: web_page(who, film(who, view_at(ReplayCursor(None), COURSE)), b""),
    "with_clocks": lambda who: [
        with_clocks(who, board_view(who, game), game, now)
        for game, now in (
            *((clocked(FISCHER), replace(RUNNING, pause=resting(rest))) for rest in PauseReason),
            (clocked(RESTING), replace(RUNNING, outage=timedelta(hours=2))),
            (clocked(SLOW), replace(RUNNING, unsent=timedelta(hours=2))),
            (clocked(None), None),
            (CLAIMABLE, None),
            (clocked(None, ANN, claimable=True), None),
            (clocked(SLOW), replace(RUNNING, white=timedelta(seconds=30))),
            (clocked(TimeControl.from_text("15m")), RUNNING),
        )
    ],
}
"""The texts of each function in all its forms, by its name."""
