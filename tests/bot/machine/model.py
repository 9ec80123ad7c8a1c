"""The model: a simple description of what the use cases should do.

It knows people, seats, a line of plies, offers, lists and clocks, but neither events nor a store.
Time is counted in whole minutes. A takeback restores what was stored before a ply. Clocks and
deadlines are found by walking through the minutes one by one.
"""

from dataclasses import replace
from datetime import timedelta

from bot.base.ids import UserId
from bot.play.model import refusals, refused_starts
from bot.play.model.game import Offer
from bot.play.model.terms import ChallengeState, ColorChoice, EndReason, Outcome, Start
from bot.play.model.typed import PlacementList
from dvonn import IllegalMoveError, Move, Phase, Position, finish_placement
from dvonn.even_boards import even_start
from tests.bot.machine.game import (
    ANSWERED_WITHIN,
    DAY,
    NEWS,
    Before,
    Challenge,
    Game,
    Paused,
    Ply,
    Refused,
    listed,
    next_free,
)
from tests.bot.machine.world import World


class Model(World):
    """The actions of people, and their consequences. The results of random choices are given."""

    # Before a game

    def challenge(self, new: Challenge) -> None:
        if new.opponent == new.challenger:
            raise Refused(refused_starts.BadOpponent, refused_starts.OpponentProblem.YOURSELF)
        if self.running is not None:
            raise Refused(refused_starts.ChannelBusy)
        mine = [item for item in self.challenges if item.challenger == new.challenger]
        if sum(self._is_open(item) for item in mine) >= 10:
            raise Refused(refused_starts.TooManyChallenges)
        if sum(item.at == self.now for item in mine) >= 5:
            raise Refused(refused_starts.TooSoon)
        if new.opponent is not None:
            if not self.may_ping("challenge", new.challenger, new.opponent):
                raise Refused(refused_starts.NotNow)
            self.ping("challenge", new.challenger, new.opponent)
            self.welcome("challenge", new.opponent, new.challenger)
        self.challenges.append(new)

    def check_accept(self, challenge: Challenge, user: UserId) -> None:
        self._check_open(challenge)
        if user == challenge.challenger or challenge.opponent not in (None, user):
            raise Refused(refused_starts.NotForYou)
        if self.running is not None:
            raise Refused(refused_starts.ChannelBusy)
        is_open = challenge.opponent is None
        if is_open and not self.may_ping("challenge", user, challenge.challenger):
            raise Refused(refused_starts.NotNow)

    def accept(self, challenge: Challenge, user: UserId, *, is_white: bool, seed: int) -> Game:
        """Start the game of a challenge. The seed and a random color are given."""
        self.check_accept(challenge, user)
        self.welcome("challenge", challenge.challenger, user)
        challenge.state = ChallengeState.ACCEPTED
        if challenge.colour is not ColorChoice.RANDOM:
            is_white = challenge.colour is ColorChoice.WHITE
        white, black = (challenge.challenger, user) if is_white else (user, challenge.challenger)
        position = Position.initial()
        if challenge.start is Start.BALANCED:
            for placement in even_start(seed):
                position = position.play(placement)
        bank = None if challenge.control is None else challenge.control.bank
        game = Game(
            white=white,
            black=black,
            control=challenge.control,
            since=self.now,
            left={}
            if bank is None
            else dict.fromkeys((white, black), bank // timedelta(minutes=1)),
            position=position,
        )
        game.boards.append(0)
        self.games.append(game)
        return game

    def decline(self, challenge: Challenge, user: UserId) -> None:
        self._check_open(challenge)
        if user != challenge.opponent:
            raise Refused(refused_starts.NotForYou)
        challenge.state = ChallengeState.DECLINED

    def cancel(self, challenge: Challenge, user: UserId) -> None:
        self._check_open(challenge)
        if user != challenge.challenger:
            raise Refused(refused_starts.NotForYou)
        challenge.state = ChallengeState.CANCELLED

    def expire(self) -> int:
        """Return the number of expired challenges."""
        old = [c for c in self.challenges if c.state is ChallengeState.OPEN and self._is_old(c)]
        for item in old:
            item.state = ChallengeState.EXPIRED
        return len(old)

    def _is_old(self, challenge: Challenge) -> bool:
        return self.now - challenge.at >= ANSWERED_WITHIN

    def _is_open(self, challenge: Challenge) -> bool:
        return challenge.state is ChallengeState.OPEN and not self._is_old(challenge)

    def _check_open(self, challenge: Challenge) -> None:
        if not self._is_open(challenge):
            raise Refused(refused_starts.ChallengeAnswered)

    # Moves and lists

    def play(self, user: UserId, moves: list[Move], *, else_next: bool) -> None:
        """Handle a typed text: one ply, or several plies of one player, or spaces for a list."""
        last = self.games[-1] if self.games else None
        if last is not None and user in last.missed and self.now - last.ended <= NEWS:
            raise Refused(refusals.GameJustEnded)
        game = self._seated_here(user)
        if game.to_move != user:
            raise Refused(refusals.NotYourTurn)
        if game.is_placing:
            placed, plan = self._read_placement(game, moves, else_next=else_next)
            self._ply(game, placed, entered=True)
            if plan is not None:
                game.plans[user] = plan
        else:
            self._check_moves(game, moves, else_next=else_next)
            for number, move in enumerate(moves):
                self._ply(game, move, entered=True, leads=number == 0)
        self._follow_up(game)

    def click(self, game: Game, revision: int, user: UserId, move: Move) -> None:
        """Handle a move picked on a board, which may be older than the last offer."""
        if game.outcome is not None:
            raise Refused(refusals.GameNotRunning)
        if not game.board <= revision <= game.revision:
            raise Refused(refusals.StaleBoard)
        self.play(user, [move], else_next=False)

    def play_by_machine(self, game: Game, revision: int, move: Move) -> bool:
        """Return True if the machine's move is in time."""
        if game.revision != revision or game.to_move is None or game.to_move != game.machine:
            return False
        self._ply(game, move, entered=True)
        self._follow_up(game)
        return True

    def plan(self, user: UserId, moves: list[Move], *, else_next: bool) -> bool:
        """Plan a list. Return True if a piece was placed on its first space at once."""
        game = self._seated_here(user)
        if game.to_move == user:
            self.play(user, moves, else_next=else_next)
            return True
        if not game.is_placing:
            raise Refused(refusals.BadList, refusals.ListProblem.NOT_PLACING)
        plan = listed([move.target for move in moves], (), game.position, else_next=else_next)
        assert plan is not None
        game.plans[user] = plan
        return False

    def give_up(self, user: UserId) -> bool:
        """Clear a list. Return True if there was one."""
        return self._seated_here(user).plans.pop(user, None) is not None

    def _read_placement(
        self, game: Game, moves: list[Move], *, else_next: bool
    ) -> tuple[Move, PlacementList | None]:
        first, *rest = moves
        later = [move.target for move in rest]
        placed = first
        if first.source is not None:
            raise Refused(refusals.IllegalPlay)
        if game.position.height(first.target):
            if not else_next:
                raise Refused(refusals.IllegalPlay)
            placed = Move(target=next_free(first.target, game.position, tuple(later)))
        after = game.position.play(placed)
        return placed, listed(later, (first.target,), after, else_next=else_next)

    def _check_moves(self, game: Game, moves: list[Move], *, else_next: bool) -> None:
        if else_next:
            raise Refused(refusals.BadList, refusals.ListProblem.NOT_PLACING)
        position = game.position
        for move in moves:
            if position.turn is not game.position.turn:
                raise Refused(refusals.UnreadableMove)
            try:
                position = position.play(move)
            except IllegalMoveError:
                raise Refused(refusals.IllegalPlay) from None

    def _ply(self, game: Game, move: Move, *, entered: bool, leads: bool = True) -> None:
        actor = game.to_move
        assert actor is not None
        before = Before(game.position, game.left, game.refused)
        game.revision += 1
        game.board = game.revision
        ply = Ply(
            actor=actor,
            move=move,
            entered=entered,
            leads=leads,
            own=game.position.to_place != "R",
            at=self.now,
            used=self.spend(game),
            revision=game.revision,
            before=before,
        )
        game.line.append(ply)
        game.carried += 1
        game.gone = None
        if game.pause is not None and game.pause.ends is not None and game.pause.ends <= self.now:
            game.pause = None
        elif game.pause is not None and entered:
            game.pause.end(actor, self.now)
        game.position = game.position.play(move)
        game.refused = frozenset(row for row in game.refused if row[1] != actor)
        if game.went_back != actor:
            game.went_back = None
        if game.offered is not None:
            what, by, _ = game.offered
            answered = entered and actor != by
            over = what is Offer.FINISH and game.position.phase is not Phase.PLACEMENT
            if what is Offer.TAKEBACK or answered or over:
                game.offered = None

    def _follow_up(self, game: Game) -> None:
        """Play the automatic moves: from lists, and forced moves of players who want that."""
        while (user := game.to_move) is not None and game.position.turn is not None:
            move = self._listed(game, user)
            if move is not None:
                self._ply(game, move, entered=False)
                continue
            only = game.position.legal_moves()
            if len(only) > 1 or user not in self.automatic:
                break
            self._ply(game, only[0], entered=False, leads=False)
        if game.position.turn is None:
            game.outcome = game.counted()
        if not game.is_placing:
            game.plans = {}
        self._see_to(game)

    def _listed(self, game: Game, user: UserId) -> Move | None:
        plan = game.plans.pop(user, None) if game.is_placing else None
        if plan is None:
            return None
        for number, space in enumerate(plan.spaces):
            later = plan.spaces[number + 1 :]
            taken = bool(game.position.height(space))
            if taken and not plan.else_next:
                continue
            if later:
                game.plans[user] = replace(plan, spaces=later)
            return Move(target=next_free(space, game.position, later) if taken else space)
        return None

    # Offers

    def ask(self, user: UserId, what: Offer, *, seed: int) -> None:
        game = self._seated_here(user)
        if game.offered is not None and what is not Offer.TAKEBACK:
            offered, by, _ = game.offered
            if offered is what and by != user:
                self._agree(game, user, seed)
                return
        plies = game.back_to(user) if what is Offer.TAKEBACK else None
        if what is Offer.TAKEBACK:
            if game.is_live:
                raise Refused(refusals.BadOffer, refusals.OfferProblem.LIVE)
            if plies is None:
                raise Refused(refusals.BadOffer, refusals.OfferProblem.NOTHING)
            if self._is_free(game, user, plies):
                self._go_back(game, plies, by=user, actor=user)
                return
        else:
            self._check_what(game, what)
        if game.offered is not None:
            own = game.offered[1] == user
            raise Refused(
                refusals.BadOffer,
                refusals.OfferProblem.OWN if own else refusals.OfferProblem.PENDING,
            )
        if (what, user) in game.refused:
            raise Refused(refusals.BadOffer, refusals.OfferProblem.REFUSED)
        self._ask_other(game, user)
        game.offered = what, user, plies
        self._change(game, talk=True)
        self._see_to(game, note=True)

    def _check_what(self, game: Game, what: Offer) -> None:
        """Check that an agreement is possible. Takebacks have their own check."""
        if what is Offer.FINISH and not game.is_placing:
            raise Refused(refusals.BadOffer, refusals.OfferProblem.NOT_PLACING)
        if what is Offer.HINTS and game.machine is not None:
            raise Refused(refusals.BadOffer, refusals.OfferProblem.HINTS_FREE)
        if what is Offer.HINTS and game.hints:
            raise Refused(refusals.BadOffer, refusals.OfferProblem.HINTS_AGREED)
        if what is Offer.PAUSE and game.machine is not None:
            raise Refused(refusals.BadOffer, refusals.OfferProblem.PAUSE_MACHINE)
        if what is Offer.PAUSE and game.is_live:
            raise Refused(refusals.BadOffer, refusals.OfferProblem.PAUSE_LIVE)
        if what is Offer.PAUSE and self.is_paused(game):
            raise Refused(refusals.BadOffer, refusals.OfferProblem.PAUSED)

    def _ask_other(self, game: Game, user: UserId) -> None:
        if game.machine is None:
            if not self.may_ping("offer", user, game.other(user)):
                raise Refused(refused_starts.AskedTooOften)
            self.ping("offer", user, game.other(user))

    def answer(self, game: Game, revision: int, user: UserId, *, yes: bool, seed: int) -> None:
        """Accept or decline the offer, or withdraw the player's own offer."""
        self._check_player(game, user)
        if game.offered is None:
            raise Refused(refusals.BadOffer, refusals.OfferProblem.OVER)
        if game.revision != revision:
            raise Refused(refusals.StaleBoard)
        what, by, _ = game.offered
        if not yes:
            game.refused |= {(what, by)}
            game.offered = None
            self._change(game, talk=True)
            self._see_to(game, note=True)
        elif by == user:
            raise Refused(refusals.BadOffer, refusals.OfferProblem.OWN)
        else:
            self._agree(game, user, seed)

    def _is_free(self, game: Game, user: UserId, plies: int) -> bool:
        """Return True if a takeback needs no question: within a minute, once per turn."""
        undone = game.line[plies:]
        return (
            game.went_back != user
            and all(ply.actor == user and ply.entered for ply in undone)
            and undone[-1].revision == game.revision
            and self.now - undone[-1].at <= 1
        )

    def _agree(self, game: Game, user: UserId, seed: int) -> None:
        assert game.offered is not None
        what, by, plies = game.offered
        self.welcome("offer", by, user)
        if what is Offer.DRAW:
            game.end(Outcome(EndReason.AGREEMENT), self.now, game.white, game.black)
            self._tell(game)
        elif what is Offer.FINISH:
            self.spend(game, gains=False)
            for move in finish_placement(game.position, seed):
                game.position = game.position.play(move)
            game.settled, game.offered, game.gone = len(game.line), None, None
            game.carried += 1
            self._change(game)
            self._follow_up(game)
        elif what is Offer.HINTS:
            game.hints, game.offered = True, None
            self._change(game, talk=True)
            self._see_to(game, note=True)
        elif what is Offer.PAUSE:
            self.spend(game, gains=False)
            game.pause, game.offered, game.gone = Paused(self.now), None, None
            self._change(game, talk=True)
            self._see_to(game, note=True)
        else:
            assert plies is not None
            game.offered = None
            self._go_back(game, plies, by=by, actor=user)

    def _go_back(self, game: Game, plies: int, *, by: UserId, actor: UserId) -> None:
        agreed = actor != by
        first, undone = game.line[plies], game.line[plies:]
        if game.left:
            thought = self.used(game) if game.to_move == first.actor else 0
            kept = game.left[first.actor]
            if not agreed:
                thought += sum(ply.used for ply in undone)
                kept = first.before.left[first.actor]
            kept = max(kept - thought, 0)
            game.left = first.before.left | {first.actor: kept}
        game.since, game.gone = self.now, None
        game.position, game.refused = first.before.position, game.refused | first.before.refused
        game.line = game.line[:plies]
        game.plans.pop(by, None)
        if not agreed:
            game.went_back = by
        game.carried += 1
        self._tell(game)

    def is_paused(self, game: Game) -> bool:
        pause = game.pause
        return pause is not None and (pause.ends is None or self.now < pause.ends)

    def end_pause(self, game: Game, user: UserId) -> None:
        self._check_player(game, user)
        pause = game.pause
        if pause is None or not self.is_paused(game) or pause.by == user:
            raise Refused(refusals.BadOffer, refusals.OfferProblem.NOT_PAUSED)
        pause.end(user, self.now)
        self._change(game, talk=True)
        self._see_to(game, note=True)

    def give_time(self, game: Game, user: UserId) -> None:
        self._check_player(game, user)
        if game.control is None:
            raise Refused(refusals.BadGift, refusals.GiftProblem.NO_CLOCK)
        if game.machine is not None:
            raise Refused(refusals.BadGift, refusals.GiftProblem.MACHINE)
        bank, cap = (
            0 if item is None else item // timedelta(minutes=1)
            for item in (game.control.bank, game.control.cap)
        )
        gift, other = DAY if bank >= DAY else bank // 2, game.other(user)
        if game.left[other] + gift > max(bank, cap) + 7 * gift:
            raise Refused(refusals.BadGift, refusals.GiftProblem.ENOUGH)
        self.spend(game, gains=False)
        for left in (game.left, *(ply.before.left for ply in game.line)):
            left[other] += gift
        game.gone = None
        self._change(game, talk=True)
        self._see_to(game, note=True)

    # Leaving

    def resign(self, game: Game, revision: int, user: UserId) -> None:
        self._check_player(game, user)
        if not game.board <= revision <= game.revision:
            raise Refused(refusals.StaleBoard)
        game.end(game.lost_by(user, EndReason.RESIGNATION), self.now, user)
        game.gone = user
        self._tell(game)

    def abort(self, game: Game, revision: int, user: UserId) -> None:
        self._check_player(game, user)
        if not game.board <= revision <= game.revision:
            raise Refused(refusals.StaleBoard)
        if not game.may_leave(user) and game.gone != game.other(user):
            raise Refused(refusals.TooLateToAbort)
        game.end(Outcome(EndReason.ABORT), self.now, user)
        self._tell(game)

    def abort_here(self, user: UserId) -> None:
        game = self.running
        if game is None:
            raise Refused(refusals.NoGameHere)
        game.end(Outcome(EndReason.ABORT), self.now, user)
        self._tell(game)

    def close(self, game: Game) -> None:
        """The channel of the game was deleted."""
        if game.outcome is None:
            game.end(Outcome(EndReason.ABORT), self.now)
            game.gone = None
            self._tell(game)

    def look(self) -> bool:
        """Check if the time of the running game is up, or its player is absent."""
        game = self.running
        if game is None or game.to_move is None or game.gone is not None:
            return False
        deadline = self.deadline(game)
        moment = self.lies_from(game) if deadline is None else deadline
        if moment is None or moment > self.now:
            return False
        late = game.to_move
        if deadline is None:
            game.gone = late
        elif game.may_leave(late):
            game.end(Outcome(EndReason.ABORT), self.now)
        else:
            game.end(game.lost_by(late, EndReason.TIME), self.now)
            game.gone = late
        self._tell(game, talk=deadline is None)
        return True

    def go_on(self, game: Game, revision: int, user: UserId, machine: UserId) -> None:
        """Continue a game that someone has left, against the machine."""
        gone = game.gone
        if user not in (game.white, game.black) or user == gone:
            raise Refused(refusals.NotAPlayer)
        how = None if game.outcome is None else game.outcome.reason
        left = how in (EndReason.RESIGNATION, EndReason.TIME, EndReason.ABORT)
        if game.revision != revision or not left or gone is None or game.machine is not None:
            raise Refused(refusals.StaleBoard)
        if self.running is not None:
            raise Refused(refused_starts.ChannelBusy)
        if game.gone_on_with:
            raise Refused(refusals.StaleBoard)
        game.gone_on_with = True

        def seat(who: UserId) -> UserId:
            return machine if who == gone else who

        nothing = Before(game.position, {}, frozenset())
        line = [
            replace(
                ply,
                actor=seat(ply.actor),
                revision=-1,
                used=0,
                before=replace(nothing, position=ply.before.position),
            )
            for ply in game.line
        ]
        new = replace(
            game,
            white=seat(game.white),
            black=seat(game.black),
            control=None,
            left={},
            outcome=None,
            machine=machine,
            line=line,
            refused=frozenset(),
            plans={},
            went_back=None if game.went_back is None else seat(game.went_back),
            revision=game.carried,
            board=game.carried,
            boards=[],
            notes=[],
            gone_on_with=False,
            missed=set(),
            gone=None,
        )
        self.games.append(new)
        self._see_to(new)

    # Changes of a game

    def _change(self, game: Game, *, talk: bool = False) -> None:
        game.revision += 1
        if not talk:
            game.board = game.revision

    def _tell(self, game: Game, *, talk: bool = False) -> None:
        self._change(game, talk=talk)
        self._see_to(game)

    def _see_to(self, game: Game, *, note: bool = False) -> None:
        """Queue the announcement, unless it comes with the machine's answer."""
        asked = None if game.offered is None else game.other(game.offered[1])
        if game.machine is None or game.machine not in (game.to_move, asked):
            (game.notes if note else game.boards).append(game.revision)
