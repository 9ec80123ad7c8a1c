"""Challenges, from the offer to the start of the game."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from random import Random

from bot.base import ids
from bot.base.errors import PlayError
from bot.database.database import Conflict
from bot.play.game_changes import GameHook, GameUpdate
from bot.play.model import conduct, refused_starts
from bot.play.model.events import Started
from bot.play.model.game import GameRow
from bot.play.model.refusals import GameNotRunning
from bot.play.model.terms import (
    FIRST_LEVEL,
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColorChoice,
    Defaults,
    Place,
    StartLimits,
)
from bot.play.store.changes import NO_GAME_ID, Acceptance, NewGame
from bot.play.store.store import Store
from bot.play.teams import Teams
from bot.play.use_cases.ledger import Ledger, retry_on_conflict
from dvonn.machine import NO_LEVELS, VERSION


class Lobby:
    """Challenges and their acceptance: everything before a game starts."""

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        teams: Teams,
        *,
        now: Callable[[], datetime],
        rng: Random,
        hooks: Sequence[GameHook] = (),
        levels: range = NO_LEVELS,
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._teams = teams
        self._now = now
        self._rng = rng
        self._hooks = hooks
        self._levels = levels

    async def defaults_for(self, guild: ids.GuildId, venue: conduct.Venue) -> Defaults:
        """Return a place's defaults for new games.

        A game gets a thread if another one is running there.
        """
        defaults = (await self._store.guilds.rules(guild)).defaults
        style = await self._store.styles.of_place(guild, venue.channel, venue.home)
        if style.coordinates is not None:
            defaults = replace(defaults, coordinates=style.coordinates)
        if not venue.thread_possible:
            return replace(defaults, place=Place.HERE)
        if await self._store.games.running_in(venue.channel) is not None:
            return replace(defaults, place=Place.THREAD)
        return defaults

    async def obstacle(self, guild: ids.GuildId, venue: conduct.Venue) -> PlayError | None:
        """Return why no game can be started in a place, or None if one can."""
        try:
            conduct.check_place(await self._store.guilds.rules(guild), venue, Place.HERE)
        except PlayError as error:
            return error
        return None

    async def usual_level(self, user: ids.UserId) -> int:
        """Return the level of a user's last game against the machine, or else the lowest.

        It is at most the level that the machine can play here.
        """
        level = await self._store.games.last_level(user) or FIRST_LEVEL
        return min(level, self._levels[-1]) if self._levels else level

    async def challenge(
        self,
        terms: ChallengeTerms,
        *,
        opponent_is_bot: bool,
        venue: conduct.Venue,
        source: ids.SourceId,
    ) -> ChallengeRow:
        """Challenge a user, or anyone.

        Raises:
            AlreadyHandled: if this source has already made a challenge.
            BadOpponent: if this opponent can't be played.
            LevelMissing: if the machine can't play this level here.
            ChannelBusy: if a game is running here, and no thread can be opened.
            WrongChannel, NoThreadsHere, MissingPermissions, OnlyPrivately: if no game is allowed or
                possible here.
            TooManyGames, TooManyChallenges, TooSoon: if the challenger has to wait.
            NotNow: if the opponent was pinged too often or has blocked the challenger.
            YouBlocked: if the challenger has blocked the opponent.
            PlayError: if a team can't play on these terms, or can't play here.
        """
        if terms.vote is not None:
            await self._teams.check_terms(terms, venue)
        if terms.opponent == terms.challenger:
            raise refused_starts.BadOpponent(refused_starts.OpponentProblem.YOURSELF)
        if opponent_is_bot:
            raise refused_starts.BadOpponent(refused_starts.OpponentProblem.BOT)
        if venue.is_direct and terms.level is None:
            raise refused_starts.BadOpponent(refused_starts.OpponentProblem.NOBODY_HERE)
        if not venue.thread_possible:
            await self._check_free(terms.channel, venue)
        rated = await self._is_rated(terms, venue)
        if not (rated and terms.rated is None and terms.opponent is None):
            terms = replace(terms, rated=rated)
        offer = partial(self.offer, terms, venue, source)
        return await retry_on_conflict(self._store, offer, source=source)

    async def accept(
        self,
        challenge: ids.ChallengeId,
        user: ids.UserId,
        *,
        message: ids.MessageId,
        venue: conduct.Venue,
        source: ids.SourceId,
    ) -> tuple[ChallengeRow, GameUpdate]:
        """Accept a challenge, which starts a game.

        If the game gets a thread, it is opened on the message.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning: if there is no such challenge here.
            ChallengeAnswered: if it is no longer open.
            NotForYou: if someone else was challenged.
            ChannelBusy: if a game is running here, and no thread can be opened.
            WrongChannel, NoThreadsHere, MissingPermissions, OnlyPrivately: if no game is allowed or
                possible here.
            TooManyGames: if one of the two already plays as many games as the server allows.
            NotNow: if the challenger does not want to play this user.
            YouBlocked: if the user has blocked the challenger.
        """
        accept = partial(self._accept, challenge, user, message, venue, source)
        return await retry_on_conflict(self._store, accept, source=source)

    async def accept_by_machine(
        self,
        row: ChallengeRow,
        *,
        venue: conduct.Venue,
        source: ids.SourceId,
        message: ids.MessageId | None = None,
    ) -> GameUpdate:
        """Accept a challenge on behalf of the machine, which starts a game.

        The challenge and its acceptance have the same source. Without a message, the game gets no
        thread.

        Raises:
            ChannelBusy: if a game is running here, and no thread can be opened.
            The same errors as `accept`, except AlreadyHandled.
        """
        accept = partial(self._accept, row.id, row.terms.challenger, message, venue, source)
        _, update = await retry_on_conflict(self._store, accept)
        return update

    async def decline(self, challenge: ids.ChallengeId, user: ids.UserId) -> ChallengeRow:
        """Decline a challenge.

        Raises:
            ChallengeAnswered: if it is no longer open.
            NotForYou: if someone else was challenged.
        """
        return await self._close(
            challenge, ChallengeState.DECLINED, user, lambda terms: terms.opponent
        )

    async def cancel(self, challenge: ids.ChallengeId, user: ids.UserId) -> ChallengeRow:
        """Withdraw a challenge.

        Raises:
            ChallengeAnswered: if it is no longer open.
            NotForYou: if someone else made it.
        """
        return await self._close(
            challenge, ChallengeState.CANCELLED, user, lambda terms: terms.challenger
        )

    async def expire(self, shards: ids.Shards) -> list[ChallengeRow]:
        """Close expired challenges.

        Each is returned to only one caller.

        Old pings, and features' rows that are no longer read, are also deleted.
        """
        now = self._now()
        await self._store.pings.delete_expired(now=now)
        await self._store.server_blocks.delete_expired(now=now)
        for hook in self._hooks:
            await hook.purge(now)
        return await self._store.challenges.expire(
            shards, before=now - conduct.CHALLENGE_LIFE, at=now
        )

    async def offer(
        self,
        terms: ChallengeTerms,
        venue: conduct.Venue,
        source: ids.SourceId,
        *,
        rematches: int = 0,
    ) -> ChallengeRow:
        """Store a challenge, if the rules of conduct allow it.

        `rematches` is the number of rematches of the same game that the caller knows of.

        Raises:
            Conflict: if this source has already made a challenge, or the game has more rematches
                than that.
            LevelMissing: if the machine can't play this level here.
            The same errors as `challenge` if the place is wrong or a limit is reached.
        """
        if terms.level is not None and self._levels and terms.level not in self._levels:
            raise refused_starts.LevelMissing(self._levels[-1])
        now = self._now()

        def check(limits: StartLimits) -> None:
            _check_game(limits, venue=venue, terms=terms, asker=terms.challenger)
            conduct.check_challenges(limits, terms.guild, now)
            if terms.rematch_of is None:
                conduct.check_pace(limits, now)

        return await self._store.challenges.add(
            terms,
            source=source,
            at=now,
            check=check,
            rematches=rematches,
            ping=conduct.challenge_ping(terms, now),
        )

    async def _accept(
        self,
        challenge: ids.ChallengeId,
        user: ids.UserId,
        message: ids.MessageId | None,
        venue: conduct.Venue,
        source: ids.SourceId,
    ) -> tuple[ChallengeRow, GameUpdate]:
        row = await self._open_challenge(challenge)
        terms = row.terms
        if terms.channel != venue.channel:
            raise GameNotRunning  # only a forged button is in a different place than its challenge
        # The machine never presses a button, so the user who challenges it starts the game.
        if terms.level is not None and user == terms.challenger:
            user = terms.opponent or user
        if user == terms.challenger or terms.opponent not in (None, user):
            raise refused_starts.NotForYou(terms.opponent)
        acceptance = Acceptance(
            challenge=row,
            check=partial(_check_game, venue=venue, terms=terms, asker=user),
            ping=conduct.acceptance_ping(terms, user, self._now()),
        )
        thread = ids.ChannelId(message) if message and venue.thread_possible else None
        new = await self._new_game(acceptance, user, thread, venue)
        try:
            update = await self._ledger.begin(new, source=source)
        except Conflict:  # it was already answered, or another game took the channel
            if thread is None:
                await self._check_free(terms.channel, venue)
            raise
        accepted_row = replace(row, state=ChallengeState.ACCEPTED, game=update.game.row.id)
        return accepted_row, update

    async def _new_game(
        self,
        accepts: Acceptance,
        opponent: ids.UserId,
        thread: ids.ChannelId | None,
        venue: conduct.Venue,
    ) -> NewGame:
        """Return the new game of an accepted challenge."""
        terms = accepts.challenge.terms
        busy = await self._store.games.running_in(terms.channel) is not None
        in_thread = thread is not None and (terms.place is Place.THREAD or busy)
        if terms.vote is not None:
            await self._teams.check_free(terms.channel)
        rated = terms.rated
        if rated is None:  # the challenge was open to anyone, so this depends on the opponent
            rated = await self._is_rated(replace(terms, opponent=opponent), venue)
        white, black = terms.challenger, opponent
        if terms.vote is not None:
            white = ids.team_of(terms.channel)
        coin = self._rng.choice((ColorChoice.WHITE, ColorChoice.BLACK))
        colour = coin if terms.colour is ColorChoice.RANDOM else terms.colour
        if colour is ColorChoice.BLACK:
            white, black = black, white
        row = GameRow(
            id=NO_GAME_ID,
            guild=terms.guild,
            channel=thread if thread is not None and in_thread else terms.channel,
            white=white,
            black=black,
            coordinates=terms.coordinates,
            start=terms.start,
            seed=await self._store.games.new_board(terms.start, terms.guild, self._rng),
            clock=terms.clock,
            machine=None if terms.level is None else opponent,
            level=terms.level,
            own_thread=in_thread,
            visiting=venue.visiting,
            vote=terms.vote,
            rated=rated,
            claimable=terms.leaves_flags(rated=rated),
            engine=None if terms.level is None else VERSION,
            revision=ids.BEFORE_START,
        )
        begins = terms.position
        return NewGame(
            row=row,
            actor=opponent,
            data=Started(position=None if begins is None else begins.position),
            thread_parent=terms.channel if in_thread else None,
            accepts=accepts,
        )

    async def _is_rated(self, terms: ChallengeTerms, venue: conduct.Venue) -> bool:
        default = (
            terms.rated is None and (await self._store.guilds.rules(terms.guild)).defaults.rated
        )
        return any([await hook.is_rated(terms, venue, default=default) for hook in self._hooks])

    async def _check_free(self, channel: ids.ChannelId, venue: conduct.Venue) -> None:
        running = await self._store.games.running_in(channel)
        if running is not None:
            raise venue.busy(running.id)

    async def _open_challenge(self, challenge: ids.ChallengeId) -> ChallengeRow:
        row = await self._store.challenges.get(challenge)
        if row is None:
            raise GameNotRunning
        if row.state is not ChallengeState.OPEN:
            raise refused_starts.ChallengeAnswered(row)
        if conduct.has_expired(row.created_at, self._now()):
            raise refused_starts.ChallengeAnswered(replace(row, state=ChallengeState.EXPIRED))
        return row

    async def _close(
        self,
        challenge: ids.ChallengeId,
        state: ChallengeState,
        user: ids.UserId,
        allowed_user: Callable[[ChallengeTerms], ids.UserId | None],
    ) -> ChallengeRow:
        async def close() -> ChallengeRow:
            row = await self._open_challenge(challenge)
            if user != allowed_user(row.terms):
                raise refused_starts.NotForYou(allowed_user(row.terms))
            await self._store.challenges.close(challenge, state, at=self._now())
            return replace(row, state=state)

        return await retry_on_conflict(self._store, close)


def _check_game(
    limits: StartLimits, *, venue: conduct.Venue, terms: ChallengeTerms, asker: ids.UserId
) -> None:
    conduct.check_blocked(limits.blocked, asker)
    conduct.check_place(limits.rules, venue, terms.place)
    if terms.vote is not None:
        return  # a channel plays one game at a time, no matter who challenges
    if terms.level is not None:  # the machine plays any number of games
        running = {user: n for user, n in limits.running.items() if user == terms.challenger}
        limits = replace(limits, running=running)
    conduct.check_games(limits, asker)
