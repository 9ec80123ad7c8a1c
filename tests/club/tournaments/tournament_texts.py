"""Rounds of a tournament, written as text."""

from dataclasses import replace

from bot.base.ids import UserId
from club.tournaments.model.tournament import BYE, Pairing, PairingResult, Tournament

RESULTS = {
    "1-0": (PairingResult.WHITE, False),
    "0-1": (PairingResult.BLACK, False),
    "=": (PairingResult.DRAW, False),
    "+-": (PairingResult.WHITE, True),
    "-+": (PairingResult.BLACK, True),
    "--": (PairingResult.NEITHER, True),
    "bye": (PairingResult.BYE, False),
    "?": (None, False),
}


def played(tournament: Tournament, *rounds: str) -> Tournament:
    """Return rounds such as "1 1-0 4, 2 = 3, 5 bye": seeds and results."""
    pairings = []
    for number, text in enumerate(rounds, start=1):
        for board, pair in enumerate(text.split(", "), start=1):
            white, result, *black = pair.split()
            found, forfeit = RESULTS[result]
            pairings.append(
                Pairing(
                    round=number,
                    board=board,
                    white=UserId(100 + int(white)),
                    black=UserId(100 + int(black[0])) if black else BYE,
                    result=found,
                    forfeit=forfeit,
                    margin=board,
                )
            )
    return replace(tournament, pairings=tuple(pairings), round=len(rounds))
