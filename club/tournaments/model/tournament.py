"""The parts of a tournament: its terms, its entrants, the pairings of its rounds, and its steps."""

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
from dvonn import Color, Coordinates, Position

BYE: Final = None
"""Stands for the opponent of a player who has none in a round."""


class TournamentFormat(StrEnum):
    """The formats: the ways of pairing."""

    ROUND_ROBIN = "robin"
    """Everybody plays everybody once, by Berger's tables."""
    SWISS = "swiss"
    """In each round players with equal points play each other, and nobody twice."""
    KNOCKOUT = "knockout"
    """The loser is out."""
    LADDER = "ladder"
    """Players challenge each other freely. The winner takes the place of a loser above."""

    @property
    def has_rounds(self) -> bool:
        """True if it is played in rounds. A ladder lasts for a time."""
        return self is not TournamentFormat.LADDER


class TournamentState(StrEnum):
    """The states of a tournament, in their order."""

    OPEN = "open"
    """People join."""
    CHECK_IN = "check_in"
    """Entrants confirm their presence. Others are not paired."""
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"


class PairingResult(StrEnum):
    """The results of a pairing."""

    WHITE = "white"
    """White's player has won, at the board or because the other never came."""
    BLACK = "black"
    DRAW = "draw"
    NEITHER = "neither"
    """Nobody gets points: neither came, or the game was ended without a result."""
    BYE = "bye"
    """A round without an opponent that counts as a win: FIDE's pairing-allocated bye."""
    ZERO_BYE = "zero_bye"
    """A round without an opponent that counts nothing. In a round robin everybody has one."""

    @classmethod
    def won_by(cls, color: Color) -> "PairingResult":
        return cls.WHITE if color is Color.WHITE else cls.BLACK

    @property
    def is_bye(self) -> bool:
        return self in _BYES

    @property
    def winner(self) -> Color | None:
        """The winner against an opponent."""
        return _WINNERS.get(self)

    def points(self, color: Color) -> float:
        """Return the points for the player of a color. A player with a bye sits as White."""
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
"""The points of White and Black. Standings use them for each game."""
_USUAL_LENGTH: Final = timedelta(days=28)
"""The default length of a ladder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentTerms:
    """The choices of an organizer."""

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
    """The number of rounds of a Swiss. None derives it from the number of players."""
    begins_at: datetime | None = None
    """Time of the first round's pairing. None: the organizer starts it."""
    round_time: timedelta | None = None
    """Time after which a round's unfinished games are decided. None: by the clocks alone."""
    lasts: timedelta | None = None
    level: int | None = None
    """The machine's level in the odd seat. None: there is a bye."""
    position: Position | None = None
    """The position that all games start from, if `start` is a position."""
    third_place: bool = False
    machine: UserId | None = None
    """The machine's id, if it fills a seat."""

    @property
    def is_live(self) -> bool:
        """True if its games are live, so that everybody has to be present."""
        return self.clock is not None and self.clock.is_live

    @property
    def has_check_in(self) -> bool:
        """True if there is a check-in before the start. Ladders have none."""
        return self.format is not TournamentFormat.LADDER

    @property
    def length(self) -> timedelta | None:
        """The duration of a ladder, or None for a format with rounds."""
        return None if self.format.has_rounds else self.lasts or _USUAL_LENGTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A person who has joined."""

    player: UserId
    seed: int
    """Number from 1: in the order of joining, and by rating once round one is paired."""
    rating: float | None = None
    """The rating at that time."""
    joined_round: int = 1
    """The first round of possible pairings. It has no meaning in a ladder."""
    checked_in: bool = False
    withdrawn: bool = False
    """True if they are not paired again. Their games stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two players who meet in a round, or one player with a bye."""

    round: int
    board: int
    """Number of the board in its round, from 1, without duplicates."""
    white: UserId
    black: UserId | None
    """`BYE` if White has no opponent. Without a result, White then plays the machine."""
    paired_at: datetime | None = None
    """Earliest time of its game. None: the start of its round."""
    result: PairingResult | None = None
    """The result, or None if it is undecided."""
    forfeit: bool = False
    """True if it was decided without a game, because a player never came or has left."""
    margin: int | None = None
    """The winner's margin, if pieces were counted."""
    game: GameId | None = None
    ended_at: datetime | None = None
    """The end of its game, or None while it runs or without one."""
    message: MessageId | None = None
    """The message that announced it and started its thread."""
    corrected_by: UserId | None = None
    """The organizer who has replaced the game's result."""
    note: str | None = None
    """The reason for it, for everybody to read."""

    @property
    def place(self) -> tuple[int, int]:
        return self.round, self.board

    @property
    def players(self) -> tuple[UserId, ...]:
        """The players in it, White first."""
        return (self.white,) if self.black is BYE else (self.white, self.black)

    @property
    def asks(self) -> bool:
        """True if its game is over, and a player who had no turn in it is asked about it."""
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
    """Number that grows with each change. A change of an older version is retried."""
    entrants: tuple[Entrant, ...]
    """In order of their seeds."""
    pairings: tuple[Pairing, ...]
    """By round and board."""
    round: int = 0
    """The newest paired round, or 0."""
    round_began: datetime | None = None
    created_at: datetime
    began_at: datetime | None = None
    """Time of the start. A ladder's duration counts from it."""
    ended_at: datetime | None = None
    event: int | None = None
    """The number of Discord's scheduled event for its start."""
    apart: frozenset[frozenset[UserId]] = frozenset()
    """The pairs with a block between them, loaded for pairing. They meet only if nothing else is
    possible."""
    held_up: Mapping[tuple[int, int], Sequence[Interval]] = field(default_factory=dict, hash=False)
    """The times when the undecided pairings couldn't be played, loaded for deadlines."""

    # People

    @property
    def seeded(self) -> list[Entrant]:
        """The entrants in order of their seeds."""
        return sorted(self.entrants, key=lambda entrant: entrant.seed)

    @property
    def by_player(self) -> dict[UserId, Entrant]:
        """The entrants by user, in order of their seeds."""
        return {entrant.player: entrant for entrant in self.seeded}

    @property
    def starters(self) -> tuple[Entrant, ...]:
        """The entrants of the first round, by seed."""
        if not self.round:
            return tuple(entrant for entrant in self.seeded if not entrant.withdrawn)
        paired = {who for pairing in self.pairings if pairing.round == 1 for who in pairing.players}
        return tuple(entrant for entrant in self.seeded if entrant.player in paired)

    def active(self, number: int) -> tuple[Entrant, ...]:
        """Return the entrants who can be paired in a round, by seed."""
        return tuple(e for e in self.seeded if not e.withdrawn and e.joined_round <= number)

    def entrant_of(self, player: UserId) -> Entrant | None:
        """Return a player's entry, or None if they have not joined."""
        return next((entrant for entrant in self.entrants if entrant.player == player), None)

    def has(self, player: UserId) -> bool:
        """Return True if a player has joined and has not left."""
        entrant = self.entrant_of(player)
        return entrant is not None and not entrant.withdrawn

    # Games

    def pairing_at(self, place: tuple[int, int]) -> Pairing | None:
        return next((pairing for pairing in self.pairings if pairing.place == place), None)

    def pairing_of(self, game: GameId) -> Pairing | None:
        return next((pairing for pairing in self.pairings if pairing.game == game), None)

    @property
    def in_order(self) -> list[Pairing]:
        """All pairings by round and board."""
        return sorted(self.pairings, key=lambda pairing: pairing.place)

    def in_round(self, number: int) -> tuple[Pairing, ...]:
        """Return the pairings of a round by board."""
        return tuple(pairing for pairing in self.in_order if pairing.round == number)

    def pairings_of(self, player: UserId) -> Iterator[Pairing]:
        """Iterate over a player's pairings, the oldest first."""
        return (pairing for pairing in self.in_order if player in pairing.players)

    def colors_of(self, player: UserId) -> tuple[Color, ...]:
        """Return the colors of a player's played games, the oldest first."""
        return tuple(
            pairing.color_of(player) for pairing in self.pairings_of(player) if pairing.was_played
        )

    @property
    def undecided(self) -> tuple[Pairing, ...]:
        return tuple(pairing for pairing in self.pairings if pairing.result is None)

    def is_left(self, pairing: Pairing) -> bool:
        return any(
            entrant.withdrawn and entrant.player in pairing.players for entrant in self.entrants
        )

    def waits(self, pairing: Pairing) -> bool:
        """Return True if a pairing waits for its game to begin."""
        has_opponent = pairing.black is not BYE or self.terms.machine is not None
        is_open = pairing.game is None and pairing.result is None
        return self.state is TournamentState.RUNNING and has_opponent and is_open

    # Time

    def after_round(self, number: int) -> "Tournament":
        """Return the tournament at the end of a round, without later pairings."""
        pairings = tuple(pairing for pairing in self.pairings if pairing.round <= number)
        return replace(self, pairings=pairings, round=number)

    @property
    def rounds_over(self) -> int:
        """The number of finished rounds: all of them, or all but the running one."""
        return self.round - any(pairing.round == self.round for pairing in self.undecided)

    @property
    def settled(self) -> "Tournament":
        """The tournament after its last finished round, if there is one.

        During a round some players have played more than others, and a bye scores before any game
        ends.
        """
        return self.after_round(self.rounds_over) if self.terms.format.has_rounds else self

    @property
    def ends_at(self) -> datetime | None:
        """The end of a started ladder, or None."""
        length, began = self.terms.length, self.began_at
        return None if began is None or length is None else began + length

    def round_ends(self, pairing: Pairing) -> datetime | None:
        """Return the end of the time for a pairing's round, or None if there is no limit."""
        return (
            None
            if (limit := self.terms.round_time) is None
            else self.playable_since(pairing, limit)
        )

    @property
    def newest_round_ends(self) -> datetime | None:
        """Latest end of the current round, or None without a time limit or an undecided game."""
        open_ = [pairing for pairing in self.undecided if pairing.round == self.round]
        ends = [self.round_ends(pairing) for pairing in open_]
        return max((end for end in ends if end is not None), default=None)

    def playable_since(self, pairing: Pairing, time: timedelta) -> datetime | None:
        """Return when a pairing has been playable for a time, or None if it is not paired."""
        began = pairing.paired_at or self.round_began
        held_up = self.held_up.get(pairing.place, ())
        return None if began is None else runs_out(began, time, held_up)

    def deadline_of(self, pairing: Pairing) -> datetime | None:
        """Return the time that decides an unfinished pairing, or None if there is none.

        A player who is asked to confirm their presence has a deadline of their own.
        """
        return None if pairing.asks else self.round_ends(pairing)

    @property
    def next_deadline(self) -> datetime | None:
        """The first deadline of the undecided pairings, or None."""
        deadlines = map(self.deadline_of, self.undecided)
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    def lots(self, *what: object) -> Random:
        """Return a random generator for one purpose, with the same numbers in every process."""
        return Random(":".join(str(part) for part in (int(self.id), *what)))  # noqa: S311


def without_a_game(white: UserId, black: UserId, here: Collection[UserId]) -> PairingResult | None:
    """Return the result of two players if one has left, or None if both are present."""
    if white in here:
        return None if black in here else PairingResult.WHITE
    return PairingResult.BLACK if black in here else PairingResult.NEITHER


@dataclass(frozen=True, slots=True)
class PairUp:
    """Pairings to open now. Pairings with a result are only stored."""

    round: int
    """The round that begins, or the current one again: knockouts replay draws."""
    pairings: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait for the end of a running game."""

    until: datetime | None = None
    """Time of the next check even if no game has ended, or None."""


@dataclass(frozen=True, slots=True)
class Conclude:
    """The end of the tournament: the standings are final."""


Step = PairUp | Wait | Conclude
