"""The parts of a tournament: its terms, its entrants, and the pairings of its rounds."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, TournamentId, UserId
from bot.play.model.clock import TimeControl
from bot.play.model.terms import Start
from dvonn import Color, Coordinates

BYE: Final = None
"""The opponent of a player who has none in a round."""


class TournamentFormat(StrEnum):
    """The formats: the ways of pairing."""

    ROUND_ROBIN = "robin"
    """Everybody plays everybody once, by Berger's tables."""
    SWISS = "swiss"
    """In each round those play each other who have done equally well, and nobody twice."""
    KNOCKOUT = "knockout"
    """The loser is out."""
    ARENA = "arena"
    """For as long as it lasts, free players are paired with each other. Live games only."""
    LADDER = "ladder"
    """The winner takes the place of a loser above; people challenge each other as they like."""

    @property
    def has_rounds(self) -> bool:
        """True if it is played in rounds; the others go on for a time."""
        return self not in {TournamentFormat.ARENA, TournamentFormat.LADDER}


class TournamentState(StrEnum):
    """The states of a tournament, in their order."""

    OPEN = "open"
    """People join."""
    CHECK_IN = "check_in"
    """The entrants say that they are there; those who don't are not paired."""
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
    """Nobody gets anything: neither came, or the game was ended without a result."""
    BYE = "bye"
    """A round without an opponent, which counts as won: FIDE's pairing-allocated bye."""
    ZERO_BYE = "zero_bye"
    """A round without an opponent, which counts nothing: in a round robin everybody has one."""

    @classmethod
    def won_by(cls, color: Color) -> "PairingResult":
        return cls.WHITE if color is Color.WHITE else cls.BLACK

    @property
    def is_bye(self) -> bool:
        """True if there was no opponent."""
        return self in _BYES

    @property
    def winner(self) -> Color | None:
        """The winner against an opponent."""
        return _WINNERS.get(self)

    def points(self, color: Color) -> float:
        """Return the points for the player of a colour; with a bye one sits as White."""
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
"""The points of White's and of Black's player. Standings ask for them for each game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentTerms:
    """The choices of an organiser."""

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
    """The number of rounds of a Swiss; None: as many as the number of players asks for."""
    begins_at: datetime | None = None
    """The moment at which the first round is paired; None: when the organiser says so."""
    round_time: timedelta | None = None
    """After how long a round's unfinished games are decided; None: the clocks decide."""
    lasts: timedelta | None = None
    """The length of an arena or a ladder."""
    level: int | None = None
    """The machine's level in an odd seat of a round robin or a Swiss; None: there is a bye."""
    third_place: bool = False
    """True if the losers of a knockout's semi-finals play each other for the third place."""
    machine: UserId | None = None
    """The machine's own number, where it fills one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A person who has joined."""

    player: UserId
    seed: int
    """1: the strongest by rating once round one is paired; before that, the first to join."""
    rating: float | None = None
    """As it was then."""
    joined_round: int = 1
    """The first round for which they can be paired; in an arena and a ladder it is all the same."""
    checked_in: bool = False
    withdrawn: bool = False
    """They are paired no more; what they have played stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two who play each other in a round, or one who has a bye."""

    round: int
    """1 is the first."""
    board: int
    """1 is the first of its round, and no two of a round have the same."""
    white: UserId
    black: UserId | None
    """`BYE`: White's player has no opponent; while there is no result they play the machine."""
    paired_at: datetime | None = None
    """Since when it can be played; None: since its round began."""
    result: PairingResult | None = None
    """None: it is not decided."""
    forfeit: bool = False
    """True if it was decided without a game, as a player never came or has left."""
    margin: int | None = None
    """The winner's margin, where pieces were counted."""
    game: GameId | None = None
    ended_at: datetime | None = None
    """The end of its game; None: it runs, or there is none."""
    message: MessageId | None = None
    """The message that announced it, from which its thread was started."""
    corrected_by: UserId | None = None
    """The organiser who has set another result than the game's."""
    note: str | None = None
    """The reason for it, for everybody to read."""

    @property
    def players(self) -> tuple[UserId, ...]:
        """The players in it: White's first."""
        return (self.white,) if self.black is BYE else (self.white, self.black)

    @property
    def asks(self) -> bool:
        """True if its game is over and brought nothing yet: a player had no turn in it.

        They are asked whether they are there (`bot.features.tournaments.model.results`).
        """
        return self.result is None and self.ended_at is not None

    @property
    def was_played(self) -> bool:
        """True if it was decided by a game, so that it counts for colours and tie-breaks."""
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
    """A tournament as it stands."""

    id: TournamentId
    terms: TournamentTerms
    state: TournamentState
    version: int
    """Grows with each change; a change of an older one is tried again."""
    entrants: tuple[Entrant, ...]
    """In order of their seeds."""
    pairings: tuple[Pairing, ...]
    """By round and board."""
    round: int = 0
    """The newest that was paired; 0: none."""
    round_began: datetime | None = None
    created_at: datetime
    began_at: datetime | None = None
    """Since when it runs; an arena and a ladder last from then on."""
    ended_at: datetime | None = None
    event: int | None = None
    """The number of Discord's scheduled event for its start."""
    apart: frozenset[frozenset[UserId]] = frozenset()
    """The pairs with a block between them: they play each other only where nothing else goes.

    It is no part of its rows; it is looked up for pairing.
    """
    season: int | None = None
    """The number of the month whose ladder or play-off it is (`seasons.Month`)."""
