"""Sentences for players, in their language. So far that is English: what stands in the code."""

from gettext import NullTranslations

_translations = NullTranslations()

gettext = _translations.gettext
"""A sentence in the player's language; `{names}` are filled in afterwards."""

ngettext = _translations.ngettext
"""A sentence that depends on a number, in the player's language."""
