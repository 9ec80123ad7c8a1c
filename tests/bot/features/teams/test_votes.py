"""Tests for team games: everyone in a channel votes, and a deadline decides."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.base.errors import AlreadyHandled
from bot.base.ids import BEFORE_START, ChannelId, MessageId, SourceId, UserId, team_of
from bot.base.languages import IN_ENGLISH
from bot.base.zones import Interval
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD
from bot.features.teams.hook import VoteResults
from bot.features.teams.model import (
    MOST_CHANGES,
    RETENTION_TIME,
    CannotVote,
    VoteProblem,
    VoteResult,
)
from bot.features.teams.store import VoteTable
from bot.features.teams.use_cases import STANDING, VOTE_EXTENDED, OpenVote, Votes
from bot.features.teams.words import vote_extended_text
from bot.people.store.privacy import PrivacyTable
from bot.play.game_changes import GameUpdate
from bot.play.model import refusals
from bot.play.model.clock import TimeControl
from bot.play.model.events import Aborted, Moved
from bot.play.model.game import Game, Offer
from bot.play.model.refused_starts import ChannelBusy
from bot.play.model.terms import ChallengeTerms, ColorChoice, EndReason, Place, Start
from bot.play.store import games as game_table
from bot.play.store.store import Store
from bot.play.words.boards import board
from dvonn import Coordinates, IllegalMoveError, Move, NotationError, format_move, parse_move
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.rows import all_rows
from tests.bot.table import (
    ALL,
    ANN,
    BOB,
    CHANNEL,
    CID,
    GUILD,
    MESSAGE,
    Table,
    aftermath,
    how,
    raises,
    venue,
)

MACHINE = UserId(900)
TEAM = team_of(CHANNEL)
HOUR = timedelta(hours=1)


def terms(**more: Any) -> ChallengeTerms:
    usual: dict[str, Any] = {
        "guild": GUILD,
        "channel": CHANNEL,
        "challenger": ANN,
        "opponent": MACHINE,
        "colour": ColorChoice.WHITE,
        "coordinates": Coordinates.STANDARD,
        "start": Start.BALANCED,
        "level": 3,
        "place": Place.HERE,
        "vote": HOUR,
    }
    return ChallengeTerms(**usual | more)


@pytest.fixture
def hands(engine: AsyncEngine, clock: Clock) -> Hands:
    return Hands(engine, clock, of_features=[VoteTable])


async def begin(table: Table, **more: Any) -> Game:
    """A game of a team against the machine, with the team to move."""
    table.clock.advance(seconds=12)
    proposed = terms(**more)
    row = await table.lobby.challenge(
        proposed, opponent_is_bot=False, venue=venue(proposed.channel), source=table.source()
    )
    where = venue(proposed.channel)
    update = await table.accept(row.id, proposed.opponent or BOB, message=MESSAGE, where=where)
    return update.game


def legal(game: Game, number: int = 0) -> str:
    return format_move(game.position.legal_moves()[number], game.row.coordinates)


async def vote(
    table: Table,
    game: Game,
    user: UserId,
    text: str,
    *,
    channel: ChannelId = CHANNEL,
    source: SourceId | None = None,
    named: Coordinates | None = None,
) -> OpenVote:
    """Enter a text as a vote for the next move of a game."""
    source = source or table.source()
    with pytest.raises(refusals.TeamVotes) as entered:
        await table.games.type_in(game.row.id, user, text, source=source, notation=named)
    return await table.of(Votes).cast(
        game.row.id,
        game.row.revision,
        user,
        entered.value.moves,
        channel=channel,
        source=source,
    )


def after_the_vote(table: Table, game: Game) -> Any:
    """Return the time at which its vote has ended."""
    assert game.turn_since is not None
    return game.turn_since + HOUR + timedelta(seconds=1)


async def decided(table: Table) -> list[GameUpdate]:
    """Return the decisions after an hour has passed."""
    await table.look()  # a new game is checked at once, and again when its vote ends
    table.clock.advance(hours=1, seconds=1)
    return await table.look()


def only(updates: list[GameUpdate]) -> GameUpdate:
    (update,) = updates
    return update


def results(update: GameUpdate) -> tuple[VoteResult, ...]:
    """Return the counts of the vote that an update announces."""
    told = aftermath(update, VoteResults)
    return () if told is None else told.results


async def send_unsent(table: Table, game: Game) -> None:
    """Send the newest unsent board. Older ones are dropped."""
    deliveries = table.store.deliveries
    *older, newest = [item for item in await deliveries.unsent(game.row.id) if item.kind == BOARD]
    await deliveries.drop(older, at=table.clock())
    await deliveries.mark_sent([newest], MessageId(8), at=table.clock())


async def none_is_due(table: Table) -> bool:
    """Return True if every due timer was postponed."""
    return not await table.store.timers.due(ALL, table.clock())


async def problem(voting: Any) -> VoteProblem:
    caught = await raises(CannotVote, voting)
    return caught.problem


# Deciding


@pytest.mark.both_databases
async def test_fifty_vote_at_once_and_one_move_is_played(table: Table, store: Store) -> None:
    game = await begin(table)
    people = [UserId(1_000 + number) for number in range(50)]
    await asyncio.gather(*(vote(table, game, who, legal(game, who % 5 and 1)) for who in people))
    assert [how(item.game) for item in await table.look()] == []
    assert await none_is_due(table)
    update = only(await decided(table))
    assert [event.event.data for event in update.events] == [Moved(game.position.legal_moves()[1])]
    assert update.events[0].event.actor == TEAM
    assert update.events[0].event.source is None
    assert results(update) == (VoteResult(update.game.row.revision, 40, 50),)
    assert update.pings == ()
    assert await table.look() == []
    # Another process that announces it later announces the same.
    other = Table(store, table.clock)
    again = await other.games.unannounced(game.row.id, update.game.row.revision, BEFORE_START)
    assert results(again) == results(update)


async def test_a_tie_goes_to_the_move_proposed_first(table: Table) -> None:
    game = await begin(table)
    for who, number in ((ANN, 2), (BOB, 0), (CID, 2), (ANN, 0), (UserId(104), 2)):
        await vote(table, game, who, legal(game, number))
    update = only(await decided(table))
    assert update.events[0].event.data == Moved(game.position.legal_moves()[2])
    assert results(update)[0].votes == 2
    assert results(update)[0].voters == 4


async def test_a_voter_can_change_their_vote_until_it_ends(table: Table) -> None:
    game = await begin(table)
    await vote(table, game, ANN, legal(game, 0))
    await vote(table, game, ANN, legal(game, 1))
    ballot = await vote(table, game, ANN, legal(game, 2))
    assert [share.move for share in ballot.standing.shares] == [game.position.legal_moves()[2]]
    assert results(only(await decided(table)))[0].voters == 1


async def test_a_vote_is_read_as_its_voter_sees_spaces(table: Table) -> None:
    game = await begin(table)
    (first, second), theirs = game.position.legal_moves()[:2], Coordinates.PERGIOCO
    assert (await vote(table, game, ANN, format_move(first, theirs), named=theirs)).own == first
    assert (await vote(table, game, ANN, legal(game, 1))).own == second


async def test_invalid_votes_are_refused_in_the_voters_notation(table: Table) -> None:
    game, theirs = await begin(table), Coordinates.PERGIOCO
    unreadable = await raises(refusals.UnreadableMove, vote(table, game, ANN, "z9", named=theirs))
    assert isinstance(unreadable.error, NotationError)
    assert unreadable.position == game.position
    backwards = Move(target=parse_move("k5").target, source=game.position.legal_moves()[0].source)
    with pytest.raises(refusals.IllegalPlay) as illegal:
        await vote(table, game, ANN, format_move(backwards, theirs), named=theirs)
    assert isinstance(illegal.value.error, IllegalMoveError)
    for refused in (unreadable, illegal.value):
        assert (refused.coordinates, refused.of_team) == (theirs, True)


async def test_votes_end(table: Table, engine: AsyncEngine) -> None:
    game = await begin(table)
    for number in range(MOST_CHANGES):
        await vote(table, game, ANN, legal(game, number % 2))
    assert await problem(vote(table, game, ANN, legal(game))) is VoteProblem.OFTEN
    await vote(table, game, BOB, legal(game))
    assert len((await all_rows(engine))["votes"]) == MOST_CHANGES + 1


@pytest.mark.both_databases
async def test_a_repeated_vote_counts_once(table: Table, engine: AsyncEngine) -> None:
    game = await begin(table)
    await vote(table, game, ANN, legal(game), source=SourceId(77))
    await raises(AlreadyHandled, vote(table, game, ANN, legal(game), source=SourceId(77)))
    await raises(AlreadyHandled, table.games.play(CHANNEL, ANN, legal(game), source=SourceId(77)))
    assert len((await all_rows(engine))["votes"]) == 1
    assert await table.store.games.has_source(SourceId(77))


async def test_a_move_that_is_entered_is_a_vote(table: Table) -> None:
    game = await begin(table)
    caught = await raises(refusals.TeamVotes, table.play(CID, legal(game)))
    assert (caught.game, caught.revision) == (game.row.id, game.row.revision)
    await raises(
        refusals.TeamVotes,
        table.games.pick(game.row.id, game.row.revision, CID, legal(game), source=table.source()),
    )
    assert (await raises(refusals.UnreadableMove, table.play(CID, "I like it here"))).of_team
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == game.row.revision


async def test_nobody_votes_on_the_machines_turn(table: Table) -> None:
    game = await begin(table, colour=ColorChoice.BLACK)
    await raises(refusals.NotYourVote, table.play(CID, legal(game)))
    await raises(refusals.NotYourVote, vote(table, game, CID, legal(game)))
    # If it is checked in between, its timer is postponed and not lost.
    assert await table.look() == []
    assert await none_is_due(table)
    assert await table.store.timers.due(ALL, table.clock() + timedelta(days=2))
    update = await table.games.play_by_machine(
        game.row.id, game.row.revision, game.position.legal_moves()[0]
    )
    assert update is not None
    assert update.deadline == table.clock() + HOUR
    assert update.pings == (), "nobody can ping a team"
    await vote(table, update.game, ANN, legal(update.game))
    assert results(only(await decided(table)))[0].voters == 1


async def test_an_only_move_is_played_automatically(
    table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No vote could change the result. The machine leaves the team as few moves as possible."""
    monkeypatch.setattr(game_table, "opening_seeds", lambda *_: (4_071_050_724,))
    game = await begin(table)
    automatic = 0
    while game.is_running:
        if game.is_voted:
            assert len(game.position.legal_moves()) > 1
            await vote(table, game, ANN, legal(game, game.row.revision % 3 and -1))
            await table.look()
            clock.advance(hours=1, seconds=1)
            update = only(await table.look())
        else:
            position = game.position
            narrowest = min(
                position.legal_moves(), key=lambda move: len(position.play(move).legal_moves())
            )
            played = await table.games.play_by_machine(game.row.id, game.row.revision, narrowest)
            assert played is not None
            update = played
        automatic += sum(
            isinstance(event.event.data, Moved) and event.event.data.why is not None
            for event in update.events
        )
        game = update.game
    assert game.outcome is not None
    assert game.outcome.reason is EndReason.COUNT
    assert automatic


# Nobody votes


@pytest.mark.both_databases
async def test_votes_without_voters_finally_end_the_game(table: Table, store: Store) -> None:
    game = await begin(table)
    said = []
    for _ in range(2):
        assert await decided(table) == []
        assert await none_is_due(table)
        assert await table.look() == []
        unsent = await store.deliveries.unsent(game.row.id)
        said.append(sum(row.kind == VOTE_EXTENDED for row in unsent))
    assert said == [1, 1]
    shown = {row.key for row in unsent if row.kind == STANDING}
    assert len(shown) == 2, "each round is shown on the board"
    ballot = await table.of(Votes).open_vote(game)
    assert ballot.empty == 2
    assert vote_extended_text(IN_ENGLISH, ballot).content.startswith(
        "🗳️ No votes yet. Voting now ends <t:"
    )
    update = only(await decided(table))
    assert update.events[0].event.data == Aborted(no_votes=True)
    assert how(update.game) is EndReason.ABORT
    words = board(IN_ENGLISH, update).content
    assert words.startswith(
        "Nobody in <#500> voted, 3 times in a row. The game is over. No result."
    )


async def test_late_voters_have_the_rest_of_the_vote(table: Table) -> None:
    game = await begin(table)
    assert await decided(table) == []
    table.clock.advance(minutes=40)
    ballot = await vote(table, game, ANN, legal(game))
    assert game.turn_since is not None
    assert ballot.ends == game.turn_since + 2 * HOUR
    assert await table.look() == []
    table.clock.advance(minutes=20)
    assert results(only(await table.look()))[0].voters == 1


async def test_no_vote_ends_before_all_events_were_received(table: Table, clock: Clock) -> None:
    game = await begin(table)
    before = clock()
    await vote(table, game, ANN, legal(game))
    await table.look()
    clock.advance(hours=2)
    assert await table.look(heard=before) == []
    assert await table.look(heard=after_the_vote(table, game)) != []


async def test_a_vote_ends_with_its_hour(table: Table, clock: Clock) -> None:
    game = await begin(table)
    assert game.turn_since is not None
    ends = game.turn_since + HOUR
    await vote(table, game, ANN, legal(game))
    await table.look()
    clock.advance(seconds=(ends - clock()).total_seconds())
    assert results(only(await table.look(heard=ends)))[0].voters == 1


async def test_an_empty_vote_is_extended_with_its_duration(
    table: Table, store: Store, clock: Clock
) -> None:
    game = await begin(table)
    assert game.turn_since is not None
    ends = game.turn_since + HOUR
    await table.look()
    clock.advance(seconds=(ends - clock()).total_seconds() + 9)
    for heard, said in ((ends - timedelta(seconds=1), 0), (ends, 1)):
        assert await table.look(heard=heard) == []
        unsent = await store.deliveries.unsent(game.row.id)
        assert sum(row.kind == VOTE_EXTENDED for row in unsent) == said


async def test_an_outage_does_not_count_toward_a_vote(
    table: Table, store: Store, clock: Clock
) -> None:
    game = await begin(table)
    began = clock()
    clock.advance(hours=5)
    await store.outages.add(0, 1, Interval(begins=began, ends=clock()))
    await vote(table, game, ANN, legal(game))
    assert await table.look() == []
    ballot = await table.of(Votes).open_vote(game)
    assert (ballot.empty, ballot.ends) == (0, clock() + HOUR)


async def test_a_vote_begins_with_the_board_of_its_team(store: Store, clock: Clock) -> None:
    table = Table(store, clock, boards_arrive=False)
    game = await begin(table)
    clock.advance(hours=10)
    assert await table.look() == []
    assert (await table.of(Votes).open_vote(game)).ends == clock() + HOUR
    await send_unsent(table, game)
    assert (await table.of(Votes).open_vote(game)).ends == clock() + HOUR
    await vote(table, game, ANN, legal(game))
    clock.advance(minutes=61)
    (update,) = await table.look()
    move = update.game.position.legal_moves()[0]
    answered = await table.games.play_by_machine(game.row.id, update.game.row.revision, move)
    assert answered is not None
    clock.advance(hours=10)
    assert await table.look() == []
    await send_unsent(table, game)
    assert (await table.of(Votes).open_vote(answered.game)).ends == clock() + HOUR


# Two writers


async def test_a_vote_before_the_move_is_counted(hands: Hands, table: Table, clock: Clock) -> None:
    """The deadline has passed. Someone votes while the other process writes the move."""
    game = await begin(table)
    await vote(table, game, ANN, legal(game, 0))
    await table.look()
    clock.advance(hours=1, seconds=1)

    async def two_more(quick: Table) -> None:
        for who in (BOB, CID):
            await vote(quick, game, who, legal(game, 1))

    slow, quick = await hands.race(lambda slow: slow.look(), two_more)
    assert (slow, quick) == ([], None), "it is counted again"
    update = only(await table.look())
    assert update.events[0].event.data == Moved(game.position.legal_moves()[1])
    assert results(update)[0] == VoteResult(update.game.row.revision, 2, 3)


async def test_a_vote_after_the_move_is_refused(hands: Hands, table: Table, clock: Clock) -> None:
    game = await begin(table)
    await vote(table, game, ANN, legal(game, 0))
    await table.look()
    clock.advance(hours=1, seconds=1)
    slow, quick = await hands.race(
        lambda slow: vote(slow, game, BOB, legal(game, 1)), lambda quick: quick.look()
    )
    assert isinstance(slow, refusals.StaleBoard)
    assert isinstance(quick, list)
    assert results(only(quick))[0].voters == 1


async def test_two_processes_decide_once(hands: Hands, table: Table, clock: Clock) -> None:
    game = await begin(table)
    await vote(table, game, ANN, legal(game))
    await table.look()
    clock.advance(hours=1, seconds=1)
    slow, quick = await hands.race(lambda slow: slow.look(), lambda quick: quick.look())
    assert slow == []
    assert isinstance(quick, list)
    assert only(quick).game.row.revision == game.row.revision + 1
    assert await table.look() == []


@pytest.mark.both_databases
async def test_a_kill_in_mid_vote_loses_nothing(table: Table, store: Store, clock: Clock) -> None:
    game = await begin(table)
    await vote(table, game, ANN, legal(game, 1))
    await vote(table, game, BOB, legal(game, 1))
    other = Table(store, clock)  # like a bot that starts with an empty cache
    other.last_source = 9_000
    await vote(other, game, CID, legal(game, 0))
    update = only(await decided(other))
    assert update.events[0].event.data == Moved(game.position.legal_moves()[1])
    assert results(update) == (VoteResult(update.game.row.revision, 2, 3),)


async def test_the_board_shows_it_now_and_then(table: Table, store: Store, clock: Clock) -> None:
    """Votes at about the same time cause a single edit, of one row."""
    game = await begin(table)
    for who in range(1, 29):
        await vote(table, game, UserId(who), legal(game))
        clock.advance(seconds=1)
    rows = [row for row in await store.deliveries.unsent(game.row.id) if row.kind == STANDING]
    assert len(rows) == 2
    assert {row.event_key for row in rows} == {(game.row.id, game.row.revision)}
    due = await store.deliveries.due([STANDING], ALL, clock())
    assert len(due) == 1, "the last one is not due yet"


# The place and the time of a vote


async def test_nobody_votes_from_another_channel(table: Table) -> None:
    game = await begin(table)
    with pytest.raises(CannotVote) as elsewhere:
        await vote(table, game, BOB, legal(game), channel=ChannelId(999))
    assert elsewhere.value.problem is VoteProblem.ELSEWHERE
    assert elsewhere.value.channel == CHANNEL


@pytest.mark.both_databases
async def test_a_team_needs_its_channel_to_itself(table: Table) -> None:
    for_later = await table.challenge(BOB)
    await begin(table)
    await raises(ChannelBusy, table.accept(for_later, where=venue(has_threads=False)))
    await raises(CannotVote, begin(table))
    game = (await table.accept(for_later)).game  # it gets a thread
    assert game.row.own_thread


async def test_a_game_that_starts_in_between_is_not_overwritten(hands: Hands, table: Table) -> None:
    ordinary = await table.challenge(BOB)
    row = await table.lobby.challenge(
        terms(), opponent_is_bot=False, venue=venue(), source=table.source()
    )

    async def team(quick: Table) -> GameUpdate:
        return await quick.accept(row.id, MACHINE, where=venue())

    slow, quick = await hands.race(
        lambda slow: slow.accept(ordinary, where=venue(has_threads=False)), team
    )
    assert isinstance(slow, ChannelBusy)
    assert isinstance(quick, GameUpdate)


# Actions that a team can't take


async def test_no_single_member_acts_for_a_team(table: Table) -> None:
    game = await begin(table)
    here = game.row.id, game.row.revision, ANN
    refused = (
        table.leaving.resign(*here, source=table.source()),
        table.leaving.abort(game.row.id, game.row.revision, BOB, source=table.source()),
        table.leaving.may_leave_here(CHANNEL, BOB),
        table.games.seated_here(CHANNEL, ANN),
        table.ask(ANN, Offer.TAKEBACK),
        table.ask(ANN, Offer.DRAW),
    )
    for item in refused:
        await raises(refusals.TeamDecides, item)
    ended = await table.end()  # a moderator
    assert how(ended.game) is EndReason.ABORT
    await raises(refusals.GameNotRunning, vote(table, game, ANN, legal(game)))


async def test_the_starter_of_a_team_game_can_end_it(table: Table) -> None:
    game = await begin(table)
    for user, may in ((ANN, True), (BOB, False)):
        assert await table.leaving.may_end(game, user) is may
    await vote(table, game, BOB, legal(game))
    seen = game.row.revision
    game = only(await decided(table)).game  # the question may stay open while a vote ends
    update = await table.leaving.abort(game.row.id, seen, ANN, source=table.source())
    assert how(update.game) is EndReason.ABORT
    assert not await table.leaving.may_end(update.game, ANN)


async def test_a_teams_game_counts_as_a_game_between_people(table: Table) -> None:
    """There is no hint against the machine either: voters must think for themselves."""
    game = await begin(table)
    assert not game.gives_hints
    for user in (ANN, CID):
        await raises(refusals.NoEngineHelp, table.fair_play.check(game.position, user=user))


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"start": Start.PLACEMENT}, VoteProblem.START),
        ({"clock": TimeControl(bank=HOUR)}, VoteProblem.CLOCK),
        ({"place": Place.THREAD}, VoteProblem.THREAD),
    ],
)
async def test_terms_that_teams_cannot_play(
    table: Table, more: dict[str, Any], expected: VoteProblem
) -> None:
    assert await problem(begin(table, **more)) is expected


async def test_teams_need_a_channel_of_a_server(table: Table) -> None:
    alone = replace(venue(), is_direct=True)
    for where in (alone, replace(venue(), visiting=True)):
        asked = table.lobby.challenge(
            terms(), opponent_is_bot=False, venue=where, source=table.source()
        )
        assert await problem(asked) is VoteProblem.PLACE


async def test_one_votes_for_one_move(table: Table) -> None:
    game = await begin(table)
    two = f"{legal(game)} {legal(game, 1)}"
    with pytest.raises((CannotVote, refusals.UnreadableMove)):
        await vote(table, game, ANN, two)
    row, moves = game.row, game.position.legal_moves()
    for several in ((), moves[:2]):
        source = table.source()
        cast = table.of(Votes).cast(
            row.id, row.revision, ANN, several, channel=CHANNEL, source=source
        )
        assert await problem(cast) is VoteProblem.ONE_MOVE


async def test_a_button_votes_for_its_exact_move(table: Table) -> None:
    game = await begin(table)
    row, (move, *_) = game.row, game.position.legal_moves()

    async def press(label: str) -> OpenVote:
        source = table.source()
        with pytest.raises(refusals.TeamVotes) as entered:
            await table.games.pick(row.id, row.revision, ANN, label, source=source)
        return await table.of(Votes).cast(
            row.id, row.revision, ANN, entered.value.moves, channel=CHANNEL, source=source
        )

    assert (await press(format_move(move, row.coordinates))).own == move
    await raises(refusals.StaleBoard, press(f"{format_move(move, row.coordinates)} please"))


# Votes and their owners


@pytest.mark.both_databases
async def test_votes_are_given_out_and_deleted(table: Table, engine: AsyncEngine) -> None:
    game = await begin(table)
    await vote(table, game, CID, legal(game))
    await vote(table, game, BOB, legal(game, 1))
    (mine,) = (await table.store.queries(PrivacyTable).export(CID))["votes"]
    assert mine["move"] == str(game.position.legal_moves()[0])
    await table.privacy.delete(CID)
    assert (await table.store.queries(PrivacyTable).export(CID))["votes"] == []
    update = only(await decided(table))
    assert results(update)[0].voters == 1
    assert (update.game.row.white, update.game.row.black) == (TEAM, MACHINE)


@pytest.mark.both_databases
async def test_votes_are_forgotten_a_while_after_their_game(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game = await begin(table)
    await vote(table, game, ANN, legal(game))
    clock.advance(days=30)
    await table.lobby.expire(ALL)
    assert len((await all_rows(engine))["votes"]) == 1
    await table.end()
    clock.advance(seconds=(RETENTION_TIME - timedelta(seconds=1)).total_seconds())
    await table.lobby.expire(ALL)
    assert len((await all_rows(engine))["votes"]) == 1
    clock.advance(seconds=2)
    await table.lobby.expire(ALL)
    assert (await all_rows(engine))["votes"] == []
