// A list of suggestions above a text field. The arrow keys select one.

import { announce, freshId, h } from "./dom.js";

/** A suggestion: its `name`, followed by its `detail` in small text. */
export class Listbox {
    /**
     * @param {HTMLInputElement|HTMLTextAreaElement} owner keeps the focus
     * @param {string} label
     * @param {(item: object) => void} onPick
     */
    constructor(owner, label, onPick) {
        this.owner = owner;
        this.onPick = onPick;
        this.items = [];
        this.active = -1;
        const id = freshId("list");
        // The list must not take the focus from the field.
        const stay = (event) => event.preventDefault();
        this.element = h("ul", {
            id,
            role: "listbox",
            "aria-label": label,
            hidden: true,
            onmousedown: stay,
        });
        owner.setAttribute("aria-controls", id);
        owner.setAttribute("aria-autocomplete", "list");
        owner.addEventListener("blur", () => this.close());
    }

    get isOpen() {
        return !this.element.hidden;
    }

    /** Show items. `active` is the index that Enter chooses, or -1 for none. */
    open(items, active = -1) {
        const changed = items.length !== this.items.length;
        this.items = items;
        this.element.replaceChildren(...items.map((item, n) => this.option(item, n)));
        this.element.hidden = !items.length;
        this.expanded(items.length > 0);
        this.activate(items.length ? active : -1);
        if (items.length && changed) announce(`${items.length} suggestions`);
        if (items.length) this.element.scrollIntoView({ block: "nearest" });
    }

    close() {
        this.element.hidden = true;
        this.expanded(false);
        this.activate(-1);
    }

    /** A text area is a combobox only while it has suggestions. */
    expanded(is) {
        const { owner } = this;
        if (owner.tagName === "TEXTAREA") {
            if (is) owner.setAttribute("role", "combobox");
            else owner.removeAttribute("role");
        }
        if (owner.getAttribute("role") === "combobox") owner.setAttribute("aria-expanded", is);
        else owner.removeAttribute("aria-expanded");
    }

    option(item, n) {
        const detail = item.detail && h("span", { class: "detail" }, item.detail);
        const id = `${this.element.id}-${n}`;
        const pick = () => this.onPick(item);
        const name = h("span", { class: "name" }, item.name);
        return h(
            "li",
            { id, role: "option", "aria-selected": "false", onclick: pick },
            name,
            detail,
        );
    }

    activate(n) {
        this.active = n;
        [...this.element.children].forEach((one, at) =>
            one.setAttribute("aria-selected", at === n),
        );
        const option = this.element.children[n];
        if (option) {
            this.owner.setAttribute("aria-activedescendant", option.id);
            option.scrollIntoView({ block: "nearest" });
        } else this.owner.removeAttribute("aria-activedescendant");
    }

    /** Handle a key of the field. Returns true if the list used it. */
    key(event) {
        if (!this.isOpen || event.isComposing) return false;
        const last = this.items.length - 1;
        if (event.key === "ArrowDown") this.activate(this.active >= last ? 0 : this.active + 1);
        else if (event.key === "ArrowUp") this.activate(this.active <= 0 ? last : this.active - 1);
        else if (event.key === "Escape") this.close();
        else if ((event.key === "Enter" || event.key === "Tab") && this.active >= 0) {
            if (event.shiftKey) return false;
            this.onPick(this.items[this.active]);
        } else return false;
        event.preventDefault();
        event.stopPropagation();
        return true;
    }
}
