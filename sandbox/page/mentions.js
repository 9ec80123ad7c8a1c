// People named with an @: by their names where one writes, by their ids in what is sent.

import { among } from "./combobox.js";
import { users } from "./sources.js";
import { store } from "./store.js";

const BEGUN = /(^|\s)@([^@\n]*)$/;

/** The people whose names what stands before the caret may be the beginning of. */
export function named(before) {
    const [, , typed] = BEGUN.exec(before) ?? [];
    if (typed === undefined) return [];
    return among(users())(typed).map((one) => ({ ...one, name: `@${one.name}` }));
}

/** What stands before the caret, with the name that was chosen. */
export const withName = (before, name) => before.replace(BEGUN, `$1${name.replaceAll("$", "$$$$")} `);

/** A text as it is sent: each name of somebody here, written out behind an @, names them. */
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

/** The opposite, for whoever goes on with what was sent. */
export const toNames = (text) =>
    text.replace(/<@!?(\d+)>/g, (known, id) =>
        store.world.users[id] ? `@${store.userName(id)}` : known,
    );
