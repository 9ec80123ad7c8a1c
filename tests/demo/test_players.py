from random import Random

from demo.players import choose, spell
from dvonn import Phase, Position, parse_move


def test_a_whole_game_is_legal_and_every_spelling_reads_back() -> None:
    chance = Random(3)
    position = Position.initial()
    spellings = set()
    while position.phase is not Phase.OVER:
        move = choose(position, chance)
        text = spell(move, chance)
        assert parse_move(text) == move
        spellings.add(text == str(move))
        position = position.play(move)

    assert position.plies > 49
    assert spellings == {True, False}


def test_the_same_seed_plays_the_same_game() -> None:
    def opening(seed: int) -> list[str]:
        chance, position, played = Random(seed), Position.initial(), []
        for _ in range(52):
            move = choose(position, chance)
            played.append(spell(move, chance))
            position = position.play(move)
        return played

    assert opening(5) == opening(5)
    assert opening(5) != opening(6)
