"""Random tournaments, checked after each step.

Players win by their strength, draw, stay away, leave and join. The invariants of every step are
asserted. `tests/soak/tournaments.py` plays ten thousand of them.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count, starmap
from random import Random

from bot.base.ids import GameId, TournamentId, UserId
from club.tournaments.model.knockout import is_called_off, match, matches_in, winner_of
from club.tournaments.model.pairing import next_step, records, rounds_of
from club.tournaments.model.results import GameProgress, at_deadline, corrected
from club.tournaments.model.rules import decided
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    BYE,
    Conclude,
    Entrant,
    Pairing,
    PairingResult,
    PairUp,
    Step,
    Tournament,
    TournamentFormat,
    TournamentState,
    Wait,
)
from club.tournaments.refusals import TournamentRefusal
from dvonn import Color
from tests.club.tournaments import toured

BEGAN = datetime(2026, 11, 1, 18, tzinfo=UTC)
ROUND_TIME = timedelta(days=7)
SEARCHED_AT_MOST = 14
"""Maximum number of players for a search of all pairings."""


def a_tournament(
    kind: TournamentFormat,
    players: int,
    *,
    number: int = 1,
    rounds: int | None = None,
    round_time: timedelta | None = ROUND_TIME,
    lasts: timedelta | None = None,
) -> Tournament:
    """A started tournament with players 101, 102 and so on in order of their seeds."""
    return replace(
        toured.tournament(
            0,
            state=TournamentState.RUNNING,
            name="Autumn cup",
            format=kind,
            clock=None,
            rounds=rounds,
            round_time=round_time,
            lasts=lasts,
        ),
        id=TournamentId(number),
        entrants=tuple(
            Entrant(player=UserId(100 + seed), seed=seed) for seed in range(1, players + 1)
        ),
        created_at=BEGAN,
        began_at=BEGAN,
    )


def pair_up(tournament: Tournament, *, now: datetime = BEGAN) -> PairUp:
    """Return the next pairings."""
    step = next_step(tournament, now=now)
    assert isinstance(step, PairUp)
    return step


class Event:
    """A tournament during its play."""

    def __init__(self, tournament: Tournament, random: Random) -> None:
        self.tournament = tournament
        self.now = BEGAN
        self.steps = 0
        self.excused = 0
        """Number of rounds with a fault that no other pairing avoids."""
        self.unproven = 0
        """Number of rounds with a fault in fields too large for a full search."""
        self.unbalanced = 0
        """Number of players who had a color over two times more often than the other."""
        self.ended = False
        self._random = random
        self._games = count(1)

    @property
    def _kind(self) -> TournamentFormat:
        """Return the format in which it is played.

        Withdrawals before round one can turn a Swiss into a round robin.
        """
        return self.tournament.terms.format

    @property
    def apart(self) -> frozenset[frozenset[UserId]]:
        return self.tournament.apart

    @property
    def running(self) -> list[Pairing]:
        return [pairing for pairing in self.tournament.pairings if pairing.result is None]

    def step(self) -> Step:
        """Ask for the next action, check it, and carry it out."""
        assert self.tournament.state is TournamentState.RUNNING
        step = next_step(self.tournament, now=self.now)
        if self._kind is not TournamentFormat.SWISS:  # tournaments with long rounds
            assert step == next_step(self.tournament, now=self.now)
        self.steps += 1
        if isinstance(step, PairUp):
            self._check(step)
            self._open(step)
        elif isinstance(step, Conclude):
            self.ended = True
            self.tournament = replace(self.tournament, state=TournamentState.DONE)
            self._check_the_end()
        return step

    def decide(self, pairing: Pairing, result: PairingResult, margin: int | None = None) -> None:
        self._store_pairing(replace(pairing, result=result, margin=margin, ended_at=self.now))

    def correct(self, pairing: Pairing, result: PairingResult) -> None:
        """Set a result as an organizer, if still possible."""
        place = pairing.round, pairing.board
        with suppress(TournamentRefusal):
            self.tournament = corrected(
                self.tournament, place, result, "So it was", UserId(3)
            ).after

    def play(self, pairing: Pairing) -> None:
        """End a game. The better seed wins more often."""
        edge = pairing.white - (pairing.black or pairing.white)
        expected = 1 / (1 + 10 ** (edge / 20))
        chance = self._random.random()
        if chance < 0.08:
            self.decide(pairing, PairingResult.DRAW)
        elif chance < 0.1:
            self.decide(pairing, PairingResult.NEITHER)
        else:
            won = self._random.random() < expected
            result = PairingResult.WHITE if won else PairingResult.BLACK
            self.decide(pairing, result, self._random.randint(1, 20))

    def let_the_time_run_out(self) -> None:
        """Nobody ends any more games, so each unfinished one is decided at its deadline."""
        step = self.step()
        if not isinstance(step, Wait) or step.until is None:
            return
        assert not self.tournament.late(step.until - timedelta(seconds=1))
        self.now = max(self.now, step.until)
        progress = {
            pairing.game: GameProgress(
                came=frozenset(color for color in Color if self._random.random() < 0.5),
                used={color: timedelta(hours=self._random.randint(0, 2)) for color in Color},
            )
            for pairing in self.running
            if pairing.game is not None
        }
        for late in self.tournament.late(self.now):
            game = None if late.game is None else progress.get(late.game)
            pairing = at_deadline(late, game).apply_to(late)
            there = self._random.random() < 0.5
            # No players: those without a turn are asked, and are present or not.
            answer = PairingResult.BLACK if there else PairingResult.NEITHER
            asked = replace(pairing, result=answer, forfeit=True)
            self._store_pairing(asked if pairing.result is None else pairing)

    def withdraw(self, player: UserId) -> None:
        entrants = (
            replace(e, withdrawn=True) if e.player == player else e
            for e in self.tournament.entrants
        )
        self.tournament = replace(self.tournament, entrants=tuple(entrants))

    def join(self) -> None:
        seed = len(self.tournament.entrants) + 1
        entrant = Entrant(
            player=UserId(100 + seed), seed=seed, joined_round=self.tournament.round + 1
        )
        self.tournament = replace(self.tournament, entrants=(*self.tournament.entrants, entrant))

    def play_to_the_end(
        self, *, leaving: float = 0.0, joining: float = 0.0, correcting: float = 0.0
    ) -> "Event":
        """Play until it is over, with random actions of people in each step."""
        while not self.ended:
            assert self.steps < 20_000, "it does not end"
            step = self.step()
            here = [e.player for e in self.tournament.entrants if not e.withdrawn]
            if here and self._random.random() < leaving:
                self.withdraw(self._random.choice(here))
            if self.takes_latecomers() and self._random.random() < joining:
                self.join()
            if isinstance(step, Wait):
                self._go_on()
            self._correct_by_chance(correcting)
        return self

    def _correct_by_chance(self, chance: float) -> None:
        pairings = () if self.ended else self.tournament.pairings
        if chance and pairings and self._random.random() < chance:
            won = self._random.choice((PairingResult.WHITE, PairingResult.BLACK))
            self.correct(self._random.choice(pairings), won)

    def takes_latecomers(self) -> bool:
        """Return True if people can join while it is running."""
        if self._kind is TournamentFormat.SWISS:
            return self.tournament.round == 1
        return self._kind is TournamentFormat.LADDER

    def _go_on(self) -> None:
        if self._kind is TournamentFormat.LADDER:
            self.now += timedelta(hours=self._random.randint(1, 12))
            members = [e.player for e in self.tournament.entrants if not e.withdrawn]
            if len(members) > 1:
                self.play(self.begun_by_themselves(*self._random.sample(members, 2)))
            return
        running = self.running
        if self._random.random() < 0.1:
            self.let_the_time_run_out()
            return
        for pairing in self._random.sample(running, self._random.randint(1, len(running))):
            self.play(pairing)

    def begun_by_themselves(self, white: UserId, black: UserId) -> Pairing:
        """Return a game of a ladder, which has no pairings."""
        board = len(self.tournament.pairings) + 1
        pairing = Pairing(round=1, board=board, white=white, black=black, paired_at=self.now)
        self.tournament = replace(
            self.tournament, pairings=(*self.tournament.pairings, pairing), round=1
        )
        return pairing

    def _store_pairing(self, pairing: Pairing) -> None:
        self.tournament = decided(self.tournament, [pairing])

    def _open(self, step: PairUp) -> None:
        opened = tuple(
            replace(pairing, game=GameId(next(self._games))) if pairing.result is None else pairing
            for pairing in step.pairings
        )
        self.tournament = replace(
            self.tournament,
            pairings=self.tournament.pairings + opened,
            round=step.round,
            round_began=self.now,
        )

    def _check(self, step: PairUp) -> None:
        """Check the invariants of all pairings."""
        tournament = self.tournament
        assert step.pairings, "a step that does nothing would be taken for ever"
        here = {entrant.player for entrant in tournament.active(step.round)}
        busy = {player for pairing in self.running for player in pairing.players}
        boards = {pairing.board for pairing in tournament.in_round(step.round)}
        players = Counter(player for pairing in step.pairings for player in pairing.players)
        assert max(players.values()) == 1, "nobody is in two pairings"
        assert not busy & set(players), "nobody plays two games at once"
        assert all(pairing.paired_at == self.now for pairing in step.pairings)
        assert all(pairing.round == step.round for pairing in step.pairings)
        new_boards = [pairing.board for pairing in step.pairings]
        assert len(set(new_boards) | boards) == len(new_boards) + len(boards)
        for pairing in step.pairings:
            if pairing.result is None:
                assert set(pairing.players) <= here, "nobody plays who has left"
        if self._kind in {TournamentFormat.ROUND_ROBIN, TournamentFormat.SWISS}:
            assert step.round == tournament.round + 1
            assert not busy
            assert here <= set(players), "everybody is accounted for"
        if self._kind is TournamentFormat.SWISS:
            self._check_the_swiss(step)

    def _check_the_swiss(self, step: PairUp) -> None:
        tournament = self.tournament
        players = [entrant.player for entrant in tournament.active(step.round)]
        alone = [pairing.white for pairing in step.pairings if pairing.black is BYE]
        assert len(alone) == len(players) % 2, "everybody has an opponent, one perhaps a bye"
        games = [
            (pairing.white, pairing.black) for pairing in step.pairings if pairing.black is not None
        ]
        if all(starmap(pair_rule(tournament), games)) and not any(
            had_bye(tournament, player) for player in alone
        ):
            return
        if len(players) > SEARCHED_AT_MOST:
            self.unproven += 1
        else:
            assert not has_faultless_round(tournament, players), "there is a better pairing"
            self.excused += 1

    def _check_the_end(self) -> None:
        tournament = self.tournament
        assert not self.running
        table = standings(tournament)
        assert sorted(s.player for s in table) == sorted(e.player for e in tournament.entrants)
        assert [s.place for s in table] == sorted(s.place for s in table)
        if self._kind in {TournamentFormat.KNOCKOUT, TournamentFormat.SWISS}:
            points_given = sum(_points_given(pairing) for pairing in tournament.pairings)
            assert math.isclose(sum(s.points for s in table), points_given)
        if self._kind is TournamentFormat.SWISS:
            assert tournament.round <= rounds_of(tournament.terms, len(tournament.starters))
            found = records(tournament).values()
            self.unbalanced = sum(abs(_difference(record.colors)) > 2 for record in found)
        if self._kind is TournamentFormat.ROUND_ROBIN:
            self._check_the_round_robin()
        if self._kind is TournamentFormat.KNOCKOUT:
            self._check_the_knockout()

    def _check_the_round_robin(self) -> None:
        pairings = self.tournament.pairings
        met = Counter(frozenset(p.players) for p in pairings)
        assert max(met.values(), default=1) == 1, "nobody plays anybody twice, or sits out twice"
        players = len(self.tournament.starters)
        if self.tournament.round == players - 1 + players % 2:
            assert len(met) == players * (players - 1) // 2 + players % 2 * players
        for entrant in self.tournament.entrants:
            mine = [p for p in pairings if entrant.player in p.players and len(p.players) > 1]
            white = sum(p.white == entrant.player for p in mine)
            if self.tournament.round >= players - 1:
                assert abs(2 * white - len(mine)) <= 1

    def _check_the_knockout(self) -> None:
        for number in range(2, self.tournament.round + 1):
            self._check_who_came_on(number)
        first = [s for s in standings(self.tournament) if s.place == 1]
        results = {pairing.result for pairing in self.tournament.pairings}
        if first and PairingResult.NEITHER not in results:
            assert len(first) == 1 or all(s.withdrawn for s in first), "somebody has won"
        for number in range(1, self.tournament.round + 1):
            games = self.tournament.in_round(number)
            games = tuple(game for game in games if not is_called_off(self.tournament, game))
            met = Counter(frozenset(game.players) for game in games)
            assert max(met.values(), default=0) <= 2, "a match has two games at most"

    def _check_who_came_on(self, number: int) -> None:
        """Check that nobody has played a round that no result brought them to."""
        matches = matches_in(self.tournament, number - 1)
        before = [match(self.tournament, number - 1, which) for which in range(1, matches + 1)]
        won = {winner_of(self.tournament, games) for games in before}
        for which in range(1, matches_in(self.tournament, number) + 1):
            for game in match(self.tournament, number, which):
                assert set(game.players) <= won

    @property
    def rounds(self) -> int:
        return rounds_of(self.tournament.terms, len(self.tournament.starters))


def _points_given(pairing: Pairing) -> float:
    if pairing.result in {PairingResult.NEITHER, PairingResult.ZERO_BYE, None}:
        return 0
    if pairing.black is None:
        return pairing.points_of(pairing.white)
    return 1


def _difference(colors: Sequence[Color]) -> int:
    return 2 * colors.count(Color.WHITE) - len(colors)


def pair_rule(tournament: Tournament) -> Callable[[UserId, UserId], bool]:
    """Return a check that White and Black may meet in a Swiss.

    They have not met, neither has blocked the other, nobody gets a color three times in a row, or
    over two times more than the other color.
    """
    met = {frozenset(pairing.players) for pairing in tournament.pairings} | tournament.apart
    colors = {player: record.colors for player, record in records(tournament).items()}

    def is_fine(player: UserId, color: Color) -> bool:
        after = (*colors[player], color)
        return abs(_difference(after)) <= 2 and after[-3:] != (color,) * 3

    def may_meet(white: UserId, black: UserId) -> bool:
        is_new = frozenset({white, black}) not in met
        return is_new and is_fine(white, Color.WHITE) and is_fine(black, Color.BLACK)

    return may_meet


def had_bye(tournament: Tournament, player: UserId) -> bool:
    """Return True if a player has had a bye, or has won without a game."""
    return any(
        pairing.black is BYE or (pairing.forfeit and pairing.points_of(player) > 0)
        for pairing in tournament.pairings_of(player)
    )


def has_faultless_round(tournament: Tournament, players: Sequence[UserId]) -> bool:
    """Search all pairings for one without a rematch, a block, a second bye or a wrong color."""
    may_meet = pair_rule(tournament)

    @cache
    def is_possible(left: frozenset[UserId]) -> bool:
        if not left:
            return True
        first = min(left)
        if len(left) % 2 and not had_bye(tournament, first) and is_possible(left - {first}):
            return True
        return any(
            (may_meet(first, other) or may_meet(other, first))
            and is_possible(left - {first, other})
            for other in left - {first}
        )

    return is_possible(frozenset(players))


def at_random(seed: int, *, most_players: int = 64, correcting: float = 0.0) -> Event:
    """A tournament of any format and size, with people who leave, join late, block or stay away.

    In each step an organizer may correct a result.
    """
    random = Random(seed)
    kinds = [item for item in TournamentFormat if item is not TournamentFormat.LEAGUE]
    kind = random.choice([TournamentFormat.SWISS, TournamentFormat.SWISS, *kinds])
    players = round(4 * (most_players / 4) ** random.random() ** 3)  # mostly small ones
    rounds = random.choice([None, None, random.randint(1, 9)])
    tournament = a_tournament(
        kind,
        players,
        number=seed + 1,
        rounds=rounds if kind is TournamentFormat.SWISS else None,
        lasts=timedelta(days=28) if kind is TournamentFormat.LADDER else None,
    )
    people = [entrant.player for entrant in tournament.entrants]
    blocks = random.choice([0, 0, 1, players // 2]) if players > 1 else 0
    apart = frozenset(frozenset(random.sample(people, 2)) for _ in range(blocks))
    tournament = replace(tournament, apart=apart)
    busy = random.choice([0.0, 0.0, 0.05, 0.2])
    event = Event(tournament, random)
    return event.play_to_the_end(leaving=busy, joining=busy, correcting=correcting)
