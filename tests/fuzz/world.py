"""People who act at random, in a database of their own, for `doings.py`."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from bot.base.ids import ChannelId, GuildId, MessageId, Shards, SourceId, UserId
from bot.base.zones import Interval
from bot.composition import use_cases
from bot.database.connection import AsyncEngine
from bot.features.plans.use_cases import Planning
from bot.features.teams.use_cases import Votes
from bot.people.use_cases.choices import PersonalSettings
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game, Offer
from bot.play.model.terms import ChallengeTerms, ColorChoice, Place, Start
from bot.play.model.typed_clocks import PRESETS, read_time_control, typed_form
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from bot.replay.model.replays import ReplayCursor, sequence_of
from club.guesses.use_cases import Guessing
from club.profiles.store.recounting import recount
from dvonn import Color, Coordinates, Move, Phase, Position, format_move
from dvonn.machine import LEVELS
from tests.bot.conftest import Clock
from tests.bot.table import BoardsArrive, venue
from tests.fuzz.agreement import Agreement

_PEOPLE = tuple(UserId(100_000_000_000_000_000 + number) for number in range(5))
_MACHINE = UserId(900)
_PLACES = {ChannelId(500 + number): GuildId((1 + number // 3) << 22) for number in range(4)}
_ALL = Shards((0,), 1)
_FAILING = (10_096, 18_785, 23_158)
"""Seeds whose first search finds no balanced board."""
_CLOCKS = (*PRESETS, "none", "none", "2 min + 1s", "2h + 1 min / 3h", "3d + 1d / 5d")
_ZONES = (None, None, "Europe/Berlin", "Asia/Tehran", "America/Sao_Paulo")
_PAUSES_S = (0, 0, 0.001, 0.037, 5, 5, 20, 59.999, 60, 600, 7_200, 3 * 86_400)
_SPAN_MS = 7_200_000
_SEED_BITS = 32
_STYLES: tuple[Callable[[Position, Move], int], ...] = (
    lambda _position, _move: 0,
    lambda position, move: position.height(move.target),
    lambda position, move: len(position.play(move).removed),
    lambda position, move: -len(position.play(move).legal_moves()),
)
"""Preferences for moves in a world: any move, high stacks, great cuts, or few remaining moves."""
_OFFERED = {Offer.TAKEBACK: 16, Offer.DRAW: 1, Offer.FINISH: 1, Offer.HINTS: 2, Offer.PAUSE: 2}
"""Offers of people to each other, with their frequencies."""
_IN_A_ROW = 3
DOING = "doing"
"""Prefix of the names of action tasks."""
_MOSTLY, _HALF, _OFTEN, _SELDOM = 0.7, 0.5, 0.3, 0.2


_Doing = Callable[[Game], Coroutine[Any, Any, GameUpdate | None]]


@dataclass
class Result:
    """The result of a run.

    Attributes:
        faults: Disagreements, with the seed of their world.
        done: Number of attempts by action.
        refused: Number of refusals by type.
        changes: Number of checked changes of games.
        ended: Number of ends among them.
        longest: Cost of the longest event-loop step, if it was recorded.
    """

    faults: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    changes: int = 0
    ended: int = 0
    longest: float = 0.0


class _Chance(Random):
    """Chance that draws the rare seeds of boards often."""

    def getrandbits(self, k: int, /) -> int:
        if k == _SEED_BITS and self.random() < _OFTEN:
            return _FAILING[int(self.random() * 3)] - int(self.random() * 3)
        return super().getrandbits(k)


class World:
    """One database, and people who act in it."""

    def __init__(self, engine: AsyncEngine, seed: int, result: Result) -> None:
        """An empty database with today's schema. The same seed gives the same actions."""
        self._rng, self._result = Random(seed), result
        self._store, self._clock = Store(engine), Clock()
        self._store.pauses = self._store.queries(BoardsArrive)  # nobody sends deliveries here
        self._engine = engine
        game_cache = GameCache(self._store, size=self._rng.choice((1, 2, 1_000)))
        self._does = use_cases(
            self._store, now=self._clock, rng=_Chance(seed), game_cache=game_cache, levels=LEVELS
        )
        self._agreement = Agreement(self._store, game_cache, self._does, self._clock, self._rng)
        self._ended: list[Game] = []
        self._sources = 0
        self._style = seed % len(_STYLES)

    async def begin(self) -> None:
        """Some people let forced moves be played automatically."""
        for person in _PEOPLE:
            if self._rng.random() < _HALF:
                await self._does.require(PersonalSettings).switch(person, automatic=True)

    async def step(self) -> None:
        """Advance the clock, run one action, and check its result."""
        rng = self._rng
        self._clock.advance(seconds=rng.choice(_PAUSES_S), microseconds=rng.randrange(1_000))
        channel = rng.choice([*_PLACES])
        row = await self._store.games.running_in(channel)
        doing: Coroutine[Any, Any, GameUpdate | None]
        if row is None:
            name, doing = "begin", self._begin(channel)
        else:
            game = await self._does.game_cache.existing(row.id)
            ways = self._possible_actions(game)
            (way,) = rng.choices([*ways], [*ways.values()])
            name, doing = way.__name__, way(game)
        self._result.done[name.strip("_")] += 1
        # It is separate from the checks, because its event-loop steps are measured.
        update = await asyncio.create_task(doing, name=f"{DOING} {name}")
        if update is not None:
            await self.look_at(update)

    async def look_at(self, update: GameUpdate) -> None:
        """Check that everything agrees after a change."""
        await self._agreement.check(update)
        self._result.changes += 1
        if not update.game.is_running:
            self._result.ended += 1
            self._ended = [*self._ended[-5:], update.game]

    async def end(self) -> None:
        """Check that all stored counts match a recount from the games."""
        found = await recount(self._engine, repair=False)
        assert found.is_right, found

    def _possible_actions(self, game: Game) -> dict[_Doing, int]:
        """Return the possible actions in a game, with their relative weights."""
        rest: dict[_Doing, int] = {
            self._look: 2,
            self._vacation: 1,
            self._outage: 1,
            self._leave: 1,
        }
        if game.row.vote is not None:
            return {**rest, self._vote: 9, self._look: 8}
        moves: dict[_Doing, int] = {self._move: 30, self._move_of_another: 1, self._call: 4}
        talk: dict[_Doing, int] = {self._ask: 6, self._answer: 4}
        return {**moves, **talk, self._plan: 5, self._plan_as_tried: 1, **rest}

    # Actions of people

    async def _begin(self, channel: ChannelId) -> GameUpdate | None:
        rng, does = self._rng, self._does
        if self._ended and rng.random() < _HALF:
            return await self._begin_again(rng.choice(self._ended))
        one, other = rng.sample(_PEOPLE, 2)
        clock = read_time_control(rng.choice(_CLOCKS), None)
        if clock is not None and not clock.is_live:
            clock = read_time_control(typed_form(clock), rng.choice(_ZONES))
        start, level, vote = rng.choice((Start.PLACEMENT, Start.BALANCED)), None, None
        if rng.random() < _OFTEN:
            level, other = rng.randint(1, 6), _MACHINE
        if level is not None and rng.random() < _SELDOM:
            clock, start, vote = None, Start.BALANCED, timedelta(minutes=5)
        terms = ChallengeTerms(
            guild=_PLACES[channel],
            channel=channel,
            challenger=one,
            opponent=other,
            colour=rng.choice(list(ColorChoice)),
            coordinates=rng.choice(list(Coordinates)),
            start=start,
            clock=clock,
            level=level,
            place=Place.HERE,
            rated=None if vote else rng.choice((None, True, False)),
            vote=vote,
        )
        place = venue(channel, has_threads=False)
        row = await does.lobby.challenge(
            terms, opponent_is_bot=level is not None, venue=place, source=self._source()
        )
        by = other if level is None else one
        _, update = await does.lobby.accept(
            row.id, by, message=self._message(), venue=place, source=self._source()
        )
        return update

    async def _begin_again(self, old: Game) -> GameUpdate | None:
        rng, does, row = self._rng, self._does, old.row
        players = rng.sample((row.white, row.black), 2)
        if rng.random() < _HALF:
            return await does.stand_in.continue_game(
                row.id, row.revision, players[0], _MACHINE, source=self._source()
            )
        for player in players:
            _, update = await does.rematches.ask(
                old,
                player,
                message=self._message(),
                venue=venue(row.channel, has_threads=False),
                source=self._source(),
            )
            if update is not None:
                return update
        return None

    async def _move(self, game: Game) -> GameUpdate | None:
        rng, row = self._rng, game.row
        if game.waits_for_machine:
            return await self._machine(game)
        position, moves, text = game.position, list[Move](), ""
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            legal = [move for move in position.legal_moves() if move not in moves]
            is_list = position.turn is not game.position.turn
            if not legal or (is_list and position.phase is not Phase.PLACEMENT):
                break
            moves.append(rng.choice(legal) if is_list else self._chosen(position))
            position = position if is_list else position.play(moves[-1])
        if position.phase is Phase.PLACEMENT:
            text = rng.choice(("", "; else next free", " sonst nächstes"))
        text = self._typed(game, moves) + text
        assert game.to_move is not None
        return await self._does.games.play(row.channel, game.to_move, text, source=self._source())

    async def _machine(self, game: Game) -> GameUpdate | None:
        row, machine = game.row, game.row.machine
        assert machine is not None
        if game.asked != machine or game.offered is None:
            move = self._chosen(game.position)
            return await self._does.games.play_by_machine(row.id, row.revision, move)
        offers = self._does.offers
        answer = offers.decline if game.offered.offer is Offer.DRAW else offers.accept
        return await answer(row.id, row.revision, machine, source=None)

    async def _move_of_another(self, game: Game) -> GameUpdate | None:
        move = self._chosen(game.position)
        return await self._does.games.play(
            game.row.channel,
            self._rng.choice(_PEOPLE),
            self._typed(game, [move]),
            source=self._source(),
        )

    async def _ask(self, game: Game) -> GameUpdate | None:
        (what,) = self._rng.choices([*_OFFERED], [*_OFFERED.values()])
        return await self._does.offers.ask(
            game.row.channel, self._player(game), what, source=self._source()
        )

    async def _answer(self, game: Game) -> GameUpdate | None:
        row, who = game.row, self._player(game)
        offers = self._does.offers
        answer = offers.accept if self._rng.random() < _MOSTLY else offers.decline
        return await answer(row.id, row.revision, who, source=self._source())

    async def _plan(self, game: Game) -> GameUpdate | None:
        who = self._player(game)
        own = game.seat(who)
        assert own is not None
        is_on = game.to_move == who
        lines = [self._line(game, own) for _ in range(1 if is_on else self._rng.randint(1, 4))]
        text = "; ".join([*lines, *self._rng.choice(((), ("else ask",)))])
        _, made = await self._does.require(Planning).make(
            who, text, game=game.row.id, source=self._source()
        )
        if isinstance(made, GameUpdate):
            return made
        self._agreement.planned(game, made, own)
        return None

    async def _plan_as_tried(self, game: Game) -> GameUpdate | None:
        position, line = game.position, list[Move]()
        for _ in range(self._rng.randint(1, 6)):
            if position.turn is not None:
                line.append(self._chosen(position))
                position = position.play(line[-1])
        spot = ReplayCursor(game.row.id, sequence_of(game).plies, tuple(line))
        _, made = await self._does.require(Planning).add(
            spot, self._player(game), source=self._source()
        )
        return made if isinstance(made, GameUpdate) else None

    async def _call(self, game: Game) -> GameUpdate | None:
        row, who = game.row, self._rng.choice(_PEOPLE)
        text = self._typed(game, [self._chosen(game.position)])
        await self._does.require(Guessing).guess(row.id, row.revision, who, text)
        return None

    async def _vote(self, game: Game) -> GameUpdate | None:
        if game.waits_for_machine:
            return await self._machine(game)
        row = game.row
        await self._does.require(Votes).cast(
            row.id,
            row.revision,
            self._rng.choice(_PEOPLE),
            [self._chosen(game.position)],
            channel=row.channel,
            source=self._source(),
        )
        return None

    async def _leave(self, game: Game) -> GameUpdate | None:
        row, who, leaving = game.row, self._player(game), self._does.leaving
        leave = self._rng.choice((leaving.abort, leaving.resign))
        if self._rng.random() < _MOSTLY:
            return None
        return await leave(row.id, row.revision, who, source=self._source())

    # Events that happen to people

    async def _look(self, _game: Game) -> GameUpdate | None:
        if self._rng.random() < _OFTEN:
            self._clock.advance(hours=self._rng.choice((1, 12, 40, 400)))
        keeper = self._does.timekeeper
        for game, seen in (await keeper.due(_ALL)).items():
            update = await keeper.check(game, seen, received_until=self._heard_until)
            if update is not None:
                await self.look_at(update)
        return None

    async def _vacation(self, _game: Game) -> GameUpdate | None:
        rng, who, vacations = self._rng, self._rng.choice(_PEOPLE), self._does.vacations
        if rng.random() < _OFTEN:
            await vacations.end(who)
            return None
        day = self._clock().date() + timedelta(days=rng.randint(0, 20))
        first = rng.choice((None, day.isoformat()))
        await vacations.start(who, rng.randint(1, 4), first)
        return None

    async def _outage(self, _game: Game) -> GameUpdate | None:
        ends = self._clock() - timedelta(milliseconds=self._rng.randrange(_SPAN_MS))
        begins = ends - timedelta(milliseconds=self._rng.randrange(1, _SPAN_MS))
        await self._store.outages.add(0, 1, Interval(begins=begins, ends=ends))
        return None

    # Helpers

    def _chosen(self, position: Position) -> Move:
        """A legal move, chosen by this world's preference."""
        legal, wants = position.legal_moves(), _STYLES[self._style]
        if position.phase is Phase.PLACEMENT:
            return self._rng.choice(legal)
        return max(legal, key=lambda move: (wants(position, move), self._rng.random()))

    def _typed(self, game: Game, moves: Iterable[Move]) -> str:
        return " ".join(format_move(move, game.row.coordinates) for move in moves)

    def _line(self, game: Game, own: Color) -> str:
        """A line of a plan, as people may type it."""
        rng, position, parts = self._rng, game.position, list[str]()
        if rng.random() < _SELDOM and position.phase is Phase.PLACEMENT:
            spaces = position.legal_moves()
            return self._typed(game, rng.sample(spaces, min(4, len(spaces))))
        for _ in range(rng.randint(1, 3)):
            theirs, mine = list[Move](), list[Move]()
            for moves, color in ((theirs, own.opponent), (mine, own)):
                while position.turn is color and len(moves) < _IN_A_ROW:
                    moves.append(self._chosen(position))
                    position = position.play(moves[-1])
            when, then = self._typed(game, theirs), self._typed(game, mine)
            form = rng.choice(("if {} then {}", "{}: {}")) if when else "{}{}"
            parts.append(form.format(when, then))
        return ", ".join(filter(None, parts))

    def _player(self, game: Game) -> UserId:
        """One of a game's players who is not the machine."""
        row = game.row
        return self._rng.choice([who for who in (row.white, row.black) if who != row.machine])

    async def _heard_until(self) -> datetime:
        """Everything up to now has been received."""
        return self._clock()

    def _source(self) -> SourceId:
        self._sources += 1
        return SourceId(self._sources)

    def _message(self) -> MessageId:
        return MessageId(self._rng.getrandbits(40))
