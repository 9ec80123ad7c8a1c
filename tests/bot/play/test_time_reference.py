"""Tests for clocks in random games against a simple count of quarter hours.

The reference knows nothing of the bot's intervals. It checks each quarter hour: does it count for
the player to move?
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from zoneinfo import ZoneInfo

from bot.base.ids import Revision, SourceId, UserId
from bot.play.model.clock import TimeControl
from bot.play.model.events import (
    AnyEventData,
    Deserted,
    Event,
    Moved,
    Started,
    TimedOut,
    apply_event,
)
from bot.play.model.game import Game, GameRow, before_start
from bot.play.model.offer_events import TakenBack
from bot.play.model.pauses import Pause, PauseReason, Pauses
from bot.play.model.terms import EndReason
from bot.play.model.time_events import PauseAgreed, PauseEnded, TimeGiven
from bot.play.store.changes import decode, encode
from dvonn import Color
from tests.bot.replayed import ANN, BOB, new_game
from tests.tiers import share_of

CELL = timedelta(minutes=15)
HOUR, DAY = 4, 96
FORMS = (
    "1d+1d/1d", "3d+1d/3d", "2d+12h", "3d+12h/5d", "10d", "12h+12h/12h", "10h+1h", "30m", "30m+15m",
)  # fmt: skip
ZONES = (
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe",
    "Pacific/Kiritimati", "America/Havana", "Africa/Cairo",
)  # fmt: skip
STARTS = tuple(
    datetime(2026, month, day, 12, tzinfo=UTC)
    for month, day in ((1, 1), (2, 26), (3, 5), (3, 26), (4, 2), (10, 22), (10, 29), (12, 24))
)
"""Near clock changes, and the end of the year."""
STEPS = 24
"""Number of things that happen in a game."""
FAR = 500 * DAY


@dataclass
class Ply:
    """The state that a takeback to before a ply restores."""

    by: UserId
    left: dict[UserId, int]
    used: int


@dataclass
class Reference:
    """A game of placements, counted in cells of a quarter hour."""

    start: datetime
    control: TimeControl
    claimed: bool
    now: int = 0
    since: int = 0
    left: dict[UserId, int] = field(default_factory=dict)
    plies: list[Ply] = field(default_factory=list)
    vacations: dict[UserId, list[tuple[int, int]]] = field(
        default_factory=lambda: {ANN: [], BOB: []}
    )
    outages: list[tuple[int, int]] = field(default_factory=list)
    unsent: list[tuple[int, int]] = field(default_factory=list)
    paused: tuple[int, int | None, UserId | None] | None = None
    """When a pause starts, when it ends, and who ended it first."""
    winner: UserId | None = None
    over: bool = False
    weekends: dict[int, bool] = field(default_factory=dict)
    down: bool = False
    """True if the time is up, and the waiting player decides."""

    def __post_init__(self) -> None:
        """Give both players the starting time."""
        self.left = dict.fromkeys((ANN, BOB), self.control.bank // CELL)

    @property
    def turn(self) -> UserId:
        return (ANN, BOB)[len(self.plies) % 2]

    @property
    def waits(self) -> UserId:
        return self.other(self.turn)

    def other(self, who: UserId) -> UserId:
        return BOB if who == ANN else ANN

    def moment(self, cell: int) -> datetime:
        return self.start + cell * CELL

    def counting(self, until: int = FAR) -> Iterator[int]:
        """Iterate over this turn's cells that count for the player to move."""
        away = self.vacations[self.turn] if not self.control.is_live else []
        still = [*self.outages, *self.unsent, *away]
        if self.paused is not None:
            begins, ends, _ = self.paused
            still.append((begins, FAR if ends is None else ends))
        still = [row for row in still if row[1] > self.since]
        for cell in range(self.since, until):
            if any(begins <= cell < ends for begins, ends in still):
                continue
            if self.control.weekends is None or not self.is_weekend(cell):
                yield cell

    def is_weekend(self, cell: int) -> bool:
        """Return True if a cell is in a weekend of the control's time zone."""
        if cell not in self.weekends:
            zone = ZoneInfo(self.control.weekends or "UTC")
            self.weekends[cell] = self.moment(cell).astimezone(zone).weekday() >= 5
        return self.weekends[cell]

    def used(self) -> int:
        return sum(1 for _ in self.counting(self.now))

    def deadline(self) -> int | None:
        """Return the cell at whose start the time is up, or None in a pause without an end."""
        if self.paused is not None and self.paused[1] is None:
            return None
        left = self.left[self.turn]
        return next(islice(self.counting(), left - 1, None)) + 1 if left else self.since

    def charge(self) -> int:
        used = self.used()
        self.left = self.left | {self.turn: max(self.left[self.turn] - used, 0)}
        self.since = self.now
        return used

    def move(self) -> None:
        by, before = self.turn, self.left
        used = self.charge()
        more = self.left[by] + self.control.increment // CELL
        if self.control.cap is not None:
            more = max(self.left[by], min(more, self.control.cap // CELL))
        self.left = self.left | {by: more}
        self.plies.append(Ply(by, before, used))
        self.down = False
        if self.paused is not None:
            if self.paused[1] is not None and self.paused[1] <= self.now:
                self.paused = None
            else:
                self.end_pause(by)

    def give(self, by: UserId) -> None:
        self.charge()
        to = self.other(by)
        gift = self.control.gift // CELL
        self.left = self.left | {to: self.left[to] + gift}
        for ply in self.plies:
            ply.left = ply.left | {to: ply.left[to] + gift}
        self.down = False

    def go_back(self, by: UserId, number: int, *, agreed: bool) -> None:
        thought = self.used() if self.turn == by else 0
        undone = self.plies[number:]
        kept = self.left[by]
        if not agreed:
            kept = undone[0].left[by]
            thought += sum(ply.used for ply in undone)
        self.left = undone[0].left | {by: max(kept - thought, 0)}
        del self.plies[number:]
        self.since, self.down = self.now, False

    def pause(self) -> None:
        self.charge()
        self.paused, self.down = (self.now, None, None), False

    def end_pause(self, by: UserId) -> None:
        assert self.paused is not None
        begins, ends, first = self.paused
        if ends is None:
            self.paused = begins, self.now + DAY, by
        elif by != first:
            self.paused = begins, min(ends, self.now), first

    def times_out(self) -> None:
        """The player to move loses, unless they have hardly started."""
        own = sum(ply.by == self.turn for number, ply in enumerate(self.plies) if number >= 3)
        self.over = True
        self.winner = self.waits if own >= 2 else None


class Played:
    """The same game in the bot's model."""

    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        claimed = reference.claimed
        self.row: GameRow = replace(new_game().row, clock=reference.control, claimable=claimed)
        self.game: Game = before_start(self.row)
        self.events: list[Event] = []
        self.do(Started(), BOB)

    @property
    def now(self) -> datetime:
        return self.reference.moment(self.reference.now)

    @property
    def known_pauses(self) -> Pauses:
        """Return what the store would know now."""
        spans = [
            *((PauseReason.OUTAGE, None, item) for item in self.reference.outages),
            *((PauseReason.UNSENT, None, item) for item in self.reference.unsent),
            *(
                (PauseReason.VACATION, who, item)
                for who, some in self.reference.vacations.items()
                for item in some
                if not self.reference.control.is_live
            ),
        ]
        moment = self.reference.moment
        pauses = [
            Pause(begins=moment(begins), ends=moment(ends), reason=rest, player=who)
            for rest, who, (begins, ends) in spans
        ]
        Random(len(pauses)).shuffle(pauses)
        return Pauses(pauses, weekends=self.reference.control.weekends)

    def do(self, what: AnyEventData, actor: UserId, *, claim: bool = False) -> None:
        used = None
        if what.clock_runs and self.game.clock is not None:
            used = self.game.turn_pauses(self.known_pauses, self.now).elapsed(
                self.game.clock.since, self.now
            )
        event = Event(
            game=self.row.id,
            revision=Revision(self.game.row.revision + 1),
            data=what,
            actor=actor,
            source=SourceId(len(self.events) + 1) if claim or isinstance(what, Moved) else None,
            used=used,
            at=self.now,
        )
        self.events.append(event)
        _, self.game = apply_event(self.game, event)

    def restart(self) -> None:
        """Replay what the database would hold."""
        control = TimeControl.from_text(self.reference.control.to_text())
        game = before_start(replace(self.row, clock=control))
        for event in self.events:
            data = json.loads(json.dumps(encode(event.data)))
            _, game = apply_event(game, replace(event, data=decode(event.data.name, data)))
        assert game == self.game
        self.game = game

    def agrees(self) -> int | None:
        """Check that both agree. Return when the time is up."""
        reference, game = self.reference, self.game
        assert game.clock is not None
        assert game.to_move == reference.turn
        seats = {ANN: Color.WHITE, BOB: Color.BLACK}
        shown = {who: game.clock.time_left(color) for who, color in seats.items()}
        assert shown == {who: cells * CELL for who, cells in reference.left.items()}
        used = game.turn_pauses(self.known_pauses, self.now).elapsed(game.clock.since, self.now)
        assert used == reference.used() * CELL
        deadline = reference.deadline()
        told = game.deadline(self.known_pauses, self.now)
        assert told == (None if deadline is None else reference.moment(deadline))
        assert game.has_no_deadline is reference.down
        return deadline


@dataclass
class Acts:
    """Applies each possible action to both the reference and the bot's model."""

    rng: Random
    reference: Reference
    played: Played

    def some(self) -> UserId:
        return self.rng.choice((ANN, BOB))

    def move(self) -> None:
        reference = self.reference
        by = reference.turn
        self.played.do(Moved(self.played.game.position.legal_moves()[0]), by)
        reference.move()
        if self.rng.random() < 0.2:
            sent = reference.now + self.rng.randrange(1, 2 * DAY)
            reference.unsent.append((reference.now, sent))
            reference.now = sent

    def give(self) -> None:
        by = self.some()
        seconds = round(self.reference.control.gift.total_seconds())
        self.played.do(TimeGiven(seconds), by)
        self.reference.give(by)

    def go_back(self) -> None:
        by, plies = self.some(), self.reference.plies
        number = max((at for at, ply in enumerate(plies) if ply.by == by), default=None)
        if number is not None:
            agreed = by == self.reference.turn or self.rng.random() < 0.5
            self.played.do(TakenBack(number), self.reference.other(by) if agreed else by)
            self.reference.go_back(by, number, agreed=agreed)

    def pause(self) -> None:
        self.played.do(PauseAgreed(), self.some())
        self.reference.pause()

    def end_pause(self) -> None:
        by, pause = self.some(), self.played.game.pause
        if pause is not None and pause.may_end(by, self.played.now):
            self.played.do(PauseEnded(), by)
            self.reference.end_pause(by)

    def leave(self) -> None:
        begins = self.reference.now + self.rng.choice((0, 0, HOUR, DAY))
        vacation = begins, begins + self.rng.randrange(1, 8) * DAY
        self.reference.vacations[self.some()].append(vacation)

    def come_back(self) -> None:
        now, vacations = self.reference.now, self.reference.vacations[self.some()]
        for number, (begins, ends) in enumerate(vacations):
            if begins <= now < ends:
                vacations[number] = begins, now

    def outage(self) -> None:
        back = self.reference.now + self.rng.randrange(1, 5 * DAY)
        self.reference.outages.append((self.reference.now, back))
        self.reference.now = back

    def next(self) -> None:
        some = [*[self.move] * 5, self.give, self.outage, self.played.restart]
        if not self.reference.control.is_live:
            some += [self.go_back, self.go_back, self.pause, self.end_pause, self.end_pause]
            some += [self.leave, self.come_back]
        self.rng.choice(some)()


def run(seed: int) -> None:
    rng = Random(seed)
    control = TimeControl.from_text(rng.choice(FORMS))
    assert control is not None
    if not control.is_live and rng.random() < 0.5:
        control = replace(control, weekends=rng.choice(ZONES))
    start = rng.choice(STARTS) + rng.randrange(DAY) * CELL
    claimed = not control.is_live and rng.random() < 0.5
    reference = Reference(start, control, claimed)
    played = Played(reference)
    acts = Acts(rng, reference, played)
    longest = 4 if control.is_live else 2 * DAY
    for _ in range(STEPS):
        reference.now += rng.choice((0, 1, rng.randrange(longest)))
        deadline = played.agrees()
        if deadline is not None and deadline <= reference.now and not reference.down:
            if claimed:
                played.do(Deserted(), reference.turn)
                reference.down = True
            else:
                played.do(TimedOut(), reference.turn)
                reference.times_out()
        elif reference.down and rng.random() < 0.3 and played.game.may_claim(reference.waits):
            played.do(TimedOut(), reference.turn, claim=True)
            reference.times_out()
        if reference.over:
            break
        acts.next()
    if reference.over:
        outcome = played.game.outcome
        assert outcome is not None
        assert outcome.reason is (EndReason.ABORT if reference.winner is None else EndReason.TIME)
        if reference.winner is not None:
            assert outcome.winner is not None
            assert played.game.player(outcome.winner) == reference.winner
    played.restart()


def test_random_games_agree_with_a_count_of_quarters_of_an_hour() -> None:
    for seed in range(share_of(2_000)):
        try:
            run(seed)
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
