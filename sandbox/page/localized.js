// The names of commands, options and choices in the client's language.

import { store } from "./store.js";

/** The displayed name of a command, option or choice. */
export const called = (one) => one.name_localizations?.[store.world.locale] ?? one.name;

/** The displayed description. */
export const described = (one) =>
    one.description_localizations?.[store.world.locale] ?? one.description;
