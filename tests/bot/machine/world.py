"""The world of the model: one channel, its people, and the time."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import count, islice, takewhile

from bot.base.ids import UserId
from bot.play.model import refusals
from tests.bot.machine.game import (
    DAY,
    LIES_AFTER,
    PINGS,
    VACATION_A_YEAR,
    Challenge,
    Game,
    Refused,
    moment,
)


def _is_open(game: Game) -> bool:
    return game.pause is not None and game.pause.ends is None


def _is_paused(game: Game, minute: int) -> bool:
    pause = game.pause
    return pause is not None and pause.begins <= minute and (not pause.ends or minute < pause.ends)


class World:
    """A channel without threads, its people, and the time in minutes."""

    def __init__(self) -> None:
        self.now = 0
        self.challenges: list[Challenge] = []
        self.games: list[Game] = []
        self.pings: dict[tuple[str, UserId, UserId], list[int]] = {}
        """When each ping is forgotten, by kind, sender and recipient."""
        self.automatic: set[UserId] = set()
        self.outage: set[int] = set()
        """The minutes in which the bot was offline."""
        self.vacations: dict[UserId, list[range]] = {}

    @property
    def running(self) -> Game | None:
        return next((game for game in self.games if game.outcome is None), None)

    # Pings

    def may_ping(self, what: str, by: UserId, to: UserId) -> bool:
        """Return True if a user has not pinged another too often."""
        most, _ = PINGS[what]
        return sum(end > self.now for end in self.pings.get((what, by, to), ())) < most

    def ping(self, what: str, by: UserId, to: UserId) -> None:
        """Return when each ping is forgotten: some time after the previous one."""
        ends = self.pings.setdefault((what, by, to), [])
        _, every = PINGS[what]
        ends.append(max([self.now, *ends]) + every)

    def welcome(self, what: str, by: UserId, to: UserId) -> None:
        """The recipient has accepted, so all pings by this user are forgotten."""
        self.pings.pop((what, by, to), None)

    # Clocks

    def minutes(self, game: Game) -> Iterator[int]:
        """Yield the minutes of the current turn in which its player's clock runs, without end."""
        rests = game.control is not None and game.control.weekends is not None
        away = () if game.is_live else self.vacations.get(game.to_move or game.white, ())
        for minute in count(game.since):
            if (
                minute in self.outage
                or _is_paused(game, minute)
                or any(minute in vacation for vacation in away)
            ):
                continue
            if not rests or moment(minute).weekday() < 5:
                yield minute

    def used(self, game: Game) -> int:
        if game.control is None:
            return 0
        return sum(1 for _ in takewhile(lambda minute: minute < self.now, self.minutes(game)))

    def deadline(self, game: Game) -> int | None:
        """Return when the time of the player to move is up."""
        if not game.left or game.to_move is None or _is_open(game):
            return None
        return self._reaches(game, game.left[game.to_move])

    def lies_from(self, game: Game) -> int | None:
        """Return when the player to move counts as absent, in a game of people without a clock."""
        if game.left or game.machine is not None or game.to_move is None or _is_open(game):
            return None
        return self._reaches(game, LIES_AFTER)

    def _reaches(self, game: Game, left: int) -> int:
        """Return when a number of the turn's minutes have counted."""
        return next(islice(self.minutes(game), left - 1, None)) + 1 if left else game.since

    def spend(self, game: Game, *, gains: bool = True) -> int:
        """Subtract the used time of the player to move. Return how long their clock ran."""
        used, user = self.used(game), game.to_move
        if game.left and game.control is not None and user is not None:
            left = max(game.left[user] - used, 0)
            more = left + (game.control.increment // timedelta(minutes=1) if gains else 0)
            if game.control.cap is not None:
                more = max(left, min(more, game.control.cap // timedelta(minutes=1)))
            game.left = game.left | {user: more}
        game.since = self.now
        return used

    # Vacations

    def leave_for(self, user: UserId, days: int) -> None:
        away = range(self.now, self.now + days * DAY)
        taken = self.vacations.setdefault(user, [])
        if any(item.start < away.stop and away.start < item.stop for item in taken):
            raise Refused(refusals.BadVacation, refusals.VacationProblem.OVERLAP)
        if sum(map(len, [*taken, away])) > VACATION_A_YEAR:
            raise Refused(refusals.BadVacation, refusals.VacationProblem.ALLOWANCE)
        taken.append(away)

    def come_back(self, user: UserId) -> None:
        taken = self.vacations.get(user, [])
        if not taken or taken[-1].stop <= self.now:
            raise Refused(refusals.NoVacation)
        taken[-1] = range(taken[-1].start, self.now)

    # Answers to questions

    def _seated_here(self, user: UserId) -> Game:
        game = self.running
        if game is None:
            raise Refused(refusals.NoGameHere)
        if user not in (game.white, game.black):
            raise Refused(refusals.NotAPlayer)
        return game

    def _check_player(self, game: Game, user: UserId) -> None:
        if game.outcome is not None:
            raise Refused(refusals.GameNotRunning)
        if user not in (game.white, game.black):
            raise Refused(refusals.NotAPlayer)
