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
    lines = (
        reader.gettext("Hi, I'm new here! Shall we figure it out together?"),
        reader.gettext("I'm small, but I'm quick!"),
        reader.gettext("Ready to hop?"),
        reader.gettext("Welcome to my pond!"),
        reader.gettext("I look prickly, but I play nicely."),
        reader.gettext("I'm hungry. Let's take some pieces!"),
        reader.gettext("A game! I've been waiting all day."),
        reader.gettext("I was asleep. I hope you're worth it."),
        reader.gettext("Take your time. Good moves grow slowly."),
        reader.gettext("Keep cool, and mind the ice."),
        reader.gettext("Nice stacks. I'd love to have them."),
        reader.gettext("I have a plan. Do you?"),
        reader.gettext("I wait, and then I pounce."),
        reader.gettext("I've seen many games. Show me a new one."),
        reader.gettext("Stay close to the red pieces. I'm out hunting."),
        reader.gettext("I often see how it ends. Do you?"),
        reader.gettext("Everything hangs on me. Give me all you've got!"),
    )
    return character_says(reader, level, lines[level - 1])


def farewell(reader: Reader, level: int, *, beaten: bool) -> str:
    """Return what a character says after it has lost or won."""
    return character_says(reader, level, (_beaten if beaten else _won)(reader)[level - 1])


def _beaten(reader: Reader) -> tuple[str, ...]:
    return (
        reader.gettext("You won! Will you show me how?"),
        reader.gettext("Squeak! You play well."),
        reader.gettext("I'm all out of hops. Well played!"),
        reader.gettext("Splash! You got me."),
        reader.gettext("You found a way past my spines!"),
        reader.gettext("What a feast you had!"),
        reader.gettext("Good game! My bone is yours."),
        reader.gettext("I let you win. Well, almost."),
        reader.gettext("Beautiful. I've learned something today."),
        reader.gettext("Brr, you stayed cool!"),
        reader.gettext("Caught! You can have them back."),
        reader.gettext("You saw through all my tricks."),
        reader.gettext("You've tamed me. Bravo!"),
        reader.gettext("I'll remember this one. Well played!"),
        reader.gettext("Few get away from me. Come and play again!"),
        reader.gettext("You put out my fire. I bow to you."),
        reader.gettext("That hardly ever happens to me. Congratulations!"),
    )


def _won(reader: Reader) -> tuple[str, ...]:
    return (
        reader.gettext("I won? Really? Let's play again!"),
        reader.gettext("Small paws, tall tower!"),
        reader.gettext("Hop, hop, hooray! Once more?"),
        reader.gettext("That was a good leap. Try again?"),
        reader.gettext("Ouch, sorry! Mind my spines next time."),
        reader.gettext("Delicious! Is there more?"),
        reader.gettext("I won! You were great, too."),
        reader.gettext("Now I can go back to sleep."),
        reader.gettext("Slowly but surely. Another game?"),
        reader.gettext("I slid right through. Again?"),
        reader.gettext("Thank you, I'll keep these."),
        reader.gettext("You didn't see that coming, did you?"),
        reader.gettext("One good leap was enough."),
        reader.gettext("Look for the turning point. It's worth it."),
        reader.gettext("A good hunt. You didn't make it easy."),
        reader.gettext("Warm, wasn't it? Come back soon."),
        reader.gettext("You were brave. Shall we play again?"),
    )


def character_says(reader: Reader, level: int, line: str) -> str:
    """Return a line spoken by a level's character: "**Pip**: Hi!"."""
    return with_explanation(reader, f"**{character(level)}**", line)
