"""A tournament's messages: in its channel, for its games, and to individual people."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import discord
import structlog

from bot.base.errors import StoreError
from bot.base.ids import MessageId, TournamentId, UserId
from bot.base.languages import Reader
from bot.connection.channel_requests import Channels, messages_since
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import button_ids
from bot.connection.posts import Post
from bot.connection.request_errors import DISCORD_ERRORS
from bot.database.delivery_rows import Delivery, DeliveryRoute
from bot.play.delivery.boards import DeliveryContext, PostHandler
from club.tournaments.model.leagues import is_break
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import Pairing, Tournament, TournamentState
from club.tournaments.use_cases import news
from club.tournaments.use_cases.director import Director
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words import announcements, leagues
from club.tournaments.words.standings import tournament_picture
from club.tournaments.words.terms import title as tournament_title
from club.tournaments.words.terms import tournament_mark

_log = structlog.get_logger()
_OVER = (TournamentState.DONE, TournamentState.CANCELLED)
_WORTH_MOVING = timedelta(minutes=1)
"""Minimum change of a start that moves Discord's event."""
_PICTURED = (news.News.RESULTS, news.News.ENDED)


class TournamentPosts:
    """Creates posts about tournaments, with the names of their players."""

    def __init__(self, context: DeliveryContext) -> None:
        self._channels, self._names = context.channels, context.names
        self._readers, self._deliveries = context.readers, context.cases.store.deliveries
        self._cases = context.cases

    async def reader(self, tournament: Tournament) -> Reader:
        """Return the reader for a tournament's channel."""
        terms = tournament.terms
        return await self._readers.for_channel(terms.guild, terms.channel)

    def missing(self, tournament: Tournament) -> tuple[str, ...]:
        """Return the permissions that the bot lacks to open games."""
        return self._channels.missing_threads(tournament.terms.channel)

    async def names(self, tournament: Tournament) -> dict[UserId, str]:
        """Return the players' names. Unknown names are requested from Discord."""
        guild = tournament.terms.guild
        players = [entrant.player for entrant in tournament.entrants]
        unknown = [who for who in players if not self._names.name(guild, who)]
        self._names.hear(*await self._channels.members(guild, unknown))
        return {who: self._names.name(guild, who) for who in players}

    async def current_post(  # noqa: C901, PLR0911, PLR0912 - one line for each
        self,
        reader: Reader,
        tournament: Tournament,
        what: news.News,
        number: int = 0,
        row: Delivery | None = None,
    ) -> Post | None:
        """Return one of a tournament's messages in its current form, or None if it is outdated."""
        report = announcements.Report(tournament=tournament, mark=_mark(what, row))
        if what is news.News.ROUND:
            report = replace(report, limit=await self.limit(tournament))
        if what in _PICTURED:
            then = tournament.after_round(number) if what is news.News.RESULTS else tournament
            table = standings(then)
            picture = tournament_picture(reader, then, table, await self.names(then))
            report = replace(report, standings=table, picture=picture)
        match what:
            case news.News.CREATED:
                return announcements.tournament_announced(reader, report)
            case news.News.CHECK_IN:
                whom = news.called(tournament, {} if row is None else row.data)
                return announcements.tournament_check_in(reader, report, whom)
            case news.News.CALLED:
                if row is None:
                    return None
                return announcements.tournament_called(
                    reader, report, news.called(tournament, row.data)
                )
            case news.News.ROUND:
                return announcements.tournament_round(reader, report, number)
            case news.News.RESULTS:
                return announcements.tournament_results(reader, report, number)
            case news.News.STOPPED:
                if row is None:
                    return None
                is_over = row.data["is_over"]
                return announcements.tournament_stopped(
                    reader, report, _moment_of(row), is_over=is_over
                )
            case news.News.HELD_UP:
                missing = self.missing(tournament)
                if not missing or tournament.state in _OVER or number <= tournament.round:
                    return None
                return announcements.tournament_held_up(reader, report, number, missing)
            case news.News.SEASON | news.News.WEEK | news.News.SEASON_OVER:
                divisions = await self._cases.require(Tournaments).divisions(tournament, number)
                if what is news.News.SEASON:
                    return leagues.season_begins(reader, report, divisions)
                if what is news.News.SEASON_OVER:
                    return leagues.season_over(reader, report, divisions, number)
                week = 0 if row is None else row.data["week"]
                return leagues.season_week(reader, report, divisions, week)
            case news.News.ENDED:
                return announcements.tournament_ended(reader, report, corrected=number > 0)
            case news.News.CANCELLED:
                return announcements.tournament_cancelled(reader, report)
            case news.News.CORRECTED:
                pairing = pairing_of(tournament, row)
                if pairing is None:
                    return None
                off = [] if row is None else row.data.get("called_off", [])
                return announcements.tournament_corrected(reader, report, pairing, off)

    async def limit(self, tournament: Tournament) -> announcements.RoundLimit:
        """Return the current time limit of a tournament's running round."""
        stopped_until = await self._cases.require(Tournaments).stopped_until(tournament)
        if tournament.terms.round_time is None:
            return announcements.RoundLimit(stopped_until=stopped_until)
        timed = await self._cases.require(Director).with_pauses(tournament)
        return announcements.RoundLimit(timed.newest_round_ends, stopped_until)

    async def correct_round(self, tournament: Tournament) -> None:
        """Edit the running round's message if its time limit is outdated."""
        if tournament.state is not TournamentState.RUNNING or not tournament.round:
            return
        if not any(pairing.round == tournament.round for pairing in tournament.undecided):
            return
        key = f"{tournament.id}-{news.News.ROUND}-{tournament.round}"
        row = await self._deliveries.sent_row(news.NEWS, key)
        if row is None or row.message is None:
            return
        limit = await self.limit(tournament)
        if limit.is_told_by(row.data):
            return
        reader = await self.reader(tournament)
        post = await self.current_post(reader, tournament, news.News.ROUND, tournament.round, row)
        if post is not None and await self._put_in_place(tournament, row.message, post):
            await self._deliveries.note(row, {**row.data, **limit.data})

    async def _put_in_place(self, tournament: Tournament, message: MessageId, post: Post) -> bool:
        """Edit a message in a tournament's channel.

        This is tried once. Return True if it succeeds.
        """
        try:
            await self._channels.put_in_place(tournament.terms.channel, message, post)
        except DISCORD_ERRORS as error:
            about = {"tournament": tournament.id, "error": str(error)}
            _log.info("tournament message update failed", **about)
            return False
        return True

    async def refresh(self, tournament: Tournament, *whats: news.News) -> None:
        """Update the scheduled event and some messages, by default the announcement.

        This is tried once.
        """
        whats = whats or (news.News.CREATED,)
        await keep_in_step(self._channels, tournament)
        with suppress(StoreError):
            reader = await self.reader(tournament)
            kept = {f"{tournament.id}-{what}-0": what for what in whats}
            sent = await self._deliveries.sent(news.NEWS, list(kept))
            for key, message in sent.items():
                post = await self.current_post(reader, tournament, kept[key])
                if post is None:
                    continue
                await self._put_in_place(tournament, message, post)


async def keep_in_step(channels: Channels, tournament: Tournament) -> None:
    """Start or end a tournament's event together with it.

    This is tried once, and nothing depends on it.
    """
    terms, guild = tournament.terms, channels.guild(tournament.terms.guild)
    if guild is None or tournament.event is None:
        return
    try:
        event = await guild.fetch_scheduled_event(tournament.event, with_counts=False)
        moved = (terms.begins_at or event.start_time) - event.start_time
        moved = moved if abs(moved) >= _WORTH_MOVING else timedelta(0)
        match tournament.state:
            case TournamentState.OPEN if moved or event.name != terms.name:
                ends: dict[str, Any] = {}
                if event.end_time is not None:
                    ends["end_time"] = event.end_time + moved
                start = event.start_time + moved
                await event.edit(name=terms.name, start_time=start, **ends)
            case TournamentState.RUNNING if event.status is discord.EventStatus.scheduled:
                await event.start()
            case TournamentState.DONE if event.status is discord.EventStatus.active:
                await event.end()
            case TournamentState.CANCELLED if event.status is discord.EventStatus.scheduled:
                await event.cancel()
            case TournamentState.CANCELLED if event.status is discord.EventStatus.active:
                await event.end()
    except DISCORD_ERRORS as error:
        _log.info(
            "scheduled event update failed",
            tournament=tournament.id,
            error=str(error),
        )


class TournamentHandler(PostHandler):
    """Sends tournament messages.

    It recognizes a message by its button's custom id, which contains the tournament and a token.
    """

    def __init__(self, context: DeliveryContext) -> None:
        super().__init__(context)
        self._posts = TournamentPosts(context)
        self._tournaments = context.cases.require(Tournaments)

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return tournament_mark(number_of(row), mark_of(row)) in button_ids(message)


class _InOrder(TournamentHandler):
    """Base class of handlers that send a tournament's news in order."""

    def queue(self, row: Delivery) -> tuple[str, int]:
        return "tournament", number_of(row)


class TournamentNewsHandler(_InOrder):
    """Sends a tournament's news in its channel."""

    name = news.NEWS

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        (row,) = rows
        tournament = await self._tournaments.get(number_of(row))
        post = None
        if tournament is not None and not _is_needless(tournament, row):
            reader = await self._posts.reader(tournament)
            what, number = news.News(row.data["what"]), int(row.data["round"])
            post = await self._posts.current_post(reader, tournament, what, number, row)
        if post is None or tournament is None:
            await self.drop(row)
            return None
        heard = await self.context.with_notification_modes(post)
        after = partial(self._afterwards, row, tournament)
        data = None
        if what is news.News.ROUND:
            data = {**row.data, **(await self._posts.limit(tournament)).data}
        return replace(self.outgoing_message(rows, heard), after_send=after, data=data)

    async def on_refused(self, row: Delivery) -> None:
        """Drop it, because the channel was deleted."""
        if await self.channels.is_gone(row.channel):
            await self.drop(row)

    def _afterwards(self, row: Delivery, tournament: Tournament, _message: MessageId) -> None:
        """Update the announcement, which shows the state, and the check-in, which may be over."""
        what = news.News(row.data["what"])
        ends_check_in = what is news.News.CANCELLED or (
            what is news.News.ROUND and row.data["round"] == 1
        )
        whats = (news.News.CREATED, news.News.CHECK_IN) if ends_check_in else (news.News.CREATED,)
        if what is not news.News.CREATED:
            self.context.work.start(self._posts.refresh(tournament, *whats))


class PairingHandler(_InOrder):
    """Sends the message that starts a game's thread.

    It recognizes one by the two players it names.
    """

    name = news.PAIRING

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Prepare the announcement, unless the pairing is decided or the tournament is over."""
        (row,) = rows
        tournament = await self._tournaments.get(number_of(row))
        pairing = None if tournament is None else pairing_of(tournament, row)
        if tournament is None or pairing is None or not tournament.waits(pairing):
            await self.drop(row)
            return None
        if tournament.is_left(pairing):
            return None  # it will be decided soon, or they will come back
        reader = await self._posts.reader(tournament)
        post = announcements.tournament_pairing(reader, tournament, pairing)
        return OutgoingMessage([row], partial(self._send, row, post), partial(self._opened, row))

    async def find(self, row: Delivery) -> MessageId | None:
        """Return the message that an earlier attempt sent, whose game may not have started.

        It names the tournament and the two players, has no thread, and has not announced another
        game of theirs.
        """
        tournament = await self._tournaments.get(number_of(row))
        pairing = None if tournament is None else pairing_of(tournament, row)
        if tournament is None or pairing is None:
            return None
        if pairing.message is not None:  # its sender could not mark it as sent
            return pairing.message
        others = await self._others(row, tournament, pairing)
        named = tournament_title(tournament)
        async for message in messages_since(await self.channels.destination(row), row.tried_at):
            if (
                self.channels.is_own(message)
                and named in message.content
                and message.raw_mentions == list(pairing.players)
                and not (message.components or message.attachments)
                and message.id not in others
            ):
                found = MessageId(message.id)
                self._opened(row, found)
                return found
        return None

    async def _others(
        self, row: Delivery, tournament: Tournament, pairing: Pairing
    ) -> set[MessageId]:
        """Return the announcements of these two players' other games, started or not."""
        again = [
            other for other in tournament.pairings if set(other.players) == set(pairing.players)
        ]
        keys = {news.pairing_key(tournament, other) for other in again} - {row.key}
        sent = await self.context.cases.store.deliveries.sent(news.PAIRING, list(keys))
        return {*sent.values(), *(other.message for other in again if other.message is not None)}

    async def on_refused(self, row: Delivery) -> None:
        """Drop it, because the channel was deleted.

        The director notices that at the end of the round.
        """
        if await self.channels.is_gone(row.channel):
            await self.drop(row)

    def _opened(self, row: Delivery, message: MessageId) -> None:
        self.context.work.start(self.open(row, message))

    async def open(self, row: Delivery, message: MessageId) -> None:
        """Start the game in its thread. If that fails, the director does it."""
        try:
            update = await self.context.cases.require(Director).opened(
                number_of(row), int(row.data["round"]), int(row.data["board"]), message
            )
            if update is not None:
                await self.context.publish(update)
        except StoreError:  # the store has reported it to the host
            pass
        except Exception:
            _log.exception("tournament game start failed", delivery=row.id)


def pairing_of(tournament: Tournament, row: Delivery | None) -> Pairing | None:
    return None if row is None else tournament.pairing_at((row.data["round"], row.data["board"]))


def number_of(row: Delivery) -> TournamentId:
    return TournamentId(int(row.data["tournament"]))


def mark_of(row: Delivery) -> str:
    return row.key.removeprefix(f"{number_of(row)}-")


def _moment_of(row: Delivery) -> datetime:
    return datetime.fromtimestamp(row.data["at_s"], UTC)


def _mark(what: news.News, row: Delivery | None) -> str:
    return f"{what}-0" if row is None else mark_of(row)


def _is_needless(tournament: Tournament, row: Delivery) -> bool:
    """Return True if the news is outdated."""
    match news.News(row.data["what"]):
        case news.News.CREATED:
            return tournament.state in _OVER
        case news.News.CHECK_IN:
            return tournament.state is not TournamentState.CHECK_IN or not news.called(
                tournament, {}
            )
        case news.News.CALLED:
            whom = news.called(tournament, row.data)
            return tournament.state is not TournamentState.CHECK_IN or not whom
        case news.News.ROUND:
            open_ = [pairing for pairing in tournament.pairings if pairing.result is None]
            return tournament.state in _OVER or (row.data["round"] < tournament.round and not open_)
        case news.News.SEASON | news.News.WEEK:
            is_past = row.data["round"] < tournament.round or is_break(tournament)
            return tournament.state in _OVER or is_past
        case _:
            return False


class WithdrawnHandler(TournamentHandler):
    """Tells a player that an organizer has removed them, in the channel or by DM."""

    name = news.WITHDRAWN

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the message, unless they have joined again."""
        row = rows[0]  # if there are several direct messages, the others come after it
        tournament = await self._tournaments.get(number_of(row))
        if tournament is None or row.player is None or tournament.has(row.player):
            await self.drop(row)
            return None
        reader = (
            await self.context.readers.for_direct_message(row.player)
            if row.route is DeliveryRoute.DM
            else await self._posts.reader(tournament)
        )
        report = announcements.Report(tournament=tournament, mark=mark_of(row))
        post = announcements.tournament_withdrawn(reader, report, row.player, row.route)
        return self.outgoing_message([row], await self.context.with_notification_modes(post))

    async def on_refused(self, row: Delivery) -> None:
        """Use the tournament's channel instead, if the thread of their game was deleted."""
        if not await self.channels.is_gone(row.channel):
            return
        tournament = await self._tournaments.get(number_of(row))
        if tournament is None or row.channel == tournament.terms.channel:
            await self.drop(row)
        else:
            deliveries = self.context.cases.store.deliveries
            await deliveries.readdress(row, tournament.terms.channel, now=self.context.now())


class TournamentStoppedHandler(TournamentHandler):
    """Tells a player that all clocks are stopped, or run again."""

    name = news.STOPPED

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the message for the newest row, which also covers the older rows."""
        row = max(rows, key=lambda one: one.id)
        tournament = await self._tournaments.get(number_of(row))
        if tournament is None or row.player is None or tournament.state in _OVER:
            await self.context.cases.store.deliveries.drop(rows, at=self.context.now())
            return None
        public = row.route is not DeliveryRoute.DM
        reader = (
            await self._posts.reader(tournament)
            if public
            else await self.context.readers.for_direct_message(row.player)
        )
        report = announcements.Report(tournament=tournament, mark=mark_of(row))
        post = announcements.tournament_stopped(
            reader, report, _moment_of(row), is_over=row.data["is_over"]
        )
        if public:
            content = f"<@{row.player}> {post.content}"
            post = await self.context.with_notification_modes(
                replace(post, content=content, pings=(row.player,))
            )
        return self.outgoing_message(rows, post)


class BlockedHandler(TournamentHandler):
    """Tells a player that they are paired with a user they have blocked, only by DM."""

    name = news.BLOCKED

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        row = rows[0]
        tournament = await self._tournaments.get(number_of(row))
        pairing = None if tournament is None else pairing_of(tournament, row)
        is_open = pairing is not None and pairing.result is None
        if (
            tournament is None
            or pairing is None
            or not is_open
            or row.route is not DeliveryRoute.DM
        ):
            await self.drop(row)
            return None
        assert row.player is not None  # it has a recipient # noqa: S101
        reader = await self.context.readers.for_direct_message(row.player)
        report = announcements.Report(tournament=tournament, mark=mark_of(row))
        post = announcements.tournament_blocked(reader, report, pairing, row.player)
        return self.outgoing_message([row], await self.context.with_notification_modes(post))


class HeldUpHandler(TournamentHandler):
    """Tells an organizer that a round can't be opened, or that the channel was deleted.

    This is sent only by DM. The channel gets its own notice.
    """

    name = news.HELD_UP

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        row, number = rows[0], int(rows[0].data["round"])
        tournament = await self._tournaments.get(number_of(row))
        missing = () if tournament is None else self._posts.missing(tournament)
        is_true = tournament is not None and (
            not number or (missing and tournament.state not in _OVER)
        )
        if tournament is None or not is_true or row.route is not DeliveryRoute.DM:
            await self.drop(row)
            return None
        assert row.player is not None  # it has a recipient # noqa: S101
        reader = await self.context.readers.for_direct_message(row.player)
        report = announcements.Report(tournament=tournament, mark=mark_of(row))
        return self.outgoing_message(
            [row], announcements.tournament_held_up(reader, report, number, missing)
        )
