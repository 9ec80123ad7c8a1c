"""Use cases for studies: of a game, of a pasted text, or of a game against oneself."""

from collections.abc import Callable

from bot.base.ids import GameId, GuildId, UserId
from bot.play.model.game import Game
from bot.play.model.openings import opening
from bot.play.model.terms import Start
from bot.play.use_cases.ledger import retry_on_conflict
from bot.play.use_cases.use_cases import UseCases
from bot.replay.model.replays import MoveSequence, ReplayCursor, ReplayView, sequence_of, view_at
from dvonn import Node, position_from_text, position_to_text
from school.explore import model
from school.explore.store import StudyTable

LISTED = 25
"""Maximum number of studies in a select (Discord's limit)."""


class Studies:
    """Use cases for studies, which only their owners can see."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._studies = cases.store.queries(StudyTable)
        self._game_cache = cases.game_cache
        self._now = cases.now
        self._rng = cases.rng

    async def open(self, view: ReplayView, user: UserId) -> model.Study:
        """Open a user's study at the shown position. The shown line is added to it.

        Raises:
            StudyFull: if there is no room for the line.
        """

        async def do() -> model.Study:
            study = await self._find(view, user)
            if study is None:
                return await self._begin(model.new_study(view, user))
            return await self._change(study, study.with_place(view.path.moves))

        return await retry_on_conflict(self._store, do)

    async def resume(self, game: Game, user: UserId) -> model.Study:
        """Open a user's study of a game where they left it, or at the end if the game is running.

        Raises:
            StudyFull: if there is no room for the shown line.
        """
        row = None if game.is_running else await self._studies.of_game(game.row.id, user)
        if row is not None and row.kept:
            return model.study_of(row, game)
        course = sequence_of(game)
        return await self.open(view_at(ReplayCursor(game.row.id, course.plies), course, game), user)

    async def both_sides(self, user: UserId, guild: GuildId, start: Start) -> model.Study:
        """Start a study with both sides played by the user."""
        seed = await self._store.games.new_board(start, guild, self._rng)
        # Moves that lead to a start position are not stored, so use the position as it will be
        # read.
        position = position_from_text(position_to_text(opening(start, seed)))
        return await self._begin(
            model.new_study(view_at(ReplayCursor(None), MoveSequence(position, ())), user)
        )

    async def get(self, number: int, user: UserId) -> model.Study:
        """Return a user's study.

        Raises:
            StudyNotFound: if the study does not exist, or belongs to another user.
        """
        row = await self._studies.get(number, user)
        if row is None:
            raise model.StudyNotFound
        return model.study_of(row, await self._game(row.game))

    async def change(
        self, number: int, revision: int, user: UserId, change: Callable[[model.Study], model.Study]
    ) -> tuple[model.Study, bool]:
        """Change a user's study, unless it has changed since they saw it.

        Returns:
            The study, and True if this call changed it.

        Raises:
            StudyNotFound: as in `get`.
            StudyFull: if the changed study is too large.
            PlayError, DvonnError: if `change` raises it.
        """

        async def do() -> tuple[model.Study, bool]:
            study = await self.get(number, user)
            if study.revision != revision:
                return study, False
            return await self._change(study, change(study)), True

        return await retry_on_conflict(self._store, do)

    async def saved(self, user: UserId) -> list[model.StudyRow]:
        return await self._studies.saved(user, limit=LISTED)

    async def tree(self, game: Game, user: UserId) -> Node | None:
        """Return a game's moves with a user's own lines and comments, or None if they have none."""
        row = await self._studies.of_game(game.row.id, user)
        return (
            None
            if row is None or not row.kept
            else model.annotated_moves(model.study_of(row, game))
        )

    async def _find(self, view: ReplayView, user: UserId) -> model.Study | None:
        if view.game is not None:
            row = await self._studies.of_game(view.game.row.id, user)
            return None if row is None else model.study_of(row, view.game)
        course = view.sequence
        for row in await self._studies.starting_from(model.checksum(course.start), user):
            study = model.study_of(row, None)
            if study.root.at(course.moves) is not None:
                return study
        return None

    async def _game(self, number: GameId | None) -> Game | None:
        return None if number is None else await self._game_cache.existing(number)

    async def _begin(self, study: model.Study) -> model.Study:
        row = await self._studies.begin(study.row(self._now()))
        return study.stored(row.id, row.revision)

    async def _change(self, study: model.Study, new: model.Study) -> model.Study:
        if new == study:
            return study
        new = new.stored(study.id, study.revision + 1)
        await self._studies.change(new.row(self._now()), revision=study.revision)
        return new
