"""The effect of a game that is over on its tournament, in words."""

from bot.base.formats import together
from bot.base.locales import Reader
from bot.connection.posts import Button, ButtonStyle, escaped, instant, user
from bot.features.tournaments.model.results import Brought, PresenceQuestion
from bot.features.tournaments.model.terms import TournamentState
from bot.features.tournaments.words.terms import button_id
from bot.play.model.game import Game


def in_tournament(reader: Reader, game: Game, brought: Brought) -> list[str]:
    """Describe the effect on the tournament, where the game's result does not say it."""
    if game.outcome is None:
        return []
    name = f"**{escaped(brought.name)}**"
    lines = []
    if brought.question is not None:
        lines.append(_question(reader, game, brought.question, name))
    elif brought.result is None:
        return _over(reader, brought.state, name)
    winner = None if brought.result is None else brought.result.winner
    if winner is not None and not game.outcome.has_result:
        sentence = reader.gettext("In the tournament it counts as a win for {player}.")
        lines.append(sentence.format(player=user(game.player(winner))))
    if brought.can_be_set and not brought.missed:
        lines.append(
            reader.gettext(
                "It counts for nobody in the tournament; organisers can set a result with "
                "/tournament correct."
            )
        )
    if brought.missed:
        players = together(reader, map(user, brought.missed))
        sentence = reader.ngettext(
            "{players}, you missed this game, so {tournament} goes on without you. Back again? "
            "/tournament join lets you in.",
            "{players}, you both missed this game, so {tournament} goes on without you. Back "
            "again? /tournament join lets you in.",
            len(brought.missed),
        )
        lines.append(sentence.format(players=players, tournament=name))
    return lines


def answer_button(reader: Reader, game: Game, brought: Brought) -> tuple[Button, ...]:
    """Return the button for the player who is asked, under a game's last board."""
    if brought.question is None or game.row.tournament is None:
        return ()
    number = button_id(game.row.tournament, "came", game.row.id)
    return (Button(reader.gettext("I'm here"), number, ButtonStyle.PRIMARY),)


def _question(reader: Reader, game: Game, question: PresenceQuestion, tournament: str) -> str:
    """Return the question to a player who had no turn in a game, as the other never came."""
    sentence = (
        reader.gettext(
            "{player}, {opponent} didn't come. Are you here? Press {verb} by {moment} and you win "
            "this game. If you don't, nobody wins, and {tournament} goes on without you both."
        )
        if question.goes_on_without
        else reader.gettext(
            "{player}, {opponent} didn't come. Are you here? Press {verb} by {moment} and you win "
            "this game. If you don't, nobody wins."
        )
    )
    verb = reader.gettext("I'm here")
    return sentence.format(
        player=user(question.player),
        opponent=user(game.opponent(question.player)),
        verb=f"*{verb}*",
        moment=instant(question.until),
        tournament=tournament,
    )


def _over(reader: Reader, state: TournamentState, name: str) -> list[str]:
    """Explain why a game does not count for its tournament: people may not know that it is over."""
    match state:
        case TournamentState.DONE:
            sentence = reader.gettext("{tournament} is over, so this game doesn't count for it.")
        case TournamentState.CANCELLED:
            sentence = reader.gettext(
                "{tournament} was cancelled, so this game doesn't count for it."
            )
        case _:  # somebody in it had all about them deleted
            return []
    return [sentence.format(tournament=name)]
