"""Challenges: from the offer to the game that comes of it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from random import Random
from typing import NoReturn

from bot.games.archive import Archive
from bot.games.desertion import PATIENCE
from bot.games.events import PICKS
from bot.games.ledger import Ledger
from bot.games.update import LEASE, Update
from bot.model.conduct import (
    CHALLENGE_LIFE,
    Venue,
    accepting,
    challenging,
    check_challenges,
    check_games,
    check_pace,
    check_place,
    has_expired,
)
from bot.model.ids import BEFORE_START, ChallengeId, ChannelId, MessageId, Shards, SourceId, UserId
from bot.model.refusals import (
    AlreadyDone,
    BadOpponent,
    ChallengeAnswered,
    ChannelBusy,
    GameGone,
    NotForYou,
    OpponentProblem,
)
from bot.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColourChoice,
    NewGame,
    Place,
    Standing,
    Start,
)
from bot.store import Conflict, Store

_SEED_BITS = 32


class Lobby:
    """What people can do before a game. Times and chance come in as arguments."""

    def __init__(
        self,
        store: Store,
        archive: Archive,
        ledger: Ledger,
        *,
        now: Callable[[], datetime],
        rng: Random,
    ) -> None:
        self._store = store
        self._archive = archive
        self._ledger = ledger
        self._now = now
        self._rng = rng

    async def challenge(
        self,
        terms: ChallengeTerms,
        *,
        opponent_is_bot: bool,
        venue: Venue,
        source: SourceId,
    ) -> ChallengeRow:
        """Challenge somebody, or anyone.

        Raises:
            AlreadyDone: if this source has made a challenge before.
            BadOpponent: if nobody can play this opponent.
            ChannelBusy: if a game is running here, and Discord has no threads here.
            WrongChannel, NoThreadsHere, MissingPermissions: if no game may or can be played here.
            TooManyGames, TooManyChallenges, TooSoon: if the challenger has to wait.
            NotNow: if the opponent was pinged too often, or does not want to be.
            YouBlocked: if the challenger has blocked the opponent.
        """
        if terms.opponent == terms.challenger:
            raise BadOpponent(OpponentProblem.YOURSELF)
        if opponent_is_bot:
            raise BadOpponent(OpponentProblem.BOT)
        if venue.is_direct and terms.level is None:
            raise BadOpponent(OpponentProblem.NOBODY_HERE)
        if not venue.thread_possible:
            await self._free_channel(terms.channel, venue)
        try:
            return await self.offer(terms, venue, source)
        except Conflict as conflict:
            raise AlreadyDone from conflict

    async def posted(self, challenge: ChallengeId, message: MessageId) -> None:
        """Remember the message by which a challenge was posted."""
        await self._store.challenges.set_message(challenge, message)

    async def accept(
        self,
        challenge: ChallengeId,
        user: UserId,
        *,
        message: MessageId,
        venue: Venue,
        source: SourceId,
    ) -> tuple[ChallengeRow, Update]:
        """Accept a challenge, and so start a game.

        Args:
            challenge: Its number.
            user: Who accepts.
            message: The message of the challenge. If the game gets a thread, this starts it.
            venue: Where that message is.
            source: The interaction.

        Raises:
            GameGone: if there is no such challenge here.
            ChallengeAnswered: if it is open no more.
            NotForYou: if it asks somebody else.
            ChannelBusy: if a game is running here, and Discord has no threads here.
            WrongChannel, NoThreadsHere, MissingPermissions: if no game may or can be played here.
            TooManyGames: if one of the two plays as many as the server allows.
            NotNow: if the challenger does not want to play this user.
            YouBlocked: if the user has blocked the challenger.
        """
        while True:
            row = await self._open_challenge(challenge)
            if row.terms.channel != venue.channel:
                raise GameGone  # only a forged button is elsewhere than its challenge
            # The machine never presses anything: whoever challenged it may start the game himself.
            if row.terms.level is not None and user == row.terms.challenger:
                user = row.terms.opponent or user
            if user == row.terms.challenger or row.terms.opponent not in (None, user):
                raise NotForYou(row.terms.opponent)
            thread = ChannelId(message) if venue.thread_possible else None
            new = await self._settle(row.terms, user, thread)
            now = self._now()
            try:
                game_row, letters = await self._store.games.start(
                    row,
                    new,
                    actor=user,
                    source=source,
                    at=now,
                    lease_until=now + LEASE,
                    look_at=_first_look(new, now),
                    check=partial(_check_game, venue=venue, terms=row.terms, asker=user),
                    ping=accepting(row.terms, user, now),
                )
            except Conflict:
                # Answered meanwhile, or another game took the channel: look again.
                if not venue.thread_possible:
                    await self._free_channel(new.channel, venue)
            else:
                break
        game, told = await self._archive.since(game_row, BEFORE_START, game_row.revision)
        self._archive.keep(game)
        answered = replace(row, state=ChallengeState.ACCEPTED, game=game_row.id)
        deadline = await self._ledger.deadline(game)
        return answered, Update(game, told, tuple(letters), deadline)

    async def decline(self, challenge: ChallengeId, user: UserId) -> ChallengeRow:
        """Decline a challenge.

        Raises:
            ChallengeAnswered: if it is open no more.
            NotForYou: if it asks somebody else.
        """
        row = await self._open_challenge(challenge)
        if user != row.terms.opponent:
            raise NotForYou(row.terms.opponent)
        return await self._close(row, ChallengeState.DECLINED)

    async def cancel(self, challenge: ChallengeId, user: UserId) -> ChallengeRow:
        """Take a challenge back.

        Raises:
            ChallengeAnswered: if it is open no more.
            NotForYou: if somebody else made it.
        """
        row = await self._open_challenge(challenge)
        if user != row.terms.challenger:
            raise NotForYou(row.terms.challenger)
        return await self._close(row, ChallengeState.CANCELLED)

    async def expire(self, shards: Shards) -> list[ChallengeRow]:
        """Close what nobody has answered in time; each is returned to one caller only.

        Pings that count no more are forgotten besides.
        """
        now = self._now()
        await self._store.pings.forget(now=now)
        return await self._store.challenges.expire(shards, before=now - CHALLENGE_LIFE, at=now)

    async def offer(
        self, terms: ChallengeTerms, venue: Venue, source: SourceId, *, rematches: int = 0
    ) -> ChallengeRow:
        """Write a challenge down, if the rules of conduct let it be.

        Args:
            terms: What is proposed.
            venue: Where.
            source: The interaction.
            rematches: How many rematches of the same game there have been, as is thought.

        Raises:
            Conflict: if this source has made a challenge already, or there are more rematches.
            And what `challenge` raises of places, and of those who have to wait.
        """
        now = self._now()

        def check(standing: Standing) -> None:
            _check_game(standing, venue=venue, terms=terms, asker=terms.challenger)
            check_challenges(standing, terms.guild, now)
            if terms.rematch_of is None:
                check_pace(standing, now)

        return await self._store.challenges.add(
            terms,
            source=source,
            at=now,
            check=check,
            rematches=rematches,
            ping=challenging(terms, now),
        )

    async def _settle(
        self, terms: ChallengeTerms, opponent: UserId, thread: ChannelId | None
    ) -> NewGame:
        busy = await self._store.games.running_in(terms.channel) is not None
        in_thread = thread is not None and (terms.place is Place.THREAD or busy)
        white, black = terms.challenger, opponent
        coin = self._rng.choice((ColourChoice.WHITE, ColourChoice.BLACK))
        colour = coin if terms.colour is ColourChoice.RANDOM else terms.colour
        if terms.start is Start.PIE:
            # Seats for now: whoever picks the board sits as White until the other picks his side.
            colour = ColourChoice.WHITE if terms.challenger_picks else ColourChoice.BLACK
        if colour is ColourChoice.BLACK:
            white, black = black, white
        return NewGame(
            guild=terms.guild,
            channel=thread if thread is not None and in_thread else terms.channel,
            white=white,
            black=black,
            coordinates=terms.coordinates,
            start=terms.start,
            seed=0 if terms.start is Start.PLACEMENT else self._rng.getrandbits(_SEED_BITS),
            clock=terms.clock,
            machine=None if terms.level is None else opponent,
            level=terms.level,
            to_move=white,
            detail=PICKS if terms.start is Start.PIE and white == opponent else None,
            thread_of=terms.channel if in_thread else None,
        )

    async def _free_channel(self, channel: ChannelId, venue: Venue) -> None:
        running = await self._store.games.running_in(channel)
        if running is not None:
            raise venue.no_thread() if venue.has_threads else ChannelBusy(channel, running.id)

    async def _open_challenge(self, challenge: ChallengeId) -> ChallengeRow:
        row = await self._store.challenges.get(challenge)
        if row is None:
            raise GameGone
        if row.state is not ChallengeState.OPEN:
            raise ChallengeAnswered(row)
        if has_expired(row.created_at, self._now()):
            raise ChallengeAnswered(replace(row, state=ChallengeState.EXPIRED))
        return row

    async def _close(self, row: ChallengeRow, state: ChallengeState) -> ChallengeRow:
        try:
            await self._store.challenges.close(row.id, state, at=self._now())
        except Conflict:
            self._answered(await self._store.challenges.get(row.id))
        return replace(row, state=state)

    def _answered(self, row: ChallengeRow | None) -> NoReturn:
        if row is None:
            raise GameGone
        raise ChallengeAnswered(row)


def _first_look(new: NewGame, now: datetime) -> datetime | None:
    """When a new game is to be looked at: at once for its clock, or when it may lie."""
    if new.clock is not None:
        return now
    return None if new.machine is not None else now + PATIENCE


def _check_game(standing: Standing, *, venue: Venue, terms: ChallengeTerms, asker: UserId) -> None:
    check_place(standing.rules, venue, terms.place)
    if terms.level is not None:  # the machine plays as many games as people want
        running = {who: n for who, n in standing.running.items() if who == terms.challenger}
        standing = replace(standing, running=running)
    check_games(standing, asker)
