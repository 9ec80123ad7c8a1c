"""The story that the demo plays: a challenge, a whole game, and the last board as text."""

from collections.abc import Callable, Mapping
from random import Random

from demo.commands import use
from demo.players import choose, spell
from demo.scrapbook import BOARD, Scrapbook
from dvonn import Color, GameRecord, Move, Phase, Position
from sandbox import Channel, Message, Person

SLASH_EVERY = 7
"""Number of plies between uses of /move. In between, players type their moves."""
SLIP_AT_PLY = 9
"""Ply before which a player tries to place on an occupied space."""


class StoryError(Exception):
    """The bot contradicted the rules."""


class Story:
    """One person challenges the other, and they play until nobody can move.

    Args:
        channel: The channel of the game.
        players: White, who challenges, and Black, who accepts.
        chance: Random number generator for the moves.
        scrapbook: The scrapbook of all messages.
        print_line: Called with each line of progress.
    """

    def __init__(
        self,
        channel: Channel,
        players: Mapping[Color, Person],
        chance: Random,
        scrapbook: Scrapbook,
        print_line: Callable[[str], None],
    ) -> None:
        self._channel = channel
        self._players = players
        self._chance = chance
        self._scrapbook = scrapbook
        self._print_line = print_line
        self._position = Position.initial()
        self._moves: list[Move] = []

    async def play(self) -> GameRecord:
        """Play the whole game, and return it.

        Raises:
            StoryError: if the bot contradicts the rules.
            TimeoutError: if the bot did not answer.
        """
        board = await self._begin()
        while self._position.turn is not None:
            board = await self._take_turn(self._position.turn, board)
        await self._end(board)
        names = {color.name.title(): person.name for color, person in self._players.items()}
        return GameRecord(self._moves, names)

    async def _begin(self) -> Message:
        white, black = self._players[Color.WHITE], self._players[Color.BLACK]
        self._print_line(f"{white.name} challenges {black.name}, who accepts")
        await self._say(white, f"Hi {black.name}! A game of DVONN?")
        terms = {"colour": "white", "start": "placement"}
        answer = await use(white, self._channel, "challenge", opponent=black, **terms)
        challenge = await answer.settled()
        await self._keep(challenge, f"{white.name} used /challenge")
        await black.click(challenge, "Accept")
        board = await self._board(0, after=challenge)
        await self._say(black, "Sure. Have fun!")
        return board

    async def _take_turn(self, color: Color, board: Message) -> Message:
        person = self._players[color]
        ply = self._position.plies + 1
        if ply == SLIP_AT_PLY:
            await self._slip(person)
        move = choose(self._position, self._chance)
        if ply % SLASH_EVERY == 0:
            text = f"/move {move}"
            await person.slash(self._channel, "move", move=str(move))
        else:
            text = spell(move, self._chance)
            await self._say(person, text)
        self._position = self._position.play(move)
        self._moves.append(move)
        self._print_line(f"{ply:4}  {person.name:<4} {text:<14} {self._consequences()}".rstrip())
        return await self._board(ply, after=board)

    def _consequences(self) -> str:
        position = self._position
        notes = []
        if cut := sum(map(len, position.removed.values())):
            notes.append(f"cuts off {cut}")
        notes += [f"{self._players[color].name} must pass" for color in position.passed]
        if position.phase is Phase.MOVEMENT and self._moves[-1].source is None:
            notes.append("the board is full, now stacks move")
        return ", ".join(notes)

    async def _slip(self, person: Person) -> None:
        """Try an occupied space, and record the bot's refusal."""
        occupied = next(iter(self._position.stacks))
        attempt = await self._say(person, occupied)
        refusal = await self._channel.wait_for(
            lambda message: (
                message.reference is not None and message.reference.message_id == attempt.id
            ),
            after=attempt,
        )
        await self._keep(refusal, f"To {person.name}'s {occupied}")
        self._print_line(f"      {person.name:<4} {occupied:<14} is refused: {refusal.content}")

    async def _end(self, board: Message) -> None:
        scores = [self._position.score(color) for color in Color]
        winner = self._position.winner
        expected = [str(score) for score in scores]
        if winner is not None:
            expected.append(self._players[winner].mention)
        if missing := [words for words in expected if words not in board.content]:
            raise StoryError(f"the last board doesn't contain {missing}: {board.content}")
        result = "-".join(str(score) for score in sorted(scores, reverse=True))
        moves = f"{result} after {self._position.plies} moves"
        self._print_line(
            f"A draw, {moves}" if winner is None else f"{self._players[winner].name} wins {moves}"
        )
        black = self._players[Color.BLACK]
        answer = await black.menu(board, "Board as text")
        await self._keep(await answer.settled(), f"{black.name} used Board as text", black)
        await self._say(black, "Good game!")

    async def _board(self, revision: int, *, after: Message) -> Message:
        """Wait for the bot's board of a revision, and return its message."""
        board = await self._channel.wait_for(
            lambda message: any(
                (named := BOARD.fullmatch(attachment.filename))
                and int(named["revision"]) == revision
                for attachment in message.attachments
            ),
            after=after,
        )
        if not all(attachment.description for attachment in board.attachments):
            raise StoryError(f"the board after ply {revision} has no alt text")
        await self._keep(board)
        return board

    async def _say(self, person: Person, text: str) -> Message:
        message = await person.say(self._channel, text)
        await self._keep(message)
        return message

    async def _keep(
        self, message: Message, answers: str = "", viewer: Person | None = None
    ) -> None:
        seen_by = viewer or self._players[Color.WHITE]
        await self._scrapbook.keep(message, seen_by=seen_by, answers=answers)
