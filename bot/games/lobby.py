"""Challenges: from the offer to the game that comes of it."""

from collections.abc import Callable
from datetime import datetime
from random import Random
from typing import NoReturn

from bot.errors import (
    BadOpponent,
    ChallengeAnswered,
    ChannelBusy,
    GameGone,
    NotAPlayer,
    NotForYou,
    OpponentProblem,
    RematchOffered,
    TurnOver,
)
from bot.games.archive import Archive
from bot.games.model import LEASE, Game, Update
from bot.ids import ChallengeId, ChannelId, MessageId, SourceId, UserId
from bot.store import BEFORE_START, Conflict, Store
from bot.store.rows import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColourChoice,
    NewGame,
    Place,
)
from dvonn import Color


class Lobby:
    """What people can do before a game. Times and chance come in as arguments."""

    def __init__(
        self, store: Store, archive: Archive, *, now: Callable[[], datetime], rng: Random
    ) -> None:
        self._store = store
        self._archive = archive
        self._now = now
        self._rng = rng

    async def challenge(
        self,
        terms: ChallengeTerms,
        *,
        opponent_is_bot: bool,
        thread_possible: bool,
        source: SourceId,
    ) -> ChallengeRow:
        """Challenge somebody, or anyone.

        Raises:
            BadOpponent: if nobody can play this opponent.
            ChannelBusy: if a game is running here and no thread can be opened.
        """
        if terms.opponent == terms.challenger:
            raise BadOpponent(OpponentProblem.YOURSELF)
        if opponent_is_bot:
            raise BadOpponent(OpponentProblem.BOT)
        if not thread_possible:
            await self._free_channel(terms.channel)
        return await self._store.challenges.add(terms, source=source, at=self._now())

    async def accept(
        self,
        challenge: ChallengeId,
        user: UserId,
        *,
        message: MessageId,
        thread_possible: bool,
        source: SourceId,
    ) -> tuple[ChallengeRow, Update]:
        """Accept a challenge, and so start a game.

        Args:
            challenge: Its number.
            user: Who accepts.
            message: The message of the challenge. If the game gets a thread, this starts it.
            thread_possible: Whether a thread can be opened from that message.
            source: The interaction.

        Raises:
            ChallengeAnswered: if it is open no more.
            NotForYou: if it asks somebody else.
            ChannelBusy: if a game is running here and no thread can be opened.
        """
        while True:
            row = await self._open_challenge(challenge)
            if user == row.terms.challenger or row.terms.opponent not in (None, user):
                raise NotForYou(row.terms.opponent)
            new = await self._settle(
                row.terms, user, ChannelId(message) if thread_possible else None
            )
            now = self._now()
            try:
                game_row, letters = await self._store.games.start(
                    row.id, new, actor=user, source=source, at=now, lease_until=now + LEASE
                )
            except Conflict:
                # Answered meanwhile, or another game took the channel: look again.
                if not thread_possible:
                    await self._free_channel(new.channel)
            else:
                break
        game, told = await self._archive.since(game_row, BEFORE_START, game_row.revision)
        self._archive.keep(game)
        answered = ChallengeRow(
            id=row.id, terms=row.terms, state=ChallengeState.ACCEPTED, game=game_row.id
        )
        return answered, Update(game, told, tuple(letters))

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

    async def rematch(
        self,
        game: Game,
        user: UserId,
        *,
        message: MessageId,
        thread_possible: bool,
        source: SourceId,
    ) -> tuple[ChallengeRow, Update | None]:
        """Ask for another game with colours swapped, or accept the opponent's asking.

        Args:
            game: The game that has ended.
            user: Who asks.
            message: Its last board. If the next game gets a thread, this starts it.
            thread_possible: Whether a thread can be opened from that message.
            source: The interaction.

        Returns:
            The challenge, and the new game if this accepted it.

        Raises:
            NotAPlayer: if the user only watched.
            TurnOver: if the game is still running.
            RematchOffered: if this user has asked already.
            ChallengeAnswered, ChannelBusy: as `accept`.
        """
        seat = game.seat(user)
        if seat is None:
            raise NotAPlayer
        if game.is_running:
            raise TurnOver
        while True:
            offered = await self._store.challenges.open_rematch(game.row.id)
            if offered is not None:
                if offered.terms.challenger == user:
                    raise RematchOffered
                return await self.accept(
                    offered.id,
                    user,
                    message=message,
                    thread_possible=thread_possible,
                    source=source,
                )
            terms = ChallengeTerms(
                guild=game.row.guild,
                channel=game.row.channel,
                challenger=user,
                opponent=game.player(seat.opponent),
                colour=ColourChoice.BLACK if seat is Color.WHITE else ColourChoice.WHITE,
                coordinates=game.row.coordinates,
                place=Place.HERE,
                rematch_of=game.row.id,
            )
            try:
                row = await self._store.challenges.add(terms, source=source, at=self._now())
            except Conflict:
                continue  # both asked at once: look again
            return row, None

    async def _settle(
        self, terms: ChallengeTerms, opponent: UserId, thread: ChannelId | None
    ) -> NewGame:
        busy = await self._store.games.running_in(terms.channel) is not None
        in_thread = thread is not None and (terms.place is Place.THREAD or busy)
        white, black = terms.challenger, opponent
        coin = self._rng.choice((ColourChoice.WHITE, ColourChoice.BLACK))
        if (coin if terms.colour is ColourChoice.RANDOM else terms.colour) is ColourChoice.BLACK:
            white, black = black, white
        return NewGame(
            guild=terms.guild,
            channel=thread if thread is not None and in_thread else terms.channel,
            white=white,
            black=black,
            coordinates=terms.coordinates,
            thread_of=terms.channel if in_thread else None,
        )

    async def _free_channel(self, channel: ChannelId) -> None:
        running = await self._store.games.running_in(channel)
        if running is not None:
            raise ChannelBusy(channel, running.id)

    async def _open_challenge(self, challenge: ChallengeId) -> ChallengeRow:
        row = await self._store.challenges.get(challenge)
        if row is None:
            raise GameGone
        if row.state is not ChallengeState.OPEN:
            raise ChallengeAnswered(row)
        return row

    async def _close(self, row: ChallengeRow, state: ChallengeState) -> ChallengeRow:
        try:
            await self._store.challenges.close(row.id, state, at=self._now())
        except Conflict:
            self._answered(await self._store.challenges.get(row.id))
        return ChallengeRow(id=row.id, terms=row.terms, state=state, game=None)

    def _answered(self, row: ChallengeRow | None) -> NoReturn:
        if row is None:
            raise GameGone
        raise ChallengeAnswered(row)
