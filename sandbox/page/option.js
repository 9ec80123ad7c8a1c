// An option of a slash command: its input and its value.

import { among, Combobox } from "./combobox.js";
import { h } from "./dom.js";
import { called, described } from "./localized.js";
import * as sources from "./sources.js";

const [INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT] = [
    4, 5, 6, 7, 8, 9, 10, 11,
];
const TRUTHS = [
    { name: "True", value: true },
    { name: "False", value: false },
];

/**
 * Create the input of an option.
 * @param {object} option in Discord's format
 * @param {(typed: string) => Promise<Array>} suggest queries the bot's suggestions
 * @param {() => void} onPick called after a choice
 * @returns {{ element: Element, input: Element, value: () => any }} the value is null if empty
 */
export function fieldOf(option, suggest, onPick) {
    const label = `${called(option)}: ${described(option)}`;
    const attributes = { "aria-required": Boolean(option.required) };
    if (option.type === ATTACHMENT) {
        const input = h("input", {
            type: "file",
            "aria-label": label,
            onchange: onPick,
            ...attributes,
        });
        return { element: input, input, value: () => input.files[0] ?? null };
    }
    attributes.placeholder = described(option);
    const source = sourceOf(option, suggest);
    if (source) {
        const free = Boolean(option.autocomplete);
        const box = new Combobox({ label, source, onPick, free, eager: true, attributes });
        return {
            element: box.element,
            input: box.input,
            value: () => convert(option, box.value),
        };
    }
    const numeric = option.type === INTEGER || option.type === NUMBER;
    const input = h("input", {
        type: "text",
        inputmode: numeric ? "decimal" : "text",
        maxlength: option.max_length ?? 6000,
        autocomplete: "off",
        "aria-label": label,
        ...attributes,
    });
    return { element: input, input, value: () => convert(option, input.value.trim() || null) };
}

/** The source of an option's suggestions. Plain texts and numbers have none. */
function sourceOf(option, suggest) {
    if (option.choices?.length)
        return among(option.choices.map((one) => ({ ...one, name: called(one) })));
    if (option.autocomplete) return suggest;
    switch (option.type) {
        case BOOLEAN:
            return among(TRUTHS);
        case USER:
            return (typed) => among(sources.users())(typed);
        case CHANNEL:
            return (typed) => among(sources.channels(option.channel_types))(typed);
        case ROLE:
            return (typed) => among(sources.roles())(typed);
        case MENTIONABLE:
            return (typed) => among([...sources.users(), ...sources.roles()])(typed);
        default:
            return null;
    }
}

function convert(option, value) {
    if (typeof value !== "string") return value;
    if (option.type === INTEGER || option.type === NUMBER) {
        const number = Number(value);
        return Number.isNaN(number) ? value : number; // the server refuses other texts with a message
    }
    return value;
}
