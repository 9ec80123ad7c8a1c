"""The use cases, on a real SQLite file and a real PostgreSQL."""

import asyncio
from random import Random

import pytest

from bot.errors import (
    AlreadyDone,
    BadOpponent,
    ChallengeAnswered,
    ChannelBusy,
    GameGone,
    IllegalPlay,
    NoGameHere,
    NotAPlayer,
    NotForYou,
    NotYourTurn,
    OpponentProblem,
    RematchOffered,
    TurnOver,
    UnreadableMove,
)
from bot.games import Archive, Game, Games, Lobby, Update
from bot.ids import ChallengeId, ChannelId, GameId, GuildId, MessageId, Revision, SourceId, UserId
from bot.store import Store
from bot.store.rows import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColourChoice,
    EventKind,
    GameState,
    OutboxKind,
    Place,
)
from dvonn import Color, Coordinates, Move, NotationProblem, Phase, Reason, format_move
from tests.bot.conftest import Clock
from tests.games import positions_of, random_game

ANN, BOB, CID = UserId(101), UserId(102), UserId(103)
GUILD, CHANNEL, MESSAGE = GuildId(1 << 22), ChannelId(500), MessageId(600)


class Table:
    """The use cases, with every source a new one."""

    def __init__(self, store: Store, clock: Clock, *, kept_games: int = 1_000) -> None:
        archive = Archive(store, size=kept_games)
        self.lobby = Lobby(store, archive, now=clock, rng=Random(7))
        self.games = Games(store, archive, now=clock)
        self.last_source = 1_000

    def source(self) -> SourceId:
        self.last_source += 1
        return SourceId(self.last_source)

    async def challenge(
        self,
        opponent: UserId | None = BOB,
        *,
        colour: ColourChoice = ColourChoice.WHITE,
        coordinates: Coordinates = Coordinates.STANDARD,
        place: Place = Place.HERE,
        channel: ChannelId = CHANNEL,
        thread_possible: bool = True,
    ) -> ChallengeId:
        terms = ChallengeTerms(
            guild=GUILD,
            channel=channel,
            challenger=ANN,
            opponent=opponent,
            colour=colour,
            coordinates=coordinates,
            place=place,
        )
        row = await self.lobby.challenge(
            terms, opponent_is_bot=False, thread_possible=thread_possible, source=self.source()
        )
        return row.id

    async def accept(
        self,
        challenge: ChallengeId,
        user: UserId = BOB,
        *,
        message: MessageId = MESSAGE,
        thread_possible: bool = True,
    ) -> Update:
        _, update = await self.lobby.accept(
            challenge,
            user,
            message=message,
            thread_possible=thread_possible,
            source=self.source(),
        )
        return update

    async def play(self, user: UserId, text: str, channel: ChannelId = CHANNEL) -> Update:
        return await self.games.play(channel, user, text, source=self.source())

    async def play_out(self, moves: list[Move], upto: int | None = None) -> Update:
        """Play moves in turn, by whoever is to move."""
        for move in moves[:upto]:
            game = await self.games.here(CHANNEL)
            assert game.to_move is not None
            update = await self.play(game.to_move, format_move(move, game.row.coordinates))
        return update


@pytest.fixture
def table(store: Store, clock: Clock) -> Table:
    return Table(store, clock)


async def test_the_challenged_accepts_and_white_is_to_place_red(table: Table) -> None:
    update = await table.accept(await table.challenge())
    assert (update.game.row.white, update.game.row.black) == (ANN, BOB)
    assert update.game.to_move == ANN
    assert update.game.position.to_place == "R"
    assert [told.event.kind for told in update.told] == [EventKind.START]
    assert [row.kind for row in update.outbox] == [OutboxKind.BOARD]


async def test_the_challenger_may_play_black(table: Table) -> None:
    update = await table.accept(await table.challenge(colour=ColourChoice.BLACK))
    assert (update.game.row.white, update.game.row.black) == (BOB, ANN)


async def test_random_colours_come_out_both_ways(table: Table) -> None:
    whites = set()
    for number in range(20):
        channel = ChannelId(1_000 + number)
        challenge = await table.challenge(colour=ColourChoice.RANDOM, channel=channel)
        whites.add((await table.accept(challenge)).game.row.white)
    assert whites == {ANN, BOB}


async def test_nobody_challenges_himself_or_a_bot(table: Table) -> None:
    with pytest.raises(BadOpponent) as caught:
        await table.challenge(ANN)
    assert caught.value.problem is OpponentProblem.YOURSELF
    terms = ChallengeTerms(
        guild=GUILD,
        channel=CHANNEL,
        challenger=ANN,
        opponent=CID,
        colour=ColourChoice.WHITE,
        coordinates=Coordinates.STANDARD,
        place=Place.HERE,
    )
    with pytest.raises(BadOpponent) as caught:
        await table.lobby.challenge(
            terms, opponent_is_bot=True, thread_possible=True, source=table.source()
        )
    assert caught.value.problem is OpponentProblem.BOT


async def test_only_the_challenged_answers(table: Table) -> None:
    challenge = await table.challenge()
    for stranger in (ANN, CID):
        with pytest.raises(NotForYou) as caught:
            await table.accept(challenge, stranger)
        assert caught.value.who == BOB
        with pytest.raises(NotForYou):
            await table.lobby.decline(challenge, stranger)
    with pytest.raises(NotForYou) as caught:
        await table.lobby.cancel(challenge, BOB)
    assert caught.value.who == ANN
    declined = await table.lobby.decline(challenge, BOB)
    assert declined.state is ChallengeState.DECLINED


async def test_an_open_challenge_is_for_anyone_but_the_challenger(table: Table) -> None:
    challenge = await table.challenge(None)
    with pytest.raises(NotForYou) as caught:
        await table.accept(challenge, ANN)
    assert caught.value.who is None
    assert (await table.accept(challenge, CID)).game.row.black == CID


async def test_a_challenge_is_answered_once(table: Table) -> None:
    challenge = await table.challenge()
    await table.lobby.cancel(challenge, ANN)
    for late in (
        table.accept(challenge),
        table.lobby.decline(challenge, BOB),
        table.lobby.cancel(challenge, ANN),
    ):
        with pytest.raises(ChallengeAnswered) as caught:
            await late
        assert caught.value.challenge.state is ChallengeState.CANCELLED


async def test_accept_against_cancel_has_one_winner(table: Table) -> None:
    for number in range(5):
        challenge = await table.challenge(channel=ChannelId(2_000 + number))
        results = await asyncio.gather(
            table.accept(challenge), table.lobby.cancel(challenge, ANN), return_exceptions=True
        )
        assert sum(isinstance(result, ChallengeAnswered) for result in results) == 1


async def test_two_who_accept_at_once_start_one_game(table: Table) -> None:
    challenge = await table.challenge(None)
    results = await asyncio.gather(
        table.accept(challenge, BOB), table.accept(challenge, CID), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["ChallengeAnswered", "Update"]


async def test_a_thread_has_the_number_of_the_challenges_message(table: Table) -> None:
    update = await table.accept(await table.challenge(place=Place.THREAD))
    assert update.game.row.channel == ChannelId(MESSAGE)
    assert [(row.kind, row.channel) for row in update.outbox] == [
        (OutboxKind.THREAD, CHANNEL),
        (OutboxKind.BOARD, MESSAGE),
    ]
    with pytest.raises(NoGameHere):
        await table.play(ANN, "d2")
    await table.play(ANN, "d2", ChannelId(MESSAGE))


async def test_a_busy_channel_gives_the_next_game_a_thread(table: Table) -> None:
    second = await table.challenge()
    await table.accept(await table.challenge())
    assert (await table.accept(second)).game.row.channel == ChannelId(MESSAGE)


async def test_two_games_accepted_at_once_share_no_channel(table: Table) -> None:
    challenges = [await table.challenge() for _ in range(3)]
    updates = await asyncio.gather(
        *(
            table.accept(challenge, message=MessageId(700 + number))
            for number, challenge in enumerate(challenges)
        )
    )
    channels = [update.game.row.channel for update in updates]
    assert len(set(channels)) == 3
    assert CHANNEL in channels


async def test_a_busy_channel_without_threads_is_refused(table: Table) -> None:
    early = await table.challenge()
    running = (await table.accept(await table.challenge())).game.row.id
    with pytest.raises(ChannelBusy) as caught:
        await table.challenge(thread_possible=False)
    assert (caught.value.channel, caught.value.game) == (CHANNEL, running)
    with pytest.raises(ChannelBusy):
        await table.accept(early, thread_possible=False)
    with pytest.raises(NotForYou):
        await table.lobby.cancel(early, BOB)  # it is still open


@pytest.mark.parametrize("coordinates", list(Coordinates))
async def test_a_whole_game_ends_as_the_rules_say(table: Table, coordinates: Coordinates) -> None:
    moves = random_game(11)
    expected = positions_of(moves)[-1]
    await table.accept(await table.challenge(coordinates=coordinates))
    update = await table.play_out(moves)
    assert update.game.row.state is GameState.FINISHED
    assert update.game.row.revision == len(moves)
    assert update.game.to_move is None
    assert update.game.position == expected
    assert update.game.last == moves[-1]
    with pytest.raises(NoGameHere):
        await table.games.here(CHANNEL)


async def test_a_game_is_the_same_when_read_anew(table: Table, store: Store, clock: Clock) -> None:
    moves = random_game(12)
    await table.accept(await table.challenge())
    for upto in (1, 49, 60):
        played = (await table.games.here(CHANNEL)).position.plies
        update = await table.play_out(moves[played:upto])
        fresh = await Table(store, clock).games.here(CHANNEL)
        assert fresh == update.game
        assert fresh.position.removed == update.game.position.removed
        assert fresh.position.passed == update.game.position.passed


async def test_games_that_are_not_kept_at_hand_are_read_again(store: Store, clock: Clock) -> None:
    table = Table(store, clock, kept_games=1)
    channels = [ChannelId(1), ChannelId(2)]
    for channel in channels:
        await table.accept(await table.challenge(channel=channel))
    for text in ("a1", "b1", "c1", "d1"):
        for channel in channels:
            game = await table.games.here(channel)
            assert game.to_move is not None
            await table.play(game.to_move, text, channel)
    assert [(await table.games.here(channel)).row.revision for channel in channels] == [4, 4]


async def test_a_process_sees_what_another_one_played(
    table: Table, store: Store, clock: Clock
) -> None:
    other = Table(store, clock)
    other.last_source = 5_000
    await table.accept(await table.challenge())
    await table.play(ANN, "a1")
    await other.play(BOB, "b1")
    update = await table.play(ANN, "c1")
    assert set(update.game.position.stacks) == {"a1", "b1", "c1"}


async def test_refusals_change_nothing(table: Table) -> None:
    await table.accept(await table.challenge())
    await table.play(ANN, "d2")
    with pytest.raises(NotYourTurn) as not_now:
        await table.play(ANN, "e2")
    assert not_now.value.to_move == BOB
    with pytest.raises(NotAPlayer):
        await table.play(CID, "e2")
    with pytest.raises(UnreadableMove) as unreadable:
        await table.play(BOB, "z9")
    assert unreadable.value.error.problem is NotationProblem.OFF_BOARD
    with pytest.raises(IllegalPlay) as illegal:
        await table.play(BOB, "d2")
    assert illegal.value.error.reason is Reason.OCCUPIED
    with pytest.raises(NoGameHere):
        await table.play(ANN, "e2", ChannelId(1))
    assert (await table.games.here(CHANNEL)).row.revision == 1


async def test_pergioco_text_is_read_as_pergioco(table: Table) -> None:
    await table.accept(await table.challenge(coordinates=Coordinates.PERGIOCO))
    update = await table.play(ANN, "d2")
    assert set(update.game.position.stacks) == {"b2"}


async def test_a_message_told_twice_is_played_once(table: Table) -> None:
    await table.accept(await table.challenge())
    source = table.source()
    await table.games.play(CHANNEL, ANN, "a1", source=source)
    with pytest.raises(AlreadyDone):
        await table.games.play(CHANNEL, ANN, "a1", source=source)
    # Also when it would be legal again, or the game is over meanwhile.
    await table.play(BOB, "b1")
    with pytest.raises(AlreadyDone):
        await table.games.play(CHANNEL, ANN, "c1", source=source)
    await table.games.abort(CHANNEL, CID, source=table.source())
    with pytest.raises(AlreadyDone):
        await table.games.play(CHANNEL, ANN, "a1", source=source)


async def test_of_two_moves_at_once_one_wins_and_the_other_is_told(table: Table) -> None:
    await table.accept(await table.challenge())
    results = await asyncio.gather(
        table.play(ANN, "a1"), table.play(ANN, "b1"), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["NotYourTurn", "Update"]
    assert (await table.games.here(CHANNEL)).row.revision == 1


async def test_resigning_ends_the_game(table: Table) -> None:
    game = (await table.accept(await table.challenge())).game.row.id
    await table.play(ANN, "a1")
    update = await table.games.resign(game, Revision(1), ANN, source=table.source())
    assert update.game.row.state is GameState.RESIGNED
    assert [told.event.kind for told in update.told] == [EventKind.RESIGN]
    assert len(update.outbox) == 1
    with pytest.raises(GameGone):
        await table.games.resign(game, Revision(2), BOB, source=table.source())
    with pytest.raises(NoGameHere):
        await table.play(BOB, "b1")


async def test_only_a_player_resigns_and_only_the_turn_he_saw(table: Table) -> None:
    game = (await table.accept(await table.challenge())).game.row.id
    with pytest.raises(NotAPlayer):
        await table.games.resign(game, Revision(0), CID, source=table.source())
    await table.play(ANN, "a1")
    with pytest.raises(TurnOver):
        await table.games.resign(game, Revision(0), BOB, source=table.source())
    assert (await table.games.here(CHANNEL)).row.revision == 1


async def test_a_resignation_told_twice_counts_once(table: Table) -> None:
    game = (await table.accept(await table.challenge())).game.row.id
    source = table.source()
    await table.games.resign(game, Revision(0), BOB, source=source)
    with pytest.raises(AlreadyDone):
        await table.games.resign(game, Revision(0), BOB, source=source)


async def test_resigning_against_moving_has_one_winner(table: Table) -> None:
    game = (await table.accept(await table.challenge())).game.row.id
    results = await asyncio.gather(
        table.play(ANN, "a1"),
        table.games.resign(game, Revision(0), BOB, source=table.source()),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Update) for result in results) == 1
    assert sum(isinstance(result, TurnOver | NoGameHere) for result in results) == 1


async def test_aborting_leaves_no_result(table: Table) -> None:
    await table.accept(await table.challenge())
    update = await table.games.abort(CHANNEL, CID, source=table.source())
    assert update.game.row.state is GameState.ABORTED
    assert update.told[0].event.actor == CID
    with pytest.raises(NoGameHere):
        await table.games.abort(CHANNEL, CID, source=table.source())


async def test_an_older_revision_can_be_looked_at(table: Table) -> None:
    game = (await table.accept(await table.challenge())).game.row.id
    for user, text in ((ANN, "a1"), (BOB, "b1"), (ANN, "c1")):
        await table.play(user, text)
    old = await table.games.at(game, Revision(2))
    assert set(old.position.stacks) == {"a1", "b1"}
    assert (await table.games.current(game)).row.revision == 3
    for number, revision in ((game, 4), (GameId(99), 0)):
        with pytest.raises(GameGone):
            await table.games.at(number, Revision(revision))


async def test_what_was_not_told_yet_is_told_together(table: Table) -> None:
    game = (await table.accept(await table.challenge())).game.row.id
    for user, text in ((ANN, "a1"), (BOB, "b1"), (ANN, "c1")):
        await table.play(user, text)
    update = await table.games.untold(game, Revision(2), Revision(0))
    assert [told.event.move for told in update.told] == ["a1", "b1"]
    assert update.game.row.revision == 2
    assert [told.mover for told in update.told] == [Color.WHITE, Color.BLACK]


async def test_the_mover_is_offered_what_is_legal(table: Table) -> None:
    await table.accept(await table.challenge(coordinates=Coordinates.PERGIOCO))
    assert len(await table.games.legal_here(CHANNEL, ANN, "")) == 49
    assert await table.games.legal_here(CHANNEL, ANN, " E1 ") == ["e1"]
    assert await table.games.legal_here(CHANNEL, BOB, "") == []
    assert await table.games.legal_here(ChannelId(1), ANN, "") == []
    await table.play_out(random_game(5), 49)
    game = await table.games.here(CHANNEL)
    assert game.position.phase is Phase.MOVEMENT
    assert game.to_move is not None
    everything = await table.games.legal_here(CHANNEL, game.to_move, "")
    first = everything[0]
    assert first in await table.games.legal_here(CHANNEL, game.to_move, first.replace("-", " "))
    for text in everything:
        assert text.startswith(tuple("abcde"))


async def test_a_players_games_are_listed(table: Table) -> None:
    for number in range(3):
        await table.accept(await table.challenge(channel=ChannelId(3_000 + number)))
    await table.games.abort(ChannelId(3_001), CID, source=table.source())
    listed = await table.games.of_player(GUILD, BOB)
    assert [game.row.channel for game in listed] == [3_000, 3_002]


async def test_only_a_player_is_asked_whether_to_resign(table: Table) -> None:
    await table.accept(await table.challenge())
    assert (await table.games.seated_here(CHANNEL, BOB)).seat(BOB) is Color.BLACK
    with pytest.raises(NotAPlayer):
        await table.games.seated_here(CHANNEL, CID)


async def ended(table: Table) -> Game:
    game = (await table.accept(await table.challenge())).game
    update = await table.games.resign(game.row.id, Revision(0), ANN, source=table.source())
    return update.game


async def rematch(table: Table, game: Game, user: UserId) -> tuple[ChallengeRow, Update | None]:
    return await table.lobby.rematch(
        game, user, message=MessageId(601), thread_possible=True, source=table.source()
    )


async def test_a_rematch_swaps_the_colours(table: Table) -> None:
    game = await ended(table)
    row, update = await rematch(table, game, BOB)
    assert update is None
    assert (row.terms.challenger, row.terms.opponent) == (BOB, ANN)
    assert (await table.accept(row.id, ANN)).game.row.white == BOB


async def test_who_asks_second_accepts(table: Table) -> None:
    game = await ended(table)
    await rematch(table, game, ANN)
    with pytest.raises(RematchOffered):
        await rematch(table, game, ANN)
    _, update = await rematch(table, game, BOB)
    assert update is not None
    assert (update.game.row.white, update.game.row.black) == (BOB, ANN)
    assert update.game.row.channel == CHANNEL


async def test_two_who_ask_at_once_play_one_game(table: Table) -> None:
    game = await ended(table)
    results = await asyncio.gather(rematch(table, game, ANN), rematch(table, game, BOB))
    assert sorted(update is None for _, update in results) == [False, True]


async def test_a_rematch_is_for_the_players_of_an_ended_game(table: Table) -> None:
    running = (await table.accept(await table.challenge())).game
    with pytest.raises(TurnOver):
        await rematch(table, running, ANN)
    update = await table.games.abort(CHANNEL, CID, source=table.source())
    with pytest.raises(NotAPlayer):
        await rematch(table, update.game, CID)


async def test_a_picker_plays_the_turn_it_was_opened_for(table: Table) -> None:
    game = (await table.accept(await table.challenge(coordinates=Coordinates.PERGIOCO))).game.row.id

    async def pick(user: UserId, revision: int, move: str) -> Update:
        return await table.games.pick(game, Revision(revision), user, move, source=table.source())

    assert (await table.games.may_move(game, ANN)).row.id == game
    with pytest.raises(NotYourTurn):
        await table.games.may_move(game, BOB)
    update = await pick(ANN, 0, "d2")
    assert set(update.game.position.stacks) == {"b2"}
    with pytest.raises(TurnOver):
        await pick(ANN, 0, "d3")
    with pytest.raises(NotYourTurn):
        await pick(ANN, 1, "d3")
    with pytest.raises(NotAPlayer):
        await pick(CID, 1, "d3")
    for forged in ("k5-a1", "nonsense"):
        with pytest.raises((UnreadableMove, IllegalPlay)):
            await pick(BOB, 1, forged)
    typed = await table.games.type_in(game, BOB, " D3.", source=table.source())
    assert set(typed.game.position.stacks) == {"b2", "c2"}
    await table.games.abort(CHANNEL, CID, source=table.source())
    with pytest.raises(GameGone):
        await table.games.type_in(game, ANN, "d4", source=table.source())


async def test_a_picked_stack_is_one_that_can_move(table: Table) -> None:
    game = (await table.accept(await table.challenge())).game.row.id
    await table.play_out(random_game(5), 49)
    current = await table.games.here(CHANNEL)
    source = current.position.legal_moves()[0].source
    assert source is not None
    assert current.to_move is not None
    revision = current.row.revision
    _, stack = await table.games.pick_stack(game, revision, current.to_move, source)
    assert stack == source
    surrounded = next(p for p in current.position.stacks if current.position.is_surrounded(p))
    for forged in (surrounded, "z9", ""):
        with pytest.raises(TurnOver):
            await table.games.pick_stack(game, revision, current.to_move, forged)
