// The choices of selects: people, channels, roles and options.

import { store } from "./store.js";

const TEXT_CHANNELS = new Set([0, 2, 5, 10, 11, 12, 13]);

const plain = (id) => ({ name: store.userName(id), value: { user: id }, detail: "" });

/** The people here: a server's members, or both people of direct messages. */
export function users() {
    const { direct, bot } = store.world;
    const members = store.channel === direct?.id ? [bot.id, store.me] : store.guild.members;
    return members.map((id) => ({ ...plain(id), detail: describe(id) }));
}

function describe(id) {
    if (id === store.me) return "you";
    return store.world.users[id].bot ? "bot" : "";
}

export function roles() {
    const pairs = Object.entries(store.guild.roles);
    return pairs.map(([id, name]) => ({ name: `@${name}`, value: { role: id } }));
}

export function channels(kinds) {
    const wanted = kinds?.length ? new Set(kinds) : TEXT_CHANNELS;
    const fitting = store.guild.channels.filter((one) => wanted.has(one.kind));
    return fitting.map((one) => ({ name: `#${one.name}`, value: { channel: one.id } }));
}

/** All choices of a select of a type. */
export function offers(one) {
    if (one.type === 3) {
        return one.options.map(({ label, value, description, default: chosen }) => ({
            name: label,
            value,
            detail: description,
            chosen,
        }));
    }
    const of = (...types) => types.includes(one.type);
    const chosen = new Set(one.default_values?.map(({ id }) => id));
    const offered = [
        ...(of(5, 7) ? users() : []),
        ...(of(6, 7) ? roles() : []),
        ...(of(8) ? channels(one.channel_types) : []),
    ];
    return offered.map((item) => ({ ...item, chosen: chosen.has(Object.values(item.value)[0]) }));
}
