// The form of a slash command, option by option.

import { act } from "./api.js";
import { h } from "./dom.js";
import { openForm } from "./form.js";
import { called, described } from "./localized.js";
import { fieldOf } from "./option.js";
import { store } from "./store.js";

const [SUBCOMMAND, GROUP] = [1, 2];

/**
 * All commands of this channel, with separate subcommands, such as `setup show`.
 * `name` is for the bot, and `called` is the name in the user's language.
 */
export function entries() {
    return store.commands.flatMap((command) => leaves(command, command.name, called(command)));
}

function leaves(level, name, shown) {
    const options = level.options ?? [];
    const nested = options.filter((one) => one.type === SUBCOMMAND || one.type === GROUP);
    const names = [shown, name]; // both can be typed
    if (!nested.length)
        return [{ name, called: shown, names, description: described(level), options }];
    return nested.flatMap((one) => leaves(one, `${name} ${one.name}`, `${shown} ${called(one)}`));
}

/** A command that is being filled in. `done` is called when it was sent or canceled. */
export class CommandEntry {
    constructor(entry, done, tell) {
        this.entry = entry;
        this.done = done;
        this.tell = tell;
        this.fields = new Map(); // option's name -> { element, input, value }
        this.place = h("div", { class: "options" });
        this.more = h("div", { class: "more" });
        const leave = h(
            "button",
            { type: "button", class: "icon", "aria-label": "Leave the command", onclick: done },
            "✕",
        );
        this.sender = h("button", { type: "submit", class: "button primary" }, "Send");
        this.element = h(
            "form",
            {
                class: "command",
                "aria-label": `Command ${entry.called}`,
                onsubmit: (event) => this.send(event),
                onkeydown: (event) => this.onKey(event),
            },
            h(
                "p",
                { class: "about" },
                h("b", {}, `/${entry.called}`),
                " ",
                h("span", {}, entry.description),
                leave,
            ),
            this.place,
            h("div", { class: "foot" }, this.more, this.sender),
        );
    }

    /** Show and focus the missing options. */
    begin() {
        const required = this.entry.options.filter((one) => one.required);
        const first = required.length ? required : this.entry.options.slice(0, 1);
        for (const option of first) this.add(option);
        this.drawMore();
        const [field] = this.fields.values();
        (field?.input ?? this.sender).focus();
    }

    add(option) {
        const field = this.field(option);
        this.fields.set(option.name, field);
        const name = h("span", { class: "label" }, called(option));
        const drop = () => {
            field.row.remove();
            this.fields.delete(option.name);
            this.drawMore();
            this.sender.focus();
        };
        const remove =
            !option.required &&
            h(
                "button",
                {
                    type: "button",
                    class: "icon",
                    "aria-label": `Remove ${called(option)}`,
                    onclick: drop,
                },
                "✕",
            );
        field.row = h(
            "div",
            { class: "option", title: described(option) },
            name,
            field.element,
            remove,
        );
        this.place.append(field.row);
        return field;
    }

    drawMore() {
        const missing = this.entry.options.filter((one) => !this.fields.has(one.name));
        const buttons = missing.map((option) => {
            const add = () => {
                const field = this.add(option);
                this.drawMore();
                field.input.focus();
            };
            return h(
                "button",
                { type: "button", class: "chip", title: described(option), onclick: add },
                `+ ${called(option)}`,
            );
        });
        this.more.replaceChildren(...buttons);
    }

    field(option) {
        const suggest = (typed) => this.autocomplete(option, typed);
        return fieldOf(option, suggest, () => this.next(option.name));
    }

    async autocomplete(option, typed) {
        const options = { ...this.values(), [option.name]: typed };
        const body = { ...this.body(), options, focused: option.name };
        const { choices } = await act("autocomplete", body);
        return choices;
    }

    body() {
        return { as: store.me, channel: store.channel, command: this.entry.name };
    }

    values() {
        const pairs = [...this.fields].map(([name, field]) => [name, field.value()]);
        return Object.fromEntries(
            pairs.filter(([, value]) => value !== null && !(value instanceof File)),
        );
    }

    /** The chosen files by option name. */
    files() {
        const pairs = [...this.fields].map(([name, field]) => [name, field.value()]);
        return pairs.filter(([, value]) => value instanceof File);
    }

    /** After a choice, focus the next empty option, or the button that sends. */
    next(name) {
        const names = [...this.fields.keys()];
        const empty = names
            .slice(names.indexOf(name) + 1)
            .find((one) => this.fields.get(one).value() === null);
        (empty ? this.fields.get(empty).input : this.sender).focus();
    }

    onKey(event) {
        if (event.key === "Escape") this.done();
        else if (
            event.key === "Backspace" &&
            event.target.tagName === "INPUT" &&
            !event.target.value
        ) {
            if (event.target === [...this.fields.values()][0]?.input) {
                event.preventDefault();
                this.done();
            }
        }
    }

    async send(event) {
        event.preventDefault();
        if (this.sending) return;
        document.activeElement?.blur(); // a fully typed name counts as chosen
        const missing = this.entry.options.find(
            (one) => one.required && (this.fields.get(one.name)?.value() ?? null) === null,
        );
        if (missing) {
            this.tell(`Fill in ${called(missing)}: ${described(missing)}`);
            this.fields.get(missing.name).input.focus();
            return;
        }
        this.sending = true;
        this.element.setAttribute("aria-busy", "true");
        this.tell("");
        try {
            const files = this.files();
            const named = Object.fromEntries(files.map(([name], n) => [name, { file: n }]));
            const options = { ...this.values(), ...named };
            const contents = files.map(([, file]) => file);
            const { form } = await act("slash", { ...this.body(), options }, contents);
            this.done();
            if (form) openForm(form);
        } catch (refusal) {
            this.tell(`/${this.entry.called}: ${refusal.message}`);
            ([...this.fields.values()][0]?.input ?? this.sender).focus();
        } finally {
            this.sending = false;
            this.element.removeAttribute("aria-busy");
        }
    }
}
