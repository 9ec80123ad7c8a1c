"""The buttons around boards with odds."""

from bot.base.ids import ChallengeId
from bot.base.languages import Reader
from bot.connection.permissions import is_visiting
from bot.connection.posts import Button
from bot.features.odds.use_cases import Odds
from bot.features.odds.words import even_button, gap_line
from bot.play.doors.challenge_buttons import ChallengeAdvice, ChosenTerms, begin
from bot.play.doors.interactions import Answer, Component
from bot.play.model.terms import ChallengeRow, Start
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.challenges import challenge


class NextRungButton(Component, template=r"dvonn:odds"):
    """Play the next game of the ladder."""

    async def respond(self, answer: Answer) -> None:
        await begin(answer, ChosenTerms(to_machine=True, start=Start.ODDS))


class EvenButton(Component, template=r"dvonn:even:(?P<challenge>[0-9]{1,18})"):
    """Even it out, under the challenge of two who are far apart."""

    async def respond(self, answer: Answer) -> None:
        number = ChallengeId(int(self.found["challenge"]))
        row = await answer.services.lobby.choose_start(number, answer.user, Start.ODDS)
        reader, visiting = await answer.everybody(), is_visiting(answer.interaction)
        await answer.in_place(challenge(reader, row, visiting=visiting))


def advice(cases: UseCases) -> ChallengeAdvice:
    """Return the word on challenges: two who are far apart may want odds."""

    async def advise(reader: Reader, row: ChallengeRow) -> tuple[str, Button] | None:
        gap = await cases.of(Odds).gap(row.terms)
        return None if gap is None else (gap_line(reader, gap), even_button(reader, row.id))

    return ChallengeAdvice(advise)
