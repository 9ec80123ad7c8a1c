"""The help topic about personal data."""

from typing import Final

from bot.guide.topics import Topic

PRIVACY: Final = Topic(
    words=(
        "privacy, my data, daten, datenschutz, données, confidentialité, datos, privacidad, dati, "
        "gegevens"
    ),
    answer=lambda reader: reader.gettext(
        "In /settings, *Privacy* shows you everything I keep about you, or deletes it."
    ),
)
