"""The tables of tournaments, with entrants and pairings.

Pairings refer to entrants by number, so they contain no user data. Results remain when users are
deleted. Their ids are then replaced by anonymous ids that are unique among the entrants.
"""

from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sa

from bot.base.ids import DELETED_USER, LAST_STAND_IN
from bot.base.retention import DeletedKind
from bot.database.schema import (
    WRITTEN_BY_PEOPLE,
    Anonymization,
    Instant,
    RetentionRule,
    RowId,
    metadata,
    one_of,
    partial_index,
)
from bot.people.store.moderation import acts
from club.tournaments.model import tournament

_DUE = sa.text("due_at IS NOT NULL")
_RUNNING = sa.text("ended_at IS NULL")
_OF_LEAGUE = sa.text("league_id IS NOT NULL")
_NAMED = sa.text("ended_at IS NOT NULL AND anonymous_at IS NULL")

tournaments = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    # The organizer's choices.
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("by_id", sa.BigInteger, nullable=False),
    sa.Column("helper_id", sa.BigInteger),  # the second organizer
    sa.Column("name", sa.String(80), nullable=False, info=WRITTEN_BY_PEOPLE),
    sa.Column("format", sa.String(8), nullable=False),
    sa.Column("start", sa.String(9), nullable=False),
    sa.Column("clock", sa.String(60), nullable=False),
    sa.Column("coordinates", sa.String(8), nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("rounds", sa.Integer),
    sa.Column("begins_at", Instant),
    sa.Column("round_time_s", sa.Integer),
    sa.Column("lasts_s", sa.Integer),
    sa.Column("twice", sa.Boolean, server_default=sa.false(), nullable=False),
    sa.Column("division_size", sa.Integer),  # of a league
    sa.Column("league_id", sa.BigInteger),  # of a division, which is a round robin
    sa.Column("season", sa.Integer),
    sa.Column("division", sa.Integer),
    sa.Column("source_id", sa.BigInteger, unique=True),  # null: created automatically
    # Its progress.
    sa.Column("state", sa.String(9), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # increases with each change
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("round_began", Instant),
    sa.Column("due_at", Instant),  # when to check it next
    sa.Column("event_id", sa.BigInteger),  # Discord's scheduled event
    sa.Column("created_at", Instant, nullable=False),
    sa.Column("began_at", Instant),
    sa.Column("ended_at", Instant),
    sa.Column("anonymous_at", Instant),  # when it was anonymized because of the host's setting
    sa.CheckConstraint("format IN ('robin', 'swiss', 'knockout', 'ladder', 'league')", "format"),
    sa.CheckConstraint(one_of("state", tournament.TournamentState), "state"),
    sa.CheckConstraint("(ended_at IS NULL) = (state IN ('open', 'check_in', 'running'))", "ended"),
    partial_index("ix_tournaments_due", "due_at", condition=_DUE),
    partial_index("ix_tournaments_running", "guild_id", condition=_RUNNING),
    sa.Index("ix_tournaments_guild", "guild_id", "id"),
    partial_index(
        "uq_tournaments_league",
        "league_id",
        "season",
        "division",
        unique=True,
        condition=_OF_LEAGUE,
    ),
    sa.Index("ix_tournaments_by", "by_id"),
    sa.Index("ix_tournaments_helper", "helper_id"),
    partial_index("ix_tournaments_named", "ended_at", condition=_NAMED),
    info=RetentionRule(
        outlives_people=True,
        shows_server=True,
        before_deletion=lambda: (_touch, _organize_no_more, _help_no_more),
        anonymization=lambda: Anonymization(
            kind=DeletedKind.TOURNAMENTS,
            query=_named,
            changes=(_nobodys, _no_entrants, _no_notes, _no_acts),
        ),
    ).info,
    sqlite_autoincrement=True,
)

entrants = sa.Table(
    "entrants",
    metadata,
    sa.Column("tournament_id", RowId, sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 1, in the order of joining
    sa.Column("player_id", sa.BigInteger, nullable=False),
    sa.Column("seed", sa.Integer, nullable=False),
    sa.Column("rating", sa.Double),
    sa.Column("joined_round", sa.Integer, nullable=False),
    sa.Column("joined_at", Instant, nullable=False),
    sa.Column("checked_in", sa.Boolean, nullable=False),
    sa.Column("withdrawn", sa.Boolean, nullable=False),
    # consecutive seasons of a league without a move
    sa.Column("missed", sa.Integer, server_default=sa.text("0"), nullable=False),
    sa.Column("earned_at", Instant),  # the winner's badge
    sa.Column("source_id", sa.BigInteger, unique=True),
    sa.UniqueConstraint("tournament_id", "player_id"),
    sa.Index("ix_entrants_player", "player_id"),
    info=RetentionRule(
        outlives_people=True, before_deletion=lambda: (_leave_unbegun, _leave_begun)
    ).info,
)

pairings = sa.Table(
    "pairings",
    metadata,
    sa.Column("tournament_id", RowId, sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("board", sa.Integer, primary_key=True),
    sa.Column("white", sa.Integer, nullable=False),  # an entrant's number
    sa.Column("black", sa.Integer),  # null: White's player has no opponent, or plays the machine
    sa.Column("result", sa.String(8)),
    sa.Column("forfeit", sa.Boolean, nullable=False),  # true if it was decided without a game
    sa.Column("margin", sa.Integer),
    # true if its game was unfinished at the end of a league's season
    sa.Column("adjudicated", sa.Boolean, server_default=sa.false(), nullable=False),
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), unique=True),
    sa.Column("message_id", sa.BigInteger),  # the message that announced it
    sa.Column("paired_at", Instant, nullable=False),
    sa.Column("by_id", sa.BigInteger),  # the organizer who replaced the game's result
    sa.Column("note", sa.String(200), info=WRITTEN_BY_PEOPLE),
    sa.Column("extra_s", sa.Integer, server_default=sa.text("0"), nullable=False),  # more time
    sa.CheckConstraint(one_of("result", tournament.PairingResult), "result"),
    sa.CheckConstraint("white <> black", "two"),
    sa.Index("ix_pairings_by", "by_id"),
    info=RetentionRule(outlives_people=True, before_deletion=lambda: (_no_organizer_said,)).info,
)

_PLAYER: sa.BindParameter[Any] = sa.bindparam("player")
_THIS: sa.BindParameter[Any] = sa.bindparam("row")
_AT_ONCE: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MOST: Final = 20
"""Maximum number of tournaments anonymized in one transaction."""

_stand_in = sa.literal(LAST_STAND_IN, sa.BigInteger) - entrants.c.number
_not_begun = tournaments.c.state.in_(("open", "check_in"))
_theirs = sa.select(entrants.c.tournament_id).where(entrants.c.player_id == _PLAYER)

# So that code that has read an older version, such as the director, reads it again.
_touch: sa.Update = (
    sa.update(tournaments)
    .where(tournaments.c.id.in_(_theirs), tournaments.c.ended_at.is_(None))
    .values(version=tournaments.c.version + 1, due_at=_AT_ONCE)
)
_leave_unbegun: sa.Delete = sa.delete(entrants).where(
    entrants.c.player_id == _PLAYER,
    entrants.c.tournament_id.in_(
        sa.select(tournaments.c.id).where(tournaments.c.id.in_(_theirs), _not_begun)
    ),
)
_leave_begun: sa.Update = (
    sa.update(entrants)
    .where(entrants.c.player_id == _PLAYER)
    .values(player_id=_stand_in, withdrawn=True, source_id=None)
)
_organize_no_more: sa.Update = (
    sa.update(tournaments).where(tournaments.c.by_id == _PLAYER).values(by_id=DELETED_USER[None])
)
_help_no_more: sa.Update = (
    sa.update(tournaments).where(tournaments.c.helper_id == _PLAYER).values(helper_id=None)
)
_no_acts: sa.Update = (
    sa.update(acts)
    .where(acts.c.tournament_id == _THIS)
    .values(by_id=DELETED_USER[None], player_id=None)
)
_no_organizer_said: sa.Update = (
    sa.update(pairings)
    .where(pairings.c.by_id == _PLAYER)
    .values(by_id=DELETED_USER[None], note=None)
)

# A literal, so that the query planner can use the index.
_IS_NAMED = tournaments.c.ended_at.is_not(None) & tournaments.c.anonymous_at.is_(None)
_named: sa.Select[tuple[int]] = (
    sa.select(tournaments.c.id)
    .where(_IS_NAMED, tournaments.c.ended_at <= sa.bindparam("until"))
    .order_by(tournaments.c.ended_at)
    .limit(_MOST)
)
_nobodys: sa.Update = (
    sa.update(tournaments)
    .where(tournaments.c.id == _THIS)
    .values(by_id=DELETED_USER[None], helper_id=None, anonymous_at=sa.bindparam("moment"))
)
_no_entrants: sa.Update = (
    sa.update(entrants)
    .where(entrants.c.tournament_id == _THIS)
    .values(player_id=_stand_in, source_id=None)
)
_no_notes: sa.Update = (
    sa.update(pairings)
    .where(pairings.c.tournament_id == _THIS, pairings.c.by_id.is_not(None))
    .values(by_id=DELETED_USER[None], note=None)
)
