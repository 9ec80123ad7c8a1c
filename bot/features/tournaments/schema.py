"""The tables of tournaments, with their entrants and pairings, and of seasons and badges.

Pairings name entrants by their numbers, so they hold nothing of a person. Results stay
when people go: in the place of a player then stands a number that is nobody's, and no other
entrant's.
"""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Boolean,
    CheckConstraint,
    Column,
    Delete,
    Double,
    ForeignKey,
    Index,
    Integer,
    Select,
    String,
    Table,
    UniqueConstraint,
    Update,
    bindparam,
    delete,
    literal,
    select,
    text,
    update,
)

from bot.base.ids import LAST_STAND_IN, NOBODY
from bot.base.retention import Gone
from bot.database.columns import Anonymous, Instant, Keeping, RowId, metadata, one_of
from bot.features.tournaments.model.seasons import BadgeKind
from bot.features.tournaments.model.tournament import (
    PairingResult,
    TournamentFormat,
    TournamentState,
)

_DUE = text("due_at IS NOT NULL")
_RUNNING = text("ended_at IS NULL")
_NAMED = text("ended_at IS NOT NULL AND anonymous_at IS NULL")
_OF_SEASON = text("season_id IS NOT NULL")

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", RowId, primary_key=True),
    # What its organiser has chosen.
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("by_id", BigInteger, nullable=False),
    Column("name", String(80), nullable=False),
    Column("format", String(8), nullable=False),
    Column("start", String(9), nullable=False),
    Column("clock", String(60), nullable=False),
    Column("coordinates", String(8), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("rounds", Integer),
    Column("begins_at", Instant),
    Column("round_time_s", Integer),
    Column("lasts_s", Integer),
    Column("level", Integer),  # of the machine, where it fills an odd seat
    Column("machine_id", BigInteger),
    Column("third_place", Boolean, nullable=False),
    Column("season_id", BigInteger),  # the month of which it is the ladder or the play-off: 202611
    Column("source_id", BigInteger, unique=True),  # none: it was made by itself
    # How far it is.
    Column("state", String(9), nullable=False),
    Column("version", Integer, nullable=False),  # grows with each change
    Column("round", Integer, nullable=False),
    Column("round_began", Instant),
    Column("due_at", Instant),  # when it is to be looked at
    Column("event_id", BigInteger),  # Discord's scheduled event
    Column("created_at", Instant, nullable=False),
    Column("began_at", Instant),
    Column("ended_at", Instant),
    Column("anonymous_at", Instant),  # when a host's setting made it nobody's
    CheckConstraint(one_of("format", TournamentFormat), "format"),
    CheckConstraint(one_of("state", TournamentState), "state"),
    CheckConstraint("(ended_at IS NULL) = (state IN ('open', 'check_in', 'running'))", "ended"),
    Index("ix_tournaments_due", "due_at", sqlite_where=_DUE, postgresql_where=_DUE),
    Index("ix_tournaments_running", "guild_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
    Index("ix_tournaments_guild", "guild_id", "id"),
    Index("ix_tournaments_by", "by_id"),
    # A month has one ladder and one play-off in a server, however many processes look.
    Index(
        "uq_tournaments_season",
        "guild_id",
        "season_id",
        "format",
        unique=True,
        sqlite_where=_OF_SEASON,
        postgresql_where=_OF_SEASON,
    ),
    Index("ix_tournaments_named", "ended_at", sqlite_where=_NAMED, postgresql_where=_NAMED),
    info=Keeping(
        stays=True,
        shows_server=True,
        leaving=lambda: (_touch, _organise_no_more),
        anonymous=lambda: Anonymous(
            what=Gone.TOURNAMENTS, found=_named, changes=(_nobodys, _no_entrants, _no_notes)
        ),
    ).info,
    sqlite_autoincrement=True,
)

entrants = Table(
    "entrants",
    metadata,
    Column("tournament_id", RowId, ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1, in the order in which they joined
    Column("player_id", BigInteger, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("rating", Double),
    Column("joined_round", Integer, nullable=False),
    Column("joined_at", Instant, nullable=False),
    Column("checked_in", Boolean, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("source_id", BigInteger, unique=True),
    UniqueConstraint("tournament_id", "player_id"),
    Index("ix_entrants_player", "player_id"),
    info=Keeping(stays=True, leaving=lambda: (_leave_unbegun, _leave_begun)).info,
)

pairings = Table(
    "pairings",
    metadata,
    Column("tournament_id", RowId, ForeignKey("tournaments.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("board", Integer, primary_key=True),
    Column("white", Integer, nullable=False),  # an entrant's number
    Column("black", Integer),  # none: White's player has no opponent, or plays the machine
    Column("result", String(8)),
    Column("forfeit", Boolean, nullable=False),  # it was decided without a game
    Column("margin", Integer),
    Column("game_id", RowId, ForeignKey("games.id"), unique=True),
    Column("message_id", BigInteger),  # what announced it
    Column("paired_at", Instant, nullable=False),
    Column("by_id", BigInteger),  # the organiser who has set another result than the game's
    Column("note", String(200)),
    CheckConstraint(one_of("result", PairingResult), "result"),
    CheckConstraint("white <> black", "two"),
    Index("ix_pairings_by", "by_id"),
    info=Keeping(stays=True, leaving=lambda: (_no_organiser_said,)).info,
)

# Who plays in a round: the key lets nobody be paired twice in it, but where that is meant: a drawn
# game of a knockout is played again, and an arena is one round.
seats = Table(
    "seats",
    metadata,
    Column("tournament_id", RowId, ForeignKey("tournaments.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),  # an entrant's
    Column("turn", Integer, primary_key=True),  # from 1: how often they were paired in the round
)

_PLAYER: BindParameter[Any] = bindparam("player")
_THIS: BindParameter[Any] = bindparam("row")
_AT_ONCE: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MOST: Final = 20
"""So many tournaments are made anonymous in one transaction."""

_stand_in = literal(LAST_STAND_IN, BigInteger) - entrants.c.number
_not_begun = tournaments.c.state.in_(("open", "check_in"))
_theirs = select(entrants.c.tournament_id).where(entrants.c.player_id == _PLAYER)

# Whoever has seen an older version looks again, also the director.
_touch: Update = (
    update(tournaments)
    .where(tournaments.c.id.in_(_theirs), tournaments.c.ended_at.is_(None))
    .values(version=tournaments.c.version + 1, due_at=_AT_ONCE)
)
_leave_unbegun: Delete = delete(entrants).where(
    entrants.c.player_id == _PLAYER,
    entrants.c.tournament_id.in_(
        select(tournaments.c.id).where(tournaments.c.id.in_(_theirs), _not_begun)
    ),
)
_leave_begun: Update = (
    update(entrants)
    .where(entrants.c.player_id == _PLAYER)
    .values(player_id=_stand_in, withdrawn=True, source_id=None)
)
_organise_no_more: Update = (
    update(tournaments).where(tournaments.c.by_id == _PLAYER).values(by_id=NOBODY[None])
)
_no_organiser_said: Update = (
    update(pairings).where(pairings.c.by_id == _PLAYER).values(by_id=NOBODY[None], note=None)
)

# Written out: a database that plans ahead sees that the index serves.
_IS_NAMED = tournaments.c.ended_at.is_not(None) & tournaments.c.anonymous_at.is_(None)
_named: Select[tuple[int]] = (
    select(tournaments.c.id)
    .where(_IS_NAMED, tournaments.c.ended_at <= bindparam("until"))
    .order_by(tournaments.c.ended_at)
    .limit(_MOST)
)
_nobodys: Update = (
    update(tournaments)
    .where(tournaments.c.id == _THIS)
    .values(by_id=NOBODY[None], anonymous_at=bindparam("moment"))
)
_no_entrants: Update = (
    update(entrants)
    .where(entrants.c.tournament_id == _THIS)
    .values(player_id=_stand_in, source_id=None)
)
_no_notes: Update = (
    update(pairings)
    .where(pairings.c.tournament_id == _THIS, pairings.c.by_id.is_not(None))
    .values(by_id=NOBODY[None], note=None)
)

# A server without a row here has no seasons, or no more of them.
seasons = Table(
    "seasons",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("zone", String(40), nullable=False),  # in whose midnight months begin
    Column("level", Integer),  # of the machine, where it fills an odd seat of the play-off
    Column("due_at", Instant, nullable=False),  # when it is to be looked at
    Index("ix_seasons_due", "due_at"),
)

badges = Table(
    "badges",
    metadata,
    Column("tournament_id", RowId, ForeignKey("tournaments.id"), primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("place", Integer, nullable=False),
    Column("earned_at", Instant, nullable=False),
    CheckConstraint(one_of("kind", BadgeKind), "kind"),
    Index("ix_badges_player", "player_id"),
)
