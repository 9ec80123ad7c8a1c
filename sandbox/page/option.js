// One option of a slash command: what it is filled in with, and its value.

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
 * What an option is filled in with.
 * @param {object} option as Discord has it
 * @param {(typed: string) => Promise<Array>} suggest asks the bot for suggestions
 * @param {() => void} onPick called when something was chosen
 * @returns {{ element: Element, input: Element, value: () => any }} null where nothing is filled in
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

/** Where an option's suggestions come from; nowhere for plain texts and numbers. */
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
        return Number.isNaN(number) ? value : number; // what is no number the server refuses in words
    }
    return value;
}
