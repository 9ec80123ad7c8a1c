// Mentions, which are names in the text field and IDs in sent messages.

import { among } from "./combobox.js";
import { users } from "./sources.js";
import { store } from "./store.js";

const BEGUN = /(^|\s)@([^@\n]*)$/;

/** The people whose names start with the text before the caret. */
export function named(before) {
    const [, , typed] = BEGUN.exec(before) ?? [];
    if (typed === undefined) return [];
    return among(users())(typed).map((one) => ({ ...one, name: `@${one.name}` }));
}

/** The text before the caret, with the chosen name. */
export const withName = (before, name) => before.replace(BEGUN, `$1${name.replaceAll("$", "$$$$")} `);

/** The text to send, with mentions for all full names after an @. */
export function toIds(text) {
    const ids = new Map(users().map((one) => [one.name.toLowerCase(), one.value.user]));
    const names = [...ids.keys()].sort((a, b) => b.length - a.length);
    const either = names.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
    const written = new RegExp(`(?<![\\p{L}\\p{N}])@(${either})(?![\\p{L}\\p{N}])`, "giu");
    return text.replace(written, (as, name) => {
        const id = ids.get(name.toLowerCase());
        return id ? `<@${id}>` : as;
    });
}

/** The opposite, for editing a sent text. */
export const toNames = (text) =>
    text.replace(/<@!?(\d+)>/g, (known, id) =>
        store.world.users[id] ? `@${store.userName(id)}` : known,
    );
