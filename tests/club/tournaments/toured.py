"""Examples of texts about tournaments, and tournaments for them."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from bot.base.errors import PlayError
from bot.base.ids import (
    ChannelId,
    GameId,
    GuildId,
    MessageId,
    TournamentId,
    UserId,
    anonymous_id,
)
from bot.base.languages import Reader
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game
from bot.play.model.terms import Start
from club.tournaments import refusals
from club.tournaments.model.acts import LoggedAct, OrganizerAct, OrganizerChoice
from club.tournaments.model.knockout import called_off
from club.tournaments.model.leagues import SeasonChange, next_league_step
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Entrant,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from club.tournaments.use_cases.news import News
from club.tournaments.words import announcements, answers, organizing
from club.tournaments.words.games import tournament_games
from club.tournaments.words.leagues import league_page, season_begins, season_over, season_week
from club.tournaments.words.standings import tournament_picture, tournament_table
from club.tournaments.words.terms import format_choice, tournament_event
from dvonn import Coordinates
from tests.bot.replayed import ANN, BOB

NOW = datetime(2026, 11, 23, 18, 0, tzinfo=UTC)
DAY = timedelta(days=1)
GUILD, CHANNEL = GuildId(1234567890123456700), ChannelId(1234567890123456710)
FIRST = 1234567890123456789
SLOW = TimeControl(bank=DAY, increment=DAY, cap=DAY)
LIVE = TimeControl(bank=timedelta(minutes=10), increment=timedelta(seconds=5))


def somebody(number: int) -> UserId:
    """Return the nth player, with an id as long as Discord's."""
    return UserId(FIRST + number)


def tournament(
    players: int = 4,
    *,
    state: TournamentState = TournamentState.OPEN,
    pairings: tuple[Pairing, ...] = (),
    **terms: object,
) -> Tournament:
    """A tournament with a number of players. By default it is a Swiss of three rounds."""
    chosen: dict[str, object] = {
        "guild": GUILD,
        "channel": CHANNEL,
        "organiser": somebody(1),
        "name": "Ĝŕåñð *Çûþ*",
        "format": TournamentFormat.SWISS,
        "start": Start.BALANCED,
        "clock": SLOW,
        "coordinates": Coordinates.STANDARD,
        "rated": True,
        "rounds": 3,
        **terms,
    }
    rounds = max((pairing.round for pairing in pairings), default=0)
    return Tournament(
        id=TournamentId(12),
        terms=TournamentTerms(**chosen),  # type: ignore[arg-type]
        state=state,
        version=1,
        entrants=tuple(Entrant(player=somebody(n), seed=n) for n in range(1, players + 1)),
        pairings=pairings,
        round=rounds,
        round_began=NOW if rounds else None,
        created_at=NOW,
    )


def round_of(
    number: int, players: int, result: PairingResult | None = PairingResult.WHITE
) -> tuple[Pairing, ...]:
    """A round in which neighbors played each other. The last of an odd number has a bye."""
    couples = list(pairwise(range(1, players + 1)))[::2]
    pairings = [
        Pairing(
            round=number,
            board=board,
            white=somebody(white),
            black=somebody(black),
            result=result,
            margin=None if result is None else 12,
            game=GameId(100 * number + board),
            message=MessageId(FIRST + 1000 * number + board),
        )
        for board, (white, black) in enumerate(couples, start=1)
    ]
    if players % 2:
        bye = Pairing(
            round=number,
            board=len(pairings) + 1,
            white=somebody(players),
            black=None,
            result=PairingResult.BYE,
        )
        pairings.append(bye)
    return tuple(pairings)


def running(players: int = 4, rounds: int = 2, **terms: object) -> Tournament:
    """A tournament whose first rounds are over, and whose last one is not."""
    pairings = tuple(
        pairing
        for number in range(1, rounds + 1)
        for pairing in round_of(number, players, None if number == rounds else PairingResult.WHITE)
    )
    return tournament(players, state=TournamentState.RUNNING, pairings=pairings, **terms)


def over(players: int = 5) -> Tournament:
    """An ended tournament, with each kind of result in its last round."""
    last = list(round_of(2, players))
    results = (PairingResult.DRAW, PairingResult.BLACK, PairingResult.NEITHER)
    for place, result in enumerate(results):
        if last[place].black is not None:
            last[place] = replace(
                last[place],
                result=result,
                margin=None,
                forfeit=result is PairingResult.NEITHER,
                note="ŵŕöñĝ *þļåýéŕ*",
                corrected_by=somebody(1),
            )
    found = tournament(players, state=TournamentState.DONE, pairings=(*round_of(1, players), *last))
    return replace(_deleted(found, somebody(players)), ended_at=NOW)


def left_early() -> Tournament:
    """A round robin in which a player has left: one game was not played, one is free."""
    found = running(5, format=TournamentFormat.ROUND_ROBIN)
    *others, first, second, bye = found.pairings
    first = replace(first, result=PairingResult.BLACK, forfeit=True)
    bye = replace(bye, result=PairingResult.ZERO_BYE)
    gone = replace(found.entrants[0], withdrawn=True)
    return replace(
        found, entrants=(gone, *found.entrants[1:]), pairings=(*others, first, second, bye)
    )


def _deleted(found: Tournament, who: UserId) -> Tournament:
    """The same tournament after a player's data was deleted."""

    def of(other: UserId | None) -> UserId | None:
        return anonymous_id(1) if other == who else other

    return replace(
        found,
        entrants=tuple(
            replace(entrant, player=of(entrant.player) or who) for entrant in found.entrants
        ),
        pairings=tuple(
            replace(pairing, white=of(pairing.white) or who, black=of(pairing.black))
            for pairing in found.pairings
        ),
    )


def without_result() -> Tournament:
    """A tournament with a game that gives nobody points until an organizer decides."""
    *before, last = running(2).pairings
    return replace(running(2), pairings=(*before, replace(last, result=PairingResult.NEITHER)))


def cup_of(
    game: Game,
    result: PairingResult | None = None,
    *,
    state: TournamentState = TournamentState.RUNNING,
    gone: Collection[UserId] = (),
    **terms: object,
) -> Tournament:
    """A tournament of four with an ended game between Ann and Bob."""
    pairing = Pairing(
        round=1, board=1, white=ANN, black=BOB, result=result, game=game.row.id, ended_at=NOW
    )
    found = tournament(0, state=state, pairings=(pairing,), name="*Çûþ*", **terms)
    people = (somebody(1), ANN, somebody(2), BOB)
    entrants = (
        Entrant(player=player, seed=seed, withdrawn=player in gone)
        for seed, player in enumerate(people, start=1)
    )
    is_over = state is not TournamentState.RUNNING
    return replace(found, entrants=tuple(entrants), ended_at=NOW if is_over else None)


def report(
    shown: Tournament, mark: str = "created-0", who: Reader | None = None
) -> announcements.Report:
    """Return the announcement of one message of a tournament."""
    table = standings(shown)
    picture = None if who is None else tournament_picture(who, shown, table, {})
    return announcements.Report(tournament=shown, mark=mark, standings=table, picture=picture)


def tournaments() -> Iterator[Tournament]:
    """One of each kind, in each state."""
    for format_ in TournamentFormat:
        yield tournament(3, format=format_, lasts=7 * DAY, begins_at=NOW, round_time=3 * DAY)
        yield replace(running(5, format=format_), round_began=NOW)
    yield tournament(3, format=TournamentFormat.LADDER, rated=False)
    yield tournament(3, format=TournamentFormat.KNOCKOUT)
    for start in Start:
        yield tournament(1, start=start, rated=False, clock=None)
    for state in TournamentState:
        yield tournament(0, state=state)
    for state in (TournamentState.CHECK_IN, TournamentState.DONE, TournamentState.CANCELLED):
        found = tournament(60, state=state, clock=LIVE, begins_at=NOW)
        first = replace(found.entrants[0], checked_in=True)
        second = replace(found.entrants[1], withdrawn=True)
        yield replace(found, entrants=(first, second, *found.entrants[2:]))
    yield over()


def in_league() -> tuple[Tournament, list[Tournament]]:
    """A league after its second season, and its divisions.

    In the lower one a game was not finished, and a member is out because they stayed away.
    """
    whole = tournament(
        14, state=TournamentState.RUNNING, format=TournamentFormat.LEAGUE, begins_at=NOW
    )
    step = next_league_step(replace(whole, round=1), (), now=NOW)
    assert isinstance(step, SeasonChange)
    games = round_of(1, 6)
    ended = replace(games[0], result=PairingResult.DRAW, margin=None, adjudicated=True)
    upper, lower = (
        replace(division, pairings=(ended, *games[1:]), round=1, state=TournamentState.DONE)
        for division in step.divisions
    )
    lower = replace(
        lower,
        pairings=tuple(
            replace(
                pairing,
                white=UserId(pairing.white + 8),
                black=None if pairing.black is None else UserId(pairing.black + 8),
            )
            for pairing in lower.pairings
        ),
    )
    gone = replace(step.league.entrants[-1], withdrawn=True, missed=2)
    after = replace(step.league, entrants=(*step.league.entrants[:-1], gone))
    return after, [upper, lower]


def leagues_at() -> list[Tournament]:
    """The same league during a season, before the next one, and with too few people for it."""
    runs, _ = in_league()
    waits = replace(runs, terms=replace(runs.terms, begins_at=NOW, lasts=30 * DAY, twice=True))
    return [runs, waits, replace(waits, entrants=waits.entrants[:4])]


def drawn_twice() -> Tournament:
    """The last round of a knockout of four. The final and its replay were drawn."""
    pairings = round_of(1, 4) + tuple(
        Pairing(
            round=2,
            board=board,
            white=somebody(white),
            black=somebody(black),
            result=PairingResult.DRAW,
        )
        for board, white, black in ((1, 1, 3), (2, 3, 1))
    )
    return tournament(
        state=TournamentState.DONE, pairings=pairings, format=TournamentFormat.KNOCKOUT
    )


def mended() -> Tournament:
    """A knockout of four whose final was called off because a semifinal was corrected."""
    final = replace(round_of(2, 2)[0], black=somebody(3))
    again = replace(final, board=3, white=somebody(2), result=None, margin=None)
    return tournament(
        state=TournamentState.RUNNING,
        pairings=(*round_of(1, 4), called_off(final, somebody(1), "ŵŕöñĝ"), again),
        format=TournamentFormat.KNOCKOUT,
    )


CORRECTION = OrganizerAct(
    kind=OrganizerChoice.CORRECT, place=(2, 1), result=PairingResult.WHITE, note="Ŵĥý"
)
LOGGED = [kind for kind in OrganizerChoice if kind not in ("copy", "csv", "trf")]
ACTS = [
    OrganizerAct(kind=kind, player=player, place=(2, 1), days=3)
    for kind in LOGGED
    for player in ((somebody(2), None) if kind is OrganizerChoice.HELPER else (somebody(2),))
]
LOG = [
    LoggedAct(act=act, by=somebody(3), division=division, at=NOW)
    for act, division in (*((act, None) for act in ACTS), (CORRECTION, 2))
]
REFUSED: list[PlayError] = [
    refusals.AlreadyIn(),
    refusals.AlreadyIn(somebody(2)),
    refusals.NotIn(somebody(1)),
    refusals.NotIn(None),
    refusals.CannotGiveRole(7),
    *(refusals.TournamentRefusal(problem, 24) for problem in refusals.Problem),
    *(
        refusals.TournamentRefusal(problem, 1)
        for problem in (refusals.Problem.FULL, refusals.Problem.TOO_FEW, refusals.Problem.TOO_MANY)
    ),
    *(refusals.BadTerms(problem, least=DAY, most=30 * DAY) for problem in refusals.TermsProblem),
    *(
        refusals.BadTerms(item, least=1, most=20)
        for item in (refusals.TermsProblem.NAME, refusals.TermsProblem.ROUNDS)
    ),
]


def _labels(field: Any) -> list[str]:
    return [button.label for button in getattr(field, "options", ())]


EXAMPLE_TEXTS: dict[str, Callable[[Reader], object]] = {
    "tournament_announced": lambda who: [
        announcements.tournament_announced(who, report(item))
        for item in (*tournaments(), *leagues_at())
    ],
    "tournament_check_in": lambda who: [
        announcements.tournament_check_in(who, report(item, "check_in-0")) for item in tournaments()
    ],
    "tournament_round": lambda who: [
        *(
            announcements.tournament_round(who, report(running(n)), 2, ends)
            for n in (2, 5, 64)
            for ends in (NOW, None)
        ),
        announcements.tournament_round(
            who, report(replace(running(format=TournamentFormat.LADDER), began_at=NOW)), 1
        ),
    ],
    "tournament_pairing": lambda who: (
        [
            announcements.tournament_pairing(who, item, item.pairings[0])
            for item in (running(), running(format=TournamentFormat.LADDER, lasts=DAY))
        ]
        + [
            announcements.tournament_pairing(who, drawn_twice(), pairing)
            for pairing in drawn_twice().pairings
        ]
    ),
    "tournament_results": lambda who: [
        announcements.tournament_results(who, report(item, "results-2", who), 2)
        for item in (
            running(7),
            over(7),
            running(64),
            left_early(),
            drawn_twice(),
            without_result(),
        )
    ],
    "tournament_ended": lambda who: [
        announcements.tournament_ended(who, report(over(), "ended-3", who), corrected=True),
        *(
            announcements.award_lines(who, announcements.Award(somebody(1), 7, is_given))
            for is_given in (True, False)
        ),
        *(
            announcements.tournament_ended(who, report(item, "ended-0", who))
            for item in (
                over(5),
                over(6),
                replace(running(format=TournamentFormat.LADDER), pairings=()),
            )
        ),
    ],
    "tournament_cancelled": lambda who: [
        announcements.tournament_cancelled(who, report(item, "cancelled-0"))
        for item in (
            tournament(3),
            *(replace(tournament(count, begins_at=NOW), ended_at=NOW) for count in (1, 3)),
            running(),
            running(rated=False),
        )
    ],
    "tournament_held_up": lambda who: [
        announcements.tournament_held_up(who, report(running(2), "held_up-2"), missing)
        for missing in (["View Channel"], ["View Channel", "Send Messages"])
    ],
    "channel_gone": lambda who: announcements.channel_gone(who, report(running(2), "gone-0-1")),
    "held_up": lambda who: announcements.held_up(who, running(2), ["View Channel"]),
    "tournament_stopped": lambda who: [
        announcements.tournament_stopped(who, report(running(), "stopped-3"), NOW, is_over=is_over)
        for is_over in (True, False)
    ],
    "stands_still": lambda who: announcements.stands_still(who, NOW),
    "tournament_corrected": lambda who: [
        announcements.tournament_corrected(who, report(item, "corrected-3"), pairing, [[2, 1]])
        for item in (over(7),)
        for pairing in item.pairings
        if pairing.black is not None
    ],
    "told_player": lambda who: [
        announcements.told_player(who, report(item, "added-3"), what, somebody(1))
        for item, what in (
            (running(), News.ADDED),
            (tournament(), News.REMOVED),
            (running(), News.REMOVED),
            (running(), News.HELPER),
        )
    ],
    "tournament_blocked": lambda who: announcements.tournament_blocked(
        who, report(running(), "blocked-2-1-0"), running().pairings[-1], somebody(3)
    ),
    "tournament_table": lambda who: [
        tournament_table(who, item, standings(item), {}, page)
        for item in (
            *tournaments(),
            running(64),
            running(rounds=1),
            tournament(),
            replace(in_league()[1][0], state=TournamentState.RUNNING),
        )
        for page in (0, 1)
    ],
    "season_begins": lambda who: season_begins(who, report(in_league()[0]), in_league()[1]),
    "season_week": lambda who: [
        season_week(who, report(in_league()[0]), in_league()[1], week) for week in (1, 2)
    ],
    "season_over": lambda who: [
        season_over(who, report(item), in_league()[1], 2) for item in leagues_at()
    ],
    "league_page": lambda who: [
        league_page(who, item, in_league()[1], {}, number)
        for item in leagues_at()
        for number in (1, 2)
    ],
    "tournament_picture": lambda who: tournament_picture(who, over(), [], {}),
    "tournament_games": lambda who: [
        tournament_games(who, item, page)
        for item in (*tournaments(), running(64), mended(), in_league()[1][0])
        for page in (1, 2)
    ],
    "tournament_event": lambda who: [
        tournament_event(who, item).description for item in tournaments()
    ],
    "format_choice": lambda who: [format_choice(who, item) for item in TournamentFormat],
    "result_name": lambda who: [
        organizing.result_name(who, result) for result in PairingResult if not result.is_bye
    ],
    "tournament_made": lambda who: [
        answers.tournament_made(who, item)
        for item in (tournament(), tournament(begins_at=NOW), leagues_at()[0])
    ],
    "tournament_joined": lambda who: [
        answers.tournament_joined(who, item)
        for item in (
            tournament(),
            running(),
            running(format=TournamentFormat.LADDER),
            *leagues_at(),
            tournament(state=TournamentState.CHECK_IN),
        )
    ],
    "tournament_answered": lambda who: answers.tournament_answered(
        who, running().pairings[0], somebody(1)
    ),
    "tournament_left": lambda who: [
        answers.tournament_left(who, item) for item in (tournament(), running())
    ],
    "making_form": lambda who: [
        [title, *((field.label, field.placeholder) for field in fields), _labels(fields[-1])]
        for title, fields in (answers.making_form(who, item) for item in TournamentFormat)
    ],
    "own_buttons": lambda who: [
        answers.own_buttons(who, item, asker, manages=manages)
        for item in tournaments()
        for asker in (item.terms.organiser, somebody(3))
        for manages in (True, False)
    ],
    "organizers_page": lambda who: [
        organizing.organizers_page(who, item, is_stopped=is_stopped)
        for item in (tournament(), running(helper=somebody(3)), in_league()[0], over())
        for is_stopped in (True, False)
    ],
    "organizers_form": lambda who: [
        [form[0], *((field.label, field.placeholder) for field in form[1])]
        for item in (tournament(), in_league()[0])
        for choice in OrganizerChoice
        if (form := organizing.organizers_form(who, item, choice)) is not None
    ],
    "act_line": lambda who: organizing.act_line(who, ACTS[0], somebody(3)),
    "confirm_calling_off": lambda who: organizing.confirm_calling_off(who, tournament()),
    "confirm_correction": lambda who: organizing.confirm_correction(
        who, running(), CORRECTION, running().pairings[1:3]
    ),
    "tournament_choices": lambda who: [
        option.label.replace("Ĝŕåñð *Çûþ*", "")
        for option in answers.tournament_choices(who, list(tournaments()), "")
    ],
}
