// A text field with suggestions.

import { h } from "./dom.js";
import { Listbox } from "./listbox.js";

const PAUSE_MS = 120; // pause in typing before a query

/** Suggestions from a fixed list that contain the typed text, those that start with it first. */
export function among(items) {
    return (typed) => {
        const wanted = typed.toLowerCase();
        const at = (item) => item.name.toLowerCase().indexOf(wanted);
        return items.filter((item) => at(item) >= 0).sort((a, b) => (at(a) > 0) - (at(b) > 0));
    };
}

export class Combobox {
    /**
     * @param {object} options
     * @param {string} options.label
     * @param {(typed: string) => object[]|Promise<object[]>} options.source items with name and value
     * @param {(item: object|null) => void} [options.onPick]
     * @param {boolean} [options.free] whether any text is allowed, not only suggestions
     * @param {boolean} [options.eager] whether the list opens when the field gets the focus
     * @param {object|null} [options.chosen] the initial value
     * @param {object} [options.attributes] for the field
     */
    constructor({
        label,
        source,
        onPick,
        free = false,
        eager = false,
        chosen = null,
        attributes = {},
    }) {
        this.source = source;
        this.onPick = onPick;
        this.free = free;
        this.picked = chosen;
        this.asked = 0;
        this.input = h("input", {
            type: "text",
            role: "combobox",
            autocomplete: "off",
            spellcheck: "false",
            "aria-label": label,
            "aria-expanded": "false",
            ...attributes,
            oninput: () => this.onInput(),
            onkeydown: (event) => this.onKey(event),
            onclick: () => this.suggest(true),
            onfocus: () => eager && this.suggest(true),
            onblur: () => this.onBlur(),
        });
        this.input.value = chosen?.name ?? "";
        this.list = new Listbox(this.input, label, (item) => this.pick(item));
        this.element = h("span", { class: "combo" }, this.input, this.list.element);
    }

    /** The value of the chosen suggestion, or the text itself, or null for none. */
    get value() {
        if (this.picked) return this.picked.value;
        const text = this.input.value.trim();
        return this.free && text ? text : null;
    }

    onInput() {
        this.picked = null;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.suggest(false), this.free ? PAUSE_MS : 0);
    }

    onKey(event) {
        if (this.list.key(event)) return;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            this.suggest(true);
        }
    }

    onBlur() {
        clearTimeout(this.timer);
        this.asked += 1; // ignores queries that are still running
        if (this.free || this.picked) return;
        const exact = this.list.items.find(
            (one) => one.name.toLowerCase() === this.input.value.toLowerCase(),
        );
        if (exact) this.picked = exact;
        else this.input.value = "";
    }

    /** Query suggestions. `all` ignores a suggestion that is already in the field. */
    async suggest(all) {
        const number = ++this.asked;
        const typed = all && this.picked && !this.free ? "" : this.input.value;
        let items = [];
        try {
            items = await this.source(typed);
        } catch {
            // The source did not answer. The user can continue typing.
        }
        if (number !== this.asked || document.activeElement !== this.input) return;
        this.list.open(items, !this.free && typed ? 0 : -1);
    }

    pick(item) {
        clearTimeout(this.timer);
        this.asked += 1;
        this.picked = item;
        this.input.value = this.free ? String(item.value) : item.name;
        this.list.close();
        this.onPick?.(item);
    }
}
