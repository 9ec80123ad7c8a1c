"""Rules of the state machine: anyone does anything at any time."""

from collections.abc import Awaitable
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from bot.base.ids import SourceId, UserId
from bot.base.zones import Interval
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.game import Offer
from bot.play.model.terms import ChallengeTerms, ColorChoice, EndReason, Outcome, Place, Start
from dvonn import POINTS, Coordinates, Move, Point
from tests.bot.machine.driver import ALL, BOT, HERE, Driver, Process, drawn_from, typed
from tests.bot.machine.game import Challenge
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, MESSAGE

colours = st.sampled_from(ColorChoice)
starts = st.sampled_from([Start.PLACEMENT, Start.BALANCED])
texts = ("none", "none", "15m", "1d", "3d+1d/3d", "3d+1d/3d", "2d+1d/4d~UTC")
controls = st.sampled_from([TimeControl.from_text(text) for text in texts])
people = st.sampled_from([ANN, ANN, ANN, BOB, BOB, BOB, CID])
leavers = st.sampled_from([ANN, BOB, CID, CID, CID, CID])
"""Users who resign or abort. Most attempts are refused, because otherwise no game would last."""
hands = st.integers(0, 1)
seeds = st.integers(0, 2**32 - 1)
revisions = st.sampled_from([0, 0, 0, 0, 0, -1])
"""Number of revisions that a clicked board is behind."""
does = ("play", "play", "click", "ask", "answer", "list", "look", "machine")
deeds = st.sampled_from([*does, "resign", "abort", "vanish"])
spaces = st.lists(st.sampled_from(POINTS), min_size=1, max_size=4)


class UseCases(Driver):
    """The state machine of all actions that people and the bot can take."""

    # Time, and events of the bot

    @rule(minutes=st.sampled_from([1, 2, 14, 15, 16, 60, 600, 600, 1440, 7 * 1440]))
    def time_passes(self, minutes: int) -> None:
        self.wait(minutes)

    @rule(minutes=st.sampled_from([1, 15, 1440]))
    def is_away(self, minutes: int) -> None:
        began, first = self.clock(), self.model.now
        self.wait(minutes)
        outage = Interval(begins=began, ends=self.clock())
        self.run(self.processes[0].store.outages.add(0, 1, outage))
        self.model.outage |= set(range(first, self.model.now))

    @rule(hand=hands)
    def is_restarted(self, hand: int) -> None:
        self.restart_process(hand)

    @rule(hand=hands)
    def looks_around(self, hand: int) -> None:
        """Check clocks and old challenges, as the bot does regularly."""
        assert self.look_at_clocks(hand) == self.model.look()
        lobby = self.processes[hand].table.lobby
        assert len(self.run(lobby.expire(ALL))) == self.model.expire()

    # Before a game

    @initialize(hand=hands, colour=colours, start=starts, control=controls)
    def begin_at_once(
        self, hand: int, colour: ColorChoice, start: Start, control: TimeControl | None
    ) -> None:
        self.begin(hand, colour, start, control)

    @precondition(lambda self: self.model.running is None)
    @rule(hand=hands, colour=colours, start=starts, control=controls)
    def begin(
        self, hand: int, colour: ColorChoice, start: Start, control: TimeControl | None
    ) -> None:
        self.wait(1)
        before = len(self.challenges)
        self.challenge(hand, ANN, BOB, colour, start, control)
        if len(self.challenges) > before:
            self.accept(hand, BOB, 0)

    @rule(
        hand=hands,
        challenger=people,
        opponent=st.none() | people,
        colour=colours,
        start=starts,
        control=controls,
    )
    def challenge(
        self,
        hand: int,
        challenger: UserId,
        opponent: UserId | None,
        colour: ColorChoice,
        start: Start,
        control: TimeControl | None,
    ) -> None:
        terms = ChallengeTerms(
            guild=GUILD,
            channel=CHANNEL,
            challenger=challenger,
            opponent=opponent,
            colour=colour,
            coordinates=Coordinates.STANDARD,
            start=start,
            clock=control,
            place=Place.HERE,
            rated=False,
        )
        row = self.do(
            hand,
            lambda process, source: process.table.lobby.challenge(
                terms, opponent_is_bot=False, venue=HERE, source=source
            ),
            lambda _: self.model.challenge(
                Challenge(challenger, opponent, colour, start, control, self.model.now)
            ),
        )
        if row is not None:
            self.challenges.append(row.id)

    @precondition(lambda self: self.challenges)
    @rule(hand=hands, user=people, back=st.integers(0, 3))
    def accept(self, hand: int, user: UserId, back: int) -> None:
        challenge, number = self.challenged(back)

        def accepted(outcome: tuple[object, GameUpdate] | None) -> None:
            row = None if outcome is None else outcome[1].game.row
            is_white = row is not None and row.white == challenge.challenger
            self.model.accept(
                challenge, user, is_white=is_white, seed=0 if row is None else row.seed
            )

        outcome = self.do(
            hand,
            lambda process, source: process.table.lobby.accept(
                number, user, message=MESSAGE, venue=HERE, source=source
            ),
            accepted,
        )
        if outcome is not None:
            self.ids.append(outcome[1].game.row.id)

    @precondition(lambda self: self.challenges)
    @rule(hand=hands, user=people, back=st.integers(0, 3), own=st.booleans())
    def turn_down(self, hand: int, user: UserId, back: int, own: bool) -> None:
        challenge, number = self.challenged(back)
        if own:
            self.do(
                hand,
                lambda process, _: process.table.lobby.cancel(number, user),
                lambda _: self.model.cancel(challenge, user),
            )
        else:
            self.do(
                hand,
                lambda process, _: process.table.lobby.decline(number, user),
                lambda _: self.model.decline(challenge, user),
            )

    # Moves and lists

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, how_many=st.integers(1, 50), seed=seeds, minutes=st.sampled_from([0, 1, 5]))
    def play_on(self, hand: int, how_many: int, seed: int, minutes: int) -> None:
        """Play legal moves as the player to move."""
        rng = Random(seed)
        for number in range(1, how_many + 1):
            game = self.model.running
            if game is None or game.to_move in (None, BOT):
                return
            self.wait(minutes)
            assert game.to_move is not None
            move = rng.choice(game.position.legal_moves())
            self.play(hand, game.to_move, [move], again=number == how_many)

    @rule(hand=hands, user=people, points=spaces, else_next=st.booleans())
    def place(self, hand: int, user: UserId, points: list[Point], else_next: bool) -> None:
        self.play(hand, user, self.placements(points), else_next=else_next)

    @rule(hand=hands, user=people, ends=st.lists(st.sampled_from(POINTS), min_size=2, max_size=2))
    def move_anything(self, hand: int, user: UserId, ends: list[Point]) -> None:
        if ends[0] != ends[1]:
            self.play(hand, user, [Move(source=ends[0], target=ends[1])])

    @precondition(lambda self: self.ids)
    @rule(hand=hands, user=people, back=st.sampled_from([0, 0, 1]), behind=revisions, seed=seeds)
    def click(self, hand: int, user: UserId, back: int, behind: int, seed: int) -> None:
        game, number, revision = self.board(back, behind)
        legal = game.position.legal_moves()
        move = Random(seed).choice(legal) if legal else Move(target=POINTS[0])
        text = typed([move], else_next=False)
        self.do(
            hand,
            lambda process, source: process.table.games.pick(
                number, revision, user, text, source=source
            ),
            lambda _: self.model.click(game, revision, user, move),
        )

    @precondition(lambda self: self.is_moving)
    @rule(hand=hands, seed=seeds, how_many=st.integers(1, 3))
    def move_several_times(self, hand: int, seed: int, how_many: int) -> None:
        """Play moves in a row: more than one only if the other player has to pass."""
        game, rng, moves = self.running, Random(seed), list[Move]()
        position = game.position
        while len(moves) < how_many and position.legal_moves():
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
        if game.to_move not in (None, BOT):
            assert game.to_move is not None
            self.play(hand, game.to_move, moves)

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, user=people)
    def choose_only_moves(self, hand: int, user: UserId) -> None:
        wants = user not in self.model.automatic
        self.run(self.processes[hand].table.choices.switch(user, automatic=wants))
        self.model.automatic ^= {user}

    # Offers

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, user=people, what=st.sampled_from(Offer))
    def ask(self, hand: int, user: UserId, what: Offer) -> None:
        self.do(
            hand,
            lambda process, source: process.table.offers.ask(CHANNEL, user, what, source=source),
            lambda update: self.model.ask(user, what, seed=drawn_from(update)),
        )

    @precondition(lambda self: self.model.running is not None and self.model.running.offered)
    @rule(hand=hands, user=people, yes=st.booleans(), behind=revisions, by_machine=st.booleans())
    def answer(self, hand: int, user: UserId, yes: bool, behind: int, by_machine: bool) -> None:
        game, number, revision = self.board(0, behind)
        who = game.machine if by_machine and game.machine is not None else user

        def answer_offer(process: Process, source: SourceId) -> Awaitable[GameUpdate]:
            offers = process.table.offers
            answer = offers.accept if yes else offers.decline
            return answer(number, revision, who, source=source)

        self.do(
            hand,
            answer_offer,
            lambda update: self.model.answer(game, revision, who, yes=yes, seed=drawn_from(update)),
        )

    @precondition(lambda self: self.model.running is not None)
    @rule(
        hand=hands,
        by_white=st.booleans(),
        what=st.sampled_from(
            [Offer.TAKEBACK, Offer.TAKEBACK, Offer.FINISH, Offer.DRAW, Offer.PAUSE]
        ),
        yes=st.sampled_from([True, True, False]),
        minutes=st.integers(0, 2),
    )
    def ask_and_answer(
        self, hand: int, by_white: bool, what: Offer, yes: bool, minutes: int
    ) -> None:
        game = self.running
        asker = game.white if by_white else game.black
        self.wait(minutes)
        self.ask(hand, asker, what)
        if game.offered is not None:
            self.wait(minutes)
            self.answer(1 - hand, game.other(asker), yes, 0, False)

    @precondition(lambda self: self.ids)
    @rule(hand=hands, user=people, gives=st.booleans())
    def change_the_time(self, hand: int, user: UserId, gives: bool) -> None:
        """Give time, or end a pause."""
        game, number, _ = self.board(0, 0)

        def changed(process: Process, source: SourceId) -> Awaitable[GameUpdate]:
            offers = process.table.offers
            return (offers.give_time if gives else offers.end_pause)(number, user, source=source)

        change = self.model.give_time if gives else self.model.end_pause
        self.do(hand, changed, lambda _: change(game, user))

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, seed=seeds, thinks=st.sampled_from([1, 30]), late=st.integers(0, 2))
    def thinks_better_of_it(self, hand: int, seed: int, thinks: int, late: int) -> None:
        """Play a move, and ask to take it back soon afterwards."""
        game = self.running
        if game.to_move not in (None, BOT):
            assert game.to_move is not None
            user = game.to_move
            self.wait(thinks)
            self.play(hand, user, [Random(seed).choice(game.position.legal_moves())])
            self.wait(late)
            self.ask(1 - hand, user, Offer.TAKEBACK)

    # Leaving

    @precondition(lambda self: self.ids)
    @rule(hand=hands, user=leavers, back=st.sampled_from([0, 0, 1]), behind=revisions)
    def resign(self, hand: int, user: UserId, back: int, behind: int) -> None:
        game, number, revision = self.board(back, behind)
        self.do(
            hand,
            lambda process, source: process.table.leaving.resign(
                number, revision, user, source=source
            ),
            lambda _: self.model.resign(game, revision, user),
        )

    @precondition(lambda self: self.ids)
    @rule(hand=hands, user=leavers, back=st.sampled_from([0, 0, 1]), behind=revisions)
    def abort(self, hand: int, user: UserId, back: int, behind: int) -> None:
        game, number, revision = self.board(back, behind)
        self.do(
            hand,
            lambda process, source: process.table.leaving.abort(
                number, revision, user, source=source
            ),
            lambda _: self.model.abort(game, revision, user),
        )

    @rule(hand=hands, user=leavers)
    def abort_here(self, hand: int, user: UserId) -> None:
        self.do(
            hand,
            lambda process, source: process.table.leaving.abort_here(CHANNEL, user, source=source),
            lambda _: self.model.abort_here(user),
        )

    @precondition(lambda self: self.model.running is not None and not self.model.running.left)
    @rule(
        hand=hands,
        days=st.sampled_from([13, 14, 14, 14]),
        by_gone=st.sampled_from([False, False, True]),
        may_any=st.sampled_from([False, False, True]),
        goes_on=st.booleans(),
    )
    def lies(self, hand: int, days: int, by_gone: bool, may_any: bool, goes_on: bool) -> None:
        """Do nothing in a game without a clock, until one of the players has enough."""
        game = self.running
        gone = game.to_move
        assert gone is not None
        self.wait(days * 1440)
        self.looks_around(hand)
        left = game.other(gone)
        who = gone if by_gone else left
        if may_any:
            self.abort_here(1 - hand, who)
        else:
            self.abort(1 - hand, who, 0, 0)
        if goes_on and game.outcome == Outcome(EndReason.ABORT):
            self.go_on(hand, left, 0)

    @precondition(lambda self: len(self.ids) > 2)
    @rule(hand=hands, back=st.integers(0, 2))
    def place_vanishes(self, hand: int, back: int) -> None:
        game, number, _ = self.board(back, 0)
        self.act(hand, self.processes[hand].table.leaving.close(number, by=BOT))
        self.model.close(game)

    # Two actions at once

    @precondition(lambda self: self.model.running is not None)
    @rule(hand=hands, late=deeds, first=deeds, users=st.tuples(people, people), seed=seeds)
    def two_at_once(
        self, hand: int, late: str, first: str, users: tuple[UserId, UserId], seed: int
    ) -> None:
        """Let one process change a game while another one is about to act in it.

        That one has read that the game is running, and pauses before it reads on.
        """
        self.overtake(hand, lambda: self.does(1 - hand, first, users[0], seed))
        self.does(hand, late, users[1], seed)

    def does(self, hand: int, deed: str, user: UserId, seed: int) -> None:
        """Return an action that may end a game, or one by a user who doesn't know that."""
        game = self.running
        number = len(self.ids) - 1
        match deed:
            case "play" if game.to_move not in (None, BOT):
                assert game.to_move is not None
                legal = game.position.legal_moves()
                self.play(hand, game.to_move, [Random(seed).choice(legal)])
            case "click":
                self.click(hand, user, 0, 0, seed)
            case "resign":
                self.resign(hand, user, 0, 0)
            case "abort":
                self.abort_here(hand, user)
            case "look":
                self.looks_around(hand)
            case "answer" if game.offered is not None:
                self.answer(hand, game.other(game.offered[1]), yes=True, behind=0, by_machine=False)
            case "vanish" if number > 1:
                self.place_vanishes(hand, 0)
            case "machine" if game.to_move == BOT:
                self.machine_plays(hand, 0, seed)
            case "list":
                self.decide_ahead(hand, user, POINTS[seed % len(POINTS)])
            case _:
                self.ask(hand, user, list(Offer)[seed % len(Offer)])

    def decide_ahead(self, hand: int, user: UserId, point: Point) -> None:
        """List a space by typing it after a move. Features may override this."""
        self.play(hand, user, self.placements([point]), else_next=True)

    # The machine replaces a player who has left

    @precondition(lambda self: self.was_left)
    @rule(hand=hands, user=people, behind=revisions)
    def go_on(self, hand: int, user: UserId, behind: int) -> None:
        game, number, revision = self.board(0, behind)
        update = self.do(
            hand,
            lambda process, source: process.table.stand_in.continue_game(
                number, revision, user, BOT, source=source
            ),
            lambda _: self.model.go_on(game, revision, user, BOT),
        )
        if update is not None:
            self.ids.append(update.game.row.id)

    @precondition(lambda self: self.model.running and self.model.running.to_move == BOT)
    @rule(hand=hands, behind=revisions, seed=seeds)
    def machine_plays(self, hand: int, behind: int, seed: int) -> None:
        game, number, revision = self.board(0, behind)
        move = Random(seed).choice(game.position.legal_moves())
        update = self.act(
            hand, self.processes[hand].table.games.play_by_machine(number, revision, move)
        )
        assert (update is not None) == self.model.play_by_machine(game, revision, move)

    # Vacations

    @rule(hand=hands, user=people, days=st.integers(0, 12))
    def leave_for_days(self, hand: int, user: UserId, days: int) -> None:
        """Start a vacation, or end it if it has no days."""
        if days:
            self.do(
                hand,
                lambda process, _: process.table.vacations.start(user, days),
                lambda _: self.model.leave_for(user, days),
            )
        else:
            self.do(
                hand,
                lambda process, _: process.table.vacations.end(user),
                lambda _: self.model.come_back(user),
            )
