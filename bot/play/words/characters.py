"""The machine's characters, one per level: names, and lines at the start and end of a game.

Names are the same in every language. `renderer.faces` draws them.
"""

from typing import Final

from bot.base.formats import with_explanation
from bot.base.languages import Reader

_NAMES: Final = (
    *("Pip", "Mimi", "Lulu", "Kiko", "Olli", "Poppy", "Milo", "Nori", "Bao", "Suki", "Rico"),
    *("Juno", "Tora", "Uma", "Yuki", "Ember", "Ruby"),
)


def character(level: int) -> str:
    return _NAMES[level - 1]


def greeting(reader: Reader, level: int) -> str:
    """Return what a character says at the start of a game."""
    lines = {
        1: reader.gettext("Hi, I'm new here! Shall we figure it out together?"),
        2: reader.gettext("I'm small, but I'm quick!"),
        3: reader.gettext("Ready to hop?"),
        4: reader.gettext("Welcome to my pond!"),
        5: reader.gettext("I look prickly, but I play nicely."),
        6: reader.gettext("I'm hungry. Let's take some pieces!"),
        7: reader.gettext("A game! I've been waiting all day."),
        8: reader.gettext("I was asleep. I hope you're worth it."),
        9: reader.gettext("Take your time. Good moves grow slowly."),
        10: reader.gettext("Keep cool, and mind the ice."),
        11: reader.gettext("Nice stacks. I'd love to have them."),
        12: reader.gettext("I have a plan. Do you?"),
        13: reader.gettext("I wait, and then I pounce."),
        14: reader.gettext("I've seen many games. Show me a new one."),
        15: reader.gettext("Stay close to the red pieces. I'm out hunting."),
        16: reader.gettext("I often see how it ends. Do you?"),
        17: reader.gettext("Everything hangs on me. Give me all you've got!"),
    }
    return character_says(reader, level, lines[level])


def farewell(reader: Reader, level: int, *, beaten: bool) -> str:
    """Return what a character says after it was beaten, or after it won."""
    return character_says(reader, level, (_beaten if beaten else _won)(reader)[level])


def _beaten(reader: Reader) -> dict[int, str]:
    return {
        1: reader.gettext("You won! Will you show me how?"),
        2: reader.gettext("Squeak! You play well."),
        3: reader.gettext("I'm all out of hops. Well played!"),
        4: reader.gettext("Splash! You got me."),
        5: reader.gettext("You found a way past my spines!"),
        6: reader.gettext("What a feast you had!"),
        7: reader.gettext("Good game! My bone is yours."),
        8: reader.gettext("I let you win. Well, almost."),
        9: reader.gettext("Beautiful. I've learned something today."),
        10: reader.gettext("Brr, you stayed cool!"),
        11: reader.gettext("Caught! You can have them back."),
        12: reader.gettext("You saw through all my tricks."),
        13: reader.gettext("You've tamed me. Bravo!"),
        14: reader.gettext("I'll remember this one. Well played!"),
        15: reader.gettext("Few get away from me. Come and play again!"),
        16: reader.gettext("You put out my fire. I bow to you."),
        17: reader.gettext("That hardly ever happens to me. Congratulations!"),
    }


def _won(reader: Reader) -> dict[int, str]:
    return {
        1: reader.gettext("I won? Really? Let's play again!"),
        2: reader.gettext("Small paws, tall tower!"),
        3: reader.gettext("Hop, hop, hooray! Once more?"),
        4: reader.gettext("That was a good leap. Try again?"),
        5: reader.gettext("Ouch, sorry! Mind my spines next time."),
        6: reader.gettext("Delicious! Is there more?"),
        7: reader.gettext("I won! You were great, too."),
        8: reader.gettext("Now I can go back to sleep."),
        9: reader.gettext("Slowly but surely. Another game?"),
        10: reader.gettext("I slid right through. Again?"),
        11: reader.gettext("Thank you, I'll keep these."),
        12: reader.gettext("You didn't see that coming, did you?"),
        13: reader.gettext("One good leap was enough."),
        14: reader.gettext("Look for the turning point. It's worth it."),
        15: reader.gettext("A good hunt. You didn't make it easy."),
        16: reader.gettext("Warm, wasn't it? Come back soon."),
        17: reader.gettext("You were brave. Shall we play again?"),
    }


def character_says(reader: Reader, level: int, line: str) -> str:
    """Return a line spoken by a level's character: "**Pip**: Hi!"."""
    return with_explanation(reader, f"**{character(level)}**", line)
