"""A tournament's messages: in its channel, for its games, and to individual users."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import discord
import structlog

from bot.base.errors import StoreError
from bot.base.ids import MessageId, TournamentId, UserId
from bot.base.languages import Reader
from bot.connection.channel_requests import messages_since
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import button_ids
from bot.connection.posts import Post
from bot.connection.request_errors import DISCORD_ERRORS
from bot.connection.roles import change_role
from bot.connection.server_events import keep_event
from bot.database.delivery_rows import Delivery, DeliveryRoute
from bot.play.delivery.boards import DeliveryContext, PostHandler
from club.tournaments.model.badges import winner
from club.tournaments.model.leagues import is_break
from club.tournaments.model.rules import WINNERS
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import Pairing, Tournament, TournamentState
from club.tournaments.store.badges import BadgeTable
from club.tournaments.use_cases import news
from club.tournaments.use_cases.director import Director
from club.tournaments.use_cases.news import News
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words import announcements, leagues
from club.tournaments.words.announcements import Report
from club.tournaments.words.standings import tournament_picture
from club.tournaments.words.terms import tournament_event, tournament_mark

_log = structlog.get_logger()
_OVER = (TournamentState.DONE, TournamentState.CANCELLED)


class TournamentPosts:
    """Creates posts about tournaments, with the names of their players."""

    def __init__(self, context: DeliveryContext) -> None:
        self._channels, self._names = context.channels, context.names
        self._readers, self._deliveries = context.readers, context.cases.store.deliveries
        self._tournaments = context.cases.require(Tournaments)
        self._guilds = context.cases.store.guilds
        self._badges = context.cases.store.queries(BadgeTable)
        self._now = context.now

    async def reader(self, tournament: Tournament, player: UserId | None = None) -> Reader:
        """Return the reader for a tournament's channel, or for a player's direct messages."""
        terms = tournament.terms
        if player is not None:
            return await self._readers.for_direct_message(player)
        return await self._readers.for_channel(terms.guild, terms.channel)

    def missing(self, tournament: Tournament) -> tuple[str, ...]:
        """Return the permissions that the bot lacks to open games."""
        return self._channels.missing_threads(tournament.terms.channel)

    async def names(self, tournament: Tournament) -> dict[UserId, str]:
        """Return the players' names. Unknown names are requested from Discord."""
        guild = tournament.terms.guild
        players = [entrant.player for entrant in tournament.entrants]
        unknown = [player for player in players if not self._names.name(guild, player)]
        self._names.record(*await self._channels.members(guild, unknown))
        return {player: self._names.name(guild, player) for player in players}

    async def current_post(  # noqa: C901, PLR0911, PLR0912 - one line for each
        self, reader: Reader, tournament: Tournament, kind: News, row: Delivery | None = None
    ) -> Post | None:
        """Return one of a tournament's messages in its current form, or None if it is outdated.

        `row` is its delivery, which is needed except for the announcement and the check-in.
        """
        report = Report(tournament=tournament, mark=f"{kind}-0" if row is None else mark_of(row))
        if row is not None and _is_needless(tournament, row):
            return None
        if kind is News.CREATED:
            return announcements.tournament_announced(reader, report)
        if kind is News.CHECK_IN:
            return announcements.tournament_check_in(reader, report)
        if row is None:
            return None
        number, data = int(row.data["round"]), row.data
        match kind:
            case News.ROUND:
                ends = tournament.newest_round_ends
                return announcements.tournament_round(reader, report, number, ends)
            case News.RESULTS:
                report = await self._with_standings(reader, report, tournament.after_round(number))
                return announcements.tournament_results(reader, report, number)
            case News.ENDED:
                report = await self._with_standings(reader, report, tournament)
                await self._take_role(tournament, data.get("former"))
                report = replace(report, award=await self._award(tournament))
                return announcements.tournament_ended(reader, report, corrected=number > 0)
            case News.STOPPED:
                at = datetime.fromtimestamp(data["at_s"], UTC)
                return announcements.tournament_stopped(reader, report, at, is_over=data["is_over"])
            case News.ADDED | News.REMOVED | News.HELPER:
                return announcements.told_player(reader, report, kind, UserId(data["player"]))
            case News.HELD_UP:
                missing = self.missing(tournament)
                if not missing:
                    return None
                return announcements.tournament_held_up(reader, report, missing)
            case News.GONE:
                return announcements.channel_gone(reader, report)
            case News.SEASON | News.WEEK | News.SEASON_OVER:
                divisions = await self._tournaments.divisions(tournament, number)
                if kind is News.SEASON:
                    return leagues.season_begins(reader, report, divisions)
                if kind is News.SEASON_OVER:
                    report = replace(report, award=await self._award(*divisions[:1]))
                    return leagues.season_over(reader, report, divisions, number)
                return leagues.season_week(reader, report, divisions, data["week"])
            case News.CANCELLED:
                return announcements.tournament_cancelled(reader, report)
            case News.CORRECTED | News.BLOCKED:
                pairing = pairing_of(tournament, row)
                if pairing is None:
                    return None
                if kind is News.BLOCKED:
                    return announcements.tournament_blocked(reader, report, pairing, row.player)
                off = data["called_off"]
                return announcements.tournament_corrected(reader, report, pairing, off)

    async def _with_standings(self, reader: Reader, report: Report, at: Tournament) -> Report:
        """Return a report with the standings of the tournament's current or an earlier state."""
        table = standings(at)
        picture = tournament_picture(reader, at, table, await self.names(at))
        return replace(report, standings=table, picture=picture)

    async def _award(self, *tournaments: Tournament) -> announcements.Award | None:
        """Give the winner the server's role for winners, if it has one."""
        for tournament in tournaments:
            guild, player = tournament.terms.guild, winner(tournament)
            role = (await self._guilds.rules(guild)).choice(WINNERS)
            if player is not None and role is not None:
                place = self._channels.guild(guild)
                is_given = await change_role(place, role, player, gives=True)
                return announcements.Award(player, role, is_given)
        return None

    async def _take_role(self, tournament: Tournament, former: int | None) -> None:
        """Take the role away from a former winner, unless another tournament earned it."""
        guild = tournament.terms.guild
        role = (await self._guilds.rules(guild)).choice(WINNERS)
        if former is None or role is None:
            return
        player = UserId(former)
        if not await self._badges.badges_of(player, guild, limit=1):
            await change_role(self._channels.guild(guild), role, player, gives=False)

    async def refresh(self, tournament: Tournament, *, but: News | None = None) -> None:
        """Update the scheduled event, the announcement and the check-in, except one of these.

        This is tried only once.
        """
        with suppress(StoreError):
            reader = await self.reader(tournament)
            guild, event = self._channels.guild(tournament.terms.guild), tournament.event
            details = tournament_event(reader, tournament)
            if (new_event := await keep_event(guild, details, event, now=self._now())) is not None:
                await self._tournaments.scheduled(tournament.id, new_event)
            has_check_in = tournament.state is not TournamentState.OPEN and tournament.round <= 1
            kinds = {News.CREATED, News.CHECK_IN} if has_check_in else {News.CREATED}
            keys = {f"{tournament.id}-{kind}-0": kind for kind in kinds if kind is not but}
            for key, message in (await self._deliveries.sent(news.NEWS, list(keys))).items():
                post = await self.current_post(reader, tournament, keys[key])
                assert post is not None  # these messages are never outdated  # noqa: S101
                await self._edit(tournament, message, post)

    async def _edit(self, tournament: Tournament, message: MessageId, post: Post) -> None:
        try:
            await self._channels.replace_text(tournament.terms.channel, message, post)
        except DISCORD_ERRORS as error:
            about = {"tournament": tournament.id, "error": str(error)}
            _log.info("tournament message update failed", **about)


class _InOrder(PostHandler):
    """Base class for handlers that send a channel's messages about tournaments in order.

    The games of all divisions of a league start in one channel.
    """

    def __init__(self, context: DeliveryContext) -> None:
        super().__init__(context)
        self._posts = TournamentPosts(context)
        self._tournaments = context.cases.require(Tournaments)

    def queue(self, row: Delivery) -> tuple[str, int] | None:
        return ("tournament", row.channel) if row.player is None else None

    async def on_refused(self, row: Delivery) -> None:
        """Drop it if the channel was deleted. The director handles the deletion."""
        if await self.channels.is_gone(row.channel):
            await self.drop(row)


class TournamentNewsHandler(_InOrder):
    """Sends a tournament's news in its channel, or only to a player by direct message.

    A sent message is recognized by the tournament and the mark in its button's custom id.
    """

    name = news.NEWS

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return tournament_mark(number_of(row), mark_of(row)) in button_ids(message)

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        row = rows[0]
        tournament = await self._tournaments.get(number_of(row))
        is_misrouted = row.player is not None and row.route is not DeliveryRoute.DM
        post = None
        if tournament is not None and not is_misrouted:
            reader = await self._posts.reader(tournament, row.player)
            post = await self._posts.current_post(reader, tournament, News(row.data["what"]), row)
        if post is None or tournament is None:
            await self.drop(row)
            return None
        if row.player is not None:
            return self.outgoing_message([row], post)
        post = await self.context.with_notification_modes(post)
        refresh = partial(self._refresh, row, tournament)
        return replace(self.outgoing_message(rows, post), after_send=refresh)

    def _refresh(self, row: Delivery, tournament: Tournament, _message: MessageId) -> None:
        """Update the announcement, which shows the state, and the check-in, which may be over."""
        is_new = News(row.data["what"]) is News.CREATED
        if not is_new or tournament.terms.begins_at is not None:
            self.context.work.start(self._posts.refresh(tournament))


class PairingHandler(_InOrder):
    """Sends the first message of a game's thread.

    A sent message is recognized by its text, which names the tournament, round and board.
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
            return None  # the pairing will be decided soon, or the player will come back
        post = await self._post(tournament, pairing)
        return OutgoingMessage([row], partial(self._send, row, post), partial(self._opened, row))

    async def _post(self, tournament: Tournament, pairing: Pairing) -> Post:
        reader = await self._posts.reader(tournament)
        return announcements.tournament_pairing(reader, tournament, pairing)

    async def find(self, row: Delivery) -> MessageId | None:
        """Return the message that an earlier attempt sent, whose game may not have started."""
        tournament = await self._tournaments.get(number_of(row))
        pairing = None if tournament is None else pairing_of(tournament, row)
        if tournament is None or pairing is None:
            return None
        if pairing.message is not None:  # it was sent but could not be marked as sent
            return pairing.message
        content = (await self._post(tournament, pairing)).content
        async for message in messages_since(await self.channels.destination(row), row.tried_at):
            if self.channels.is_own(message) and message.content == content:
                message_id = MessageId(message.id)
                self._opened(row, message_id)
                return message_id
        return None

    def _opened(self, row: Delivery, message: MessageId) -> None:
        self.context.work.start(self.open(row, message))

    async def open(self, row: Delivery, message: MessageId) -> None:
        """Start the game in its thread. If that fails, the director does it later."""
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


def pairing_of(tournament: Tournament, row: Delivery) -> Pairing | None:
    return tournament.pairing_at((row.data["round"], row.data["board"]))


def number_of(row: Delivery) -> TournamentId:
    return TournamentId(int(row.data["tournament"]))


def mark_of(row: Delivery) -> str:
    return row.key.removeprefix(f"{number_of(row)}-")


def _is_needless(  # noqa: PLR0911 - one line for each
    tournament: Tournament, row: Delivery
) -> bool:
    """Return True if the news is outdated."""
    number, is_over = int(row.data["round"]), tournament.state in _OVER
    match News(row.data["what"]):
        case News.CREATED:
            return is_over
        case News.CHECK_IN:
            is_open = tournament.state is TournamentState.CHECK_IN
            return not (is_open and news.waiting(tournament))
        case News.ROUND:
            return is_over or (number < tournament.round and not tournament.undecided)
        case News.HELD_UP:
            return is_over or number <= tournament.round
        case News.BLOCKED:
            pairing = pairing_of(tournament, row)
            return pairing is None or pairing.result is not None
        case News.ADDED:
            return is_over or not tournament.has(UserId(row.data["player"]))
        case News.REMOVED:
            return is_over or tournament.has(UserId(row.data["player"]))
        case News.HELPER:
            return is_over or tournament.terms.helper != UserId(row.data["player"])
        case News.SEASON | News.WEEK:
            return is_over or number < tournament.round or is_break(tournament)
        case _:
            return False
