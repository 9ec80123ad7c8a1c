"""Where the games are kept: SQLite or PostgreSQL, through one schema."""

from bot.store.database import create_engine, migrate, schema_is_current
from bot.store.queries import BEFORE_START, Conflict, Store

__all__ = ["BEFORE_START", "Conflict", "Store", "create_engine", "migrate", "schema_is_current"]
