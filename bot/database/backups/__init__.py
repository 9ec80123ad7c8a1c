"""Backups: one kind of file for both databases, made while games are played.

A backup is a SQLite file with the bot's tables, brought to today's schema by the same migrations as
every database, and a table `backup` with what it was sealed with: how many rows each table has, and
their checksum. What was made from SQLite can be restored into PostgreSQL, and the other way round.
"""
