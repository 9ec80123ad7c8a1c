"""Languages, themes and coordinate systems as options of selects."""

from collections.abc import Callable
from typing import Final

from bot.base.formats import with_explanation
from bot.base.languages import Reader, languages
from bot.base.languages import reader_for as reader_of
from bot.connection import posts
from bot.play.model.preferences import Style
from bot.play.words.pictures import Themes, look_of, themes
from dvonn import Coordinates
from renderer import THEMES

AS_USUAL: Final = "usual"
"""Select value for "use the default"."""


def sheet(reader: Reader) -> Themes:
    return themes(reader, "themes.png")


def style_choices(
    reader: Reader, style: Style, defaults: tuple[str, str, str]
) -> tuple[str, str, str]:
    """Return the names of a style's language, theme and coordinates, or of the defaults."""
    language, theme, coordinates = defaults
    if style.language is not None:
        language = _own_name(style.language)
    if style.theme is not None and style.theme in THEMES:
        theme = look_of(reader).words.theme(style.theme)
    if style.coordinates is not None:
        coordinates = naming(reader, style.coordinates)
    return language, theme, coordinates


def style_lines(reader: Reader, style: Style, defaults: tuple[str, str, str]) -> list[str]:
    language, theme, coordinates = style_choices(reader, style, defaults)
    chosen = (
        (reader.gettext("Language"), language),
        (reader.gettext("Theme of boards"), theme),
        (reader.gettext("Coordinates"), coordinates),
    )
    return [with_explanation(reader, f"**{title}**", f"{choice}.") for title, choice in chosen]


def style_selects(
    reader: Reader, made_id: Callable[[str], str], style: Style, defaults: tuple[str, str, str]
) -> tuple[posts.Select, ...]:
    words = look_of(reader).words
    lists = (
        (
            "language",
            reader.gettext("Language"),
            [(language, _own_name(language)) for language in languages()],
            style.language,
        ),
        (
            "theme",
            reader.gettext("Theme of boards"),
            [(key, words.theme(key)) for key in THEMES],
            style.theme,
        ),
        (
            "coordinates",
            reader.gettext("Coordinates"),
            [(coordinates.value, naming(reader, coordinates)) for coordinates in Coordinates],
            None if style.coordinates is None else style.coordinates.value,
        ),
    )
    return tuple(
        posts.Select(
            made_id(name),
            title,
            (
                posts.Option(
                    titled_option(reader, title, default),
                    AS_USUAL,
                    chosen=all(key != current for key, _ in options),
                ),
                *(
                    posts.Option(titled_option(reader, title, label), key, chosen=key == current)
                    for key, label in options
                ),
            ),
        )
        for (name, title, options, current), default in zip(lists, defaults, strict=True)
    )


def titled_option(reader: Reader, title: str, choice: str) -> str:
    """Return an option whose label also names its select, which shows only the chosen option."""
    return with_explanation(reader, title, choice)[: posts.OPTION_LIMIT]


def _own_name(language: str) -> str:
    name = str(reader_of(language).formats.display_name)
    return name[:1].upper() + name[1:]


def naming(reader: Reader, coordinates: Coordinates) -> str:
    if coordinates is Coordinates.STANDARD:
        return reader.gettext("standard, a1 to k5")
    return reader.gettext("pergioco, e1 to a11")
