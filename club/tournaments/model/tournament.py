"""The parts of a tournament: its terms, entrants, pairings and steps."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from random import Random
from typing import Final

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, TournamentId, UserId
from bot.base.zones import Interval
from bot.play.model.clock import TimeControl
from bot.play.model.pauses import runs_out
from bot.play.model.terms import Start
from club.tournaments.refusals import Problem
from dvonn import Color, Coordinates

BYE: Final = None
"""Stands for the opponent of a player who has none in a round."""


class TournamentFormat(StrEnum):
    """Formats of a tournament, which determine pairings."""

    ROUND_ROBIN = "robin"
    """Everyone plays everyone once, by Berger's tables."""
    SWISS = "swiss"
    """In each round, players with equal points meet. No two players meet twice."""
    KNOCKOUT = "knockout"
    """Losers are eliminated."""
    LADDER = "ladder"
    """Players challenge each other freely. A winner takes the place of a higher-ranked loser."""
    LEAGUE = "league"
    """Divisions that play one season after the other. Each division is a round robin."""

    @property
    def has_rounds(self) -> bool:
        """True if it is played in rounds. A ladder runs for a fixed time, a league forever."""
        return self not in (TournamentFormat.LADDER, TournamentFormat.LEAGUE)

    @property
    def has_points(self) -> bool:
        """True if places depend on points, and every player has a result in each round.

        In other formats they depend on rounds won, or on wins against higher-ranked players.
        """
        return self in (TournamentFormat.ROUND_ROBIN, TournamentFormat.SWISS)


class TournamentState(StrEnum):
    """States of a tournament, in order."""

    OPEN = "open"
    """People can join."""
    CHECK_IN = "check_in"
    """Entrants confirm their presence. Entrants who don't are not paired."""
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"


class PairingResult(StrEnum):
    """Results of a pairing."""

    WHITE = "white"
    """White's player won, in a game or because the opponent never showed up."""
    BLACK = "black"
    DRAW = "draw"
    NEITHER = "neither"
    """Nobody gets points: neither showed up, or the game was ended without a result."""
    BYE = "bye"
    """A round without an opponent that counts as a win: FIDE's pairing-allocated bye."""
    ZERO_BYE = "zero_bye"
    """A round without an opponent that is worth nothing. In a round robin, everyone has one."""

    @classmethod
    def won_by(cls, color: Color) -> "PairingResult":
        return cls.WHITE if color is Color.WHITE else cls.BLACK

    @property
    def is_bye(self) -> bool:
        return self in _BYES

    @property
    def winner(self) -> Color | None:
        """The winner, if there is an opponent."""
        return _WINNERS.get(self)

    def points(self, color: Color) -> float:
        """Return the points for the player of a color. A player with a bye counts as White."""
        for_white, for_black = _POINTS[self]
        return for_white if color is Color.WHITE else for_black


_BYES: Final = frozenset({PairingResult.BYE, PairingResult.ZERO_BYE})
_WINNERS: Final = {PairingResult.WHITE: Color.WHITE, PairingResult.BLACK: Color.BLACK}
_POINTS: Final = {
    PairingResult.WHITE: (1.0, 0.0),
    PairingResult.BLACK: (0.0, 1.0),
    PairingResult.DRAW: (0.5, 0.5),
    PairingResult.NEITHER: (0.0, 0.0),
    PairingResult.BYE: (1.0, 0.0),
    PairingResult.ZERO_BYE: (0.0, 0.0),
}
"""The points of White and Black, stored because standings need them for each game."""
_USUAL_LENGTH: Final = timedelta(days=28)
"""Default duration of a ladder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentTerms:
    """The choices of the organizer."""

    guild: GuildId
    channel: ChannelId
    organiser: UserId
    name: str
    format: TournamentFormat
    start: Start
    clock: TimeControl | None
    coordinates: Coordinates
    rated: bool
    rounds: int | None = None
    """Number of rounds in a Swiss. If None, it depends on the number of players."""
    begins_at: datetime | None = None
    """When the first round is paired. If None, the organizer starts the tournament."""
    round_time: timedelta | None = None
    """Time after which a round's unfinished games are decided. If None, only the clocks decide."""
    lasts: timedelta | None = None
    """Duration of a ladder, or maximum length of a league's season, which is a month if None.
    """
    helper: UserId | None = None
    """The second organizer, if any."""
    twice: bool = False
    """True if everyone in a division plays everyone twice."""
    division_size: int | None = None
    """The usual number of players in a league's division."""
    league: TournamentId | None = None
    """The league of a division, or None for other tournaments."""
    season: int | None = None
    """The season of a division, counted from 1."""
    division: int | None = None
    """Number of a division, counted from 1, which is the strongest."""

    def organizes(self, user: UserId) -> bool:
        return user in (self.organiser, self.helper)

    @property
    def is_live(self) -> bool:
        """True if its games are live, so that everyone has to be present."""
        return self.clock is not None and self.clock.is_live

    @property
    def has_check_in(self) -> bool:
        """True if there is a check-in before the start. Ladders and leagues have none."""
        return self.format.has_rounds

    @property
    def length(self) -> timedelta | None:
        """Duration of a ladder, or None for other formats."""
        is_ladder = self.format is TournamentFormat.LADDER
        return self.lasts or _USUAL_LENGTH if is_ladder else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A user who has joined."""

    player: UserId
    seed: int
    """Number from 1, in order of joining, or of rating once round one is paired."""
    rating: float | None = None
    """The rating at that time."""
    joined_round: int = 1
    """The first round that can include them. Unused in a ladder."""
    checked_in: bool = False
    withdrawn: bool = False
    """True if they are not paired again. Their games remain."""
    missed: int = 0
    """Number of a league's latest seasons without a move of theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two players who meet in a round, or one player with a bye."""

    round: int
    board: int
    """Number of the board in its round, counted from 1."""
    white: UserId
    black: UserId | None
    """`BYE` if White has no opponent."""
    paired_at: datetime | None = None
    """Earliest time of its game, or None for the start of its round."""
    result: PairingResult | None = None
    """The result, or None while it is undecided."""
    forfeit: bool = False
    """True if it was decided without a game, because a player never showed up or has left."""
    margin: int | None = None
    """The winner's margin, if pieces were counted."""
    game: GameId | None = None
    ended_at: datetime | None = None
    """When its game ended. None while it is running, or if there is no game."""
    message: MessageId | None = None
    """The message that announced it and started its thread."""
    adjudicated: bool = False
    """True if its game was unfinished when a league's season ended."""
    corrected_by: UserId | None = None
    """The organizer who replaced the game's result."""
    note: str | None = None
    """The reason for that, which everyone can read."""
    extra: timedelta = timedelta(0)
    """Time that an organizer has added to its round for this game."""

    @property
    def place(self) -> tuple[int, int]:
        return self.round, self.board

    @property
    def players(self) -> tuple[UserId, ...]:
        """Its players, White first."""
        return (self.white,) if self.black is BYE else (self.white, self.black)

    @property
    def asks(self) -> bool:
        """True if its game has ended, and a player who had no turn must confirm their presence."""
        return self.result is None and self.ended_at is not None

    @property
    def was_played(self) -> bool:
        """True if it was decided by a game, so that it counts for colors and tie-breaks."""
        over = self.result is not None and not self.result.is_bye
        return over and not self.forfeit and self.black is not BYE

    def color_of(self, player: UserId) -> Color:
        return Color.WHITE if player == self.white else Color.BLACK

    def opponent_of(self, player: UserId) -> UserId | None:
        return self.black if player == self.white else self.white

    def points_of(self, player: UserId) -> float:
        return 0.0 if self.result is None else self.result.points(self.color_of(player))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """The state of a tournament."""

    id: TournamentId
    terms: TournamentTerms
    state: TournamentState
    version: int
    """Increases with each change. A change based on an older version is retried."""
    entrants: tuple[Entrant, ...]
    """In order of seed."""
    pairings: tuple[Pairing, ...]
    """By round and board."""
    round: int = 0
    """The newest paired round, or 0."""
    round_began: datetime | None = None
    created_at: datetime
    began_at: datetime | None = None
    """When it started. A ladder's duration counts from then."""
    ended_at: datetime | None = None
    event: int | None = None
    """The id of the Discord scheduled event for its start."""
    apart: frozenset[frozenset[UserId]] = frozenset()
    """Pairs of players where one has blocked the other, loaded for pairing.

    They meet only if there is no other way.
    """
    pauses: Sequence[Interval] = field(default=(), compare=False)
    """Past and future times when all its clocks are stopped, loaded for deadlines and texts."""
    held_up: Mapping[tuple[int, int], Sequence[Interval]] = field(
        default_factory=dict, compare=False
    )
    """Times when an undecided pairing couldn't be played, because the bot couldn't post there."""

    @property
    def problem(self) -> Problem:
        """The reason for a refusal: it has not begun, has begun, or is over."""
        if self.state in (TournamentState.OPEN, TournamentState.CHECK_IN):
            return Problem.NOT_BEGUN
        return Problem.BEGUN if self.ended_at is None else Problem.OVER

    # People

    @property
    def by_player(self) -> dict[UserId, Entrant]:
        """The entrants by user, in order of seed."""
        return {entrant.player: entrant for entrant in self.entrants}

    @property
    def members(self) -> tuple[Entrant, ...]:
        """The entrants who have not left, by seed."""
        return tuple(entrant for entrant in self.entrants if not entrant.withdrawn)

    @property
    def starters(self) -> tuple[Entrant, ...]:
        """The entrants of the first round, by seed."""
        if not self.round:
            return self.members
        paired = {
            player for pairing in self.pairings if pairing.round == 1 for player in pairing.players
        }
        return tuple(entrant for entrant in self.entrants if entrant.player in paired)

    @property
    def withdrawn(self) -> frozenset[UserId]:
        """The players who have left."""
        return frozenset(entrant.player for entrant in self.entrants if entrant.withdrawn)

    def active(self, number: int) -> tuple[Entrant, ...]:
        """Return the entrants who can be paired in a round, by seed."""
        return tuple(entrant for entrant in self.members if entrant.joined_round <= number)

    def entrant_of(self, player: UserId) -> Entrant | None:
        """Return a player's entry, or None if they have not joined."""
        return next((entrant for entrant in self.entrants if entrant.player == player), None)

    def has(self, player: UserId) -> bool:
        """Return True if a player has joined and not left."""
        entrant = self.entrant_of(player)
        return entrant is not None and not entrant.withdrawn

    # Games

    def pairing_at(self, place: tuple[int, int] | None) -> Pairing | None:
        return next((pairing for pairing in self.pairings if pairing.place == place), None)

    def pairing_of(self, game: GameId) -> Pairing | None:
        return next((pairing for pairing in self.pairings if pairing.game == game), None)

    def in_round(self, number: int) -> tuple[Pairing, ...]:
        """Return the pairings of a round by board."""
        return tuple(pairing for pairing in self.pairings if pairing.round == number)

    def pairings_of(self, player: UserId) -> Iterator[Pairing]:
        """Yield a player's pairings, oldest first."""
        return (pairing for pairing in self.pairings if player in pairing.players)

    @property
    def undecided(self) -> tuple[Pairing, ...]:
        return tuple(pairing for pairing in self.pairings if pairing.result is None)

    def is_left(self, pairing: Pairing) -> bool:
        return not self.withdrawn.isdisjoint(pairing.players)

    def waits(self, pairing: Pairing) -> bool:
        """Return True if a pairing is waiting for its game to start."""
        is_open = pairing.game is None and pairing.result is None
        return self.state is TournamentState.RUNNING and is_open

    # Time

    def after_round(self, number: int) -> "Tournament":
        """Return the tournament as of the end of a round, without later pairings."""
        pairings = tuple(pairing for pairing in self.pairings if pairing.round <= number)
        return replace(self, pairings=pairings, round=number)

    @property
    def rounds_over(self) -> int:
        """Number of finished rounds: all, or all but the running one."""
        return self.round - any(pairing.round == self.round for pairing in self.undecided)

    @property
    def settled(self) -> "Tournament":
        """The tournament as of its last finished round, if there is one.

        During a round, some players have played more games than others, and a bye scores before any
        game ends. In a division, all games run at once, so each counts when it ends.
        """
        by_round = self.terms.format.has_rounds and self.terms.league is None
        return self.after_round(self.rounds_over) if by_round else self

    @property
    def ends_at(self) -> datetime | None:
        """When a started ladder ends, or None."""
        length, began = self.terms.length, self.began_at
        return None if began is None or length is None else began + length

    def round_ends(self, pairing: Pairing) -> datetime | None:
        """Return when time is up for a pairing's round, or None if there is no limit."""
        return (
            None
            if (limit := self.terms.round_time) is None
            else self.playable_since(pairing, limit + pairing.extra)
        )

    @property
    def newest_round_ends(self) -> datetime | None:
        """The latest end of the current round.

        None without a time limit or an undecided game.
        """
        open_ = [pairing for pairing in self.undecided if pairing.round == self.round]
        ends = [self.round_ends(pairing) for pairing in open_]
        return max((end for end in ends if end is not None), default=None)

    def playable_since(self, pairing: Pairing, time: timedelta) -> datetime | None:
        """Return when a pairing has been playable for `time`, or None if it isn't paired."""
        began = pairing.paired_at or self.round_began
        pauses = (*self.pauses, *self.held_up.get(pairing.place, ()))
        return None if began is None else runs_out(began, time, pauses)

    def deadline_of(self, pairing: Pairing) -> datetime | None:
        """Return when an unfinished pairing is decided by time, or None.

        A player's confirmation of presence has a separate deadline.
        """
        return None if pairing.asks else self.round_ends(pairing)

    def late(self, now: datetime) -> dict[Pairing, datetime]:
        """Return the undecided pairings whose deadlines have passed, and these deadlines."""
        deadlines = {pairing: self.deadline_of(pairing) for pairing in self.undecided}
        return {pairing: at for pairing, at in deadlines.items() if at is not None and at <= now}

    @property
    def next_deadline(self) -> datetime | None:
        """The earliest deadline of the undecided pairings, or None."""
        deadlines = map(self.deadline_of, self.undecided)
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    def lots(self, *purpose: object) -> Random:
        """Return a random generator for a purpose. It gives the same numbers in every process."""
        return Random(":".join(str(part) for part in (int(self.id), *purpose)))  # noqa: S311


def without_a_game(
    white: UserId, black: UserId, active: Collection[UserId]
) -> PairingResult | None:
    """Return the result of two players if one has left, or None if both are still in."""
    if white in active:
        return None if black in active else PairingResult.WHITE
    return PairingResult.BLACK if black in active else PairingResult.NEITHER


@dataclass(frozen=True, slots=True)
class PairUp:
    """Pairings to open now. Those with a result are only stored."""

    round: int
    """The round that starts, or the current one again for the replays of a knockout."""
    pairings: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until a running game ends."""

    until: datetime | None = None
    """When to check next even if no game has ended, or None."""


@dataclass(frozen=True, slots=True)
class Conclude:
    """The tournament ends, and its standings are final."""


Step = PairUp | Wait | Conclude
