// What commands, their options and choices are called in the language of one's client.

import { store } from "./store.js";

/** The name of a command, an option or a choice as people read it. */
export const called = (one) => one.name_localizations?.[store.world.locale] ?? one.name;

/** What it is told to be for. */
export const described = (one) =>
    one.description_localizations?.[store.world.locale] ?? one.description;
