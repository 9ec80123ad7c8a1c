// A form that the bot opened.

import { act } from "./api.js";
import { checklist } from "./checklist.js";
import { byId, freshId, h } from "./dom.js";
import { markdown } from "./markdown.js";
import { offers } from "./sources.js";
import { store } from "./store.js";

const PARAGRAPH = 2;
const TEXT = 4;
const ROW = 1;
const LABEL = 18;

/** Show a form. When it closes, the focus returns to `opener`. */
export function openForm(form, opener = document.activeElement) {
    const dialog = byId("form");
    const inputs = new Map(); // custom id -> () => value
    const title = h("h2", { id: freshId("form") }, form.title);
    const failure = h("p", { class: "alert", role: "alert" });
    const close = () => dialog.close();
    const send = async (event) => {
        event.preventDefault();
        const values = Object.fromEntries([...inputs].map(([id, value]) => [id, value()]));
        try {
            const next = await act("submit", { as: store.me, form: form.token, values });
            close();
            if (next.form) openForm(next.form, opener);
        } catch (refusal) {
            failure.textContent = refusal.message;
        }
    };
    const buttons = h(
        "div",
        { class: "foot" },
        h("button", { type: "button", class: "button", onclick: close }, "Cancel"),
        h("button", { type: "submit", class: "button primary" }, "Submit"),
    );
    const parts = form.components.map((one) => part(one, inputs));
    dialog.setAttribute("aria-labelledby", title.id);
    dialog.replaceChildren(h("form", { onsubmit: send }, title, parts, failure, buttons));
    dialog.addEventListener("close", () => opener?.isConnected && opener.focus(), { once: true });
    dialog.showModal();
    dialog.querySelector("input, textarea, select")?.focus();
}

function part(one, inputs) {
    if (one.type === LABEL) return labelled(one.component, one.label, one.description, inputs);
    if (one.type === ROW)
        return one.components.map((inner) => labelled(inner, inner.label, null, inputs));
    return h("div", {}, markdown(one.content ?? ""));
}

function labelled(one, label, description, inputs) {
    const needed = one.required !== false && h("span", { class: "needed" }, " (required)");
    if ((one.max_values ?? 1) > 1) return several(one, [label, needed], description, inputs);
    const id = freshId("input");
    const element = one.type === TEXT ? text(one, id, inputs) : choice(one, id, inputs);
    return h(
        "div",
        { class: "field" },
        h("label", { for: id }, label, needed),
        description && h("small", {}, description),
        element,
    );
}

function text(one, id, inputs) {
    const long = one.style === PARAGRAPH;
    const input = h(long ? "textarea" : "input", {
        id,
        ...(long ? { rows: 4 } : { type: "text" }),
        placeholder: one.placeholder,
        minlength: one.min_length,
        maxlength: one.max_length ?? 4000,
        required: one.required !== false,
        autocomplete: "off",
    });
    input.value = one.value ?? "";
    inputs.set(one.custom_id, () => input.value);
    return input;
}

function choice(one, id, inputs) {
    const items = offers(one);
    const list = h("select", { id, required: one.required !== false });
    list.append(
        h("option", { value: "" }, one.placeholder ?? "Choose"),
        ...items.map((item, n) => h("option", { value: n, selected: item.chosen }, item.name)),
    );
    const chosen = () => [...list.selectedOptions].filter((option) => option.value !== "");
    inputs.set(one.custom_id, () => chosen().map((option) => idOf(items[option.value].value)));
    return list;
}

function several(one, label, description, inputs) {
    const { lines, values } = checklist(offers(one));
    inputs.set(one.custom_id, () => values().map(idOf));
    const legend = h("legend", {}, label);
    return h("fieldset", { class: "checklist" }, legend, description && h("small", {}, description), lines);
}

/** Convert users, roles and channels to IDs, which forms need. */
const idOf = (value) => (typeof value === "string" ? value : Object.values(value)[0]);
