"""The database: engine, driver, outbox, backups and migrations."""
