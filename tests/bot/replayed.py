"""Games replayed from events without a store, for tests of texts."""

from datetime import UTC, datetime
from typing import Any

from bot.base.ids import ChallengeId, ChannelId, GameId, GuildId, Revision, SourceId, UserId
from bot.connection.posts import Post
from bot.play.game_changes import GameUpdate
from bot.play.model.events import (
    AnyEventData,
    Deserted,
    Event,
    Moved,
    Started,
    TimedOut,
    apply_event,
)
from bot.play.model.game import Game, GameRow, before_start
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColorChoice,
    Place,
    Start,
)
from dvonn import Coordinates, parse_move

ANN, BOB, CID = UserId(100000000000000001), UserId(100000000000000002), UserId(100000000000000003)
A, B, C = f"<@{ANN}>", f"<@{BOB}>", f"<@{CID}>"


def new_game(coordinates: Coordinates = Coordinates.STANDARD) -> Game:
    row = GameRow(
        id=GameId(12),
        guild=GuildId(1),
        channel=ChannelId(2),
        white=ANN,
        black=BOB,
        coordinates=coordinates,
        start=Start.PLACEMENT,
        seed=0,
        own_thread=False,
        revision=Revision(0),
    )
    return before_start(row)


def step(
    game: Game, what: AnyEventData, actor: UserId, *, is_claim: bool = False
) -> tuple[Game, GameUpdate]:
    by_itself = isinstance(what, TimedOut | Deserted) and not is_claim
    event = Event(
        game=game.row.id,
        revision=Revision(game.row.revision + 1),
        data=what,
        actor=actor,
        source=None if by_itself else SourceId(game.row.revision + 5),
        at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    told, after = apply_event(game, event)
    return after, GameUpdate(after, (told,), ())


RULE = "A stack moves in a straight line, exactly as far as it is tall. It must land on a piece."
"""The rule under a board on which stacks start to move."""


def play(game: Game, *texts: str) -> tuple[Game, list[GameUpdate]]:
    updates = []
    for text in texts:
        assert game.to_move is not None
        game, update = step(game, Moved(parse_move(text)), game.to_move)
        updates.append(update)
    return game, updates


def started(coordinates: Coordinates = Coordinates.STANDARD) -> Game:
    return step(new_game(coordinates), Started(), BOB)[0]


def challenge(*, state: ChallengeState = ChallengeState.OPEN, **terms: Any) -> ChallengeRow:
    """Ann's challenge to Bob."""
    usual: dict[str, Any] = {
        "guild": GuildId(1),
        "channel": ChannelId(2),
        "challenger": ANN,
        "opponent": BOB,
        "colour": ColorChoice.RANDOM,
        "coordinates": Coordinates.STANDARD,
        "place": Place.HERE,
        "rated": False,
    }
    return ChallengeRow(
        id=ChallengeId(4),
        terms=ChallengeTerms(**usual | terms),
        state=state,
        game=None,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def labels(post: Post) -> list[str]:
    return [button.label for button in post.buttons]
