// Buttons, selects and layouts under a message.

import { act } from "./api.js";
import { checklist } from "./checklist.js";
import { among, Combobox } from "./combobox.js";
import { h } from "./dom.js";
import { link, markdown } from "./markdown.js";
import { openForm } from "./form.js";
import { picture } from "./media.js";
import { offers } from "./sources.js";
import { store } from "./store.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };

/** The nodes of a message's components. */
export function components(message) {
    return message.components.map((one) => component(message, one));
}

/** The texts of components, in reading order. */
export function words(all) {
    return all.flatMap((one) => [one.content ?? [], words(one.components ?? [])].flat()).join(" ");
}

function component(message, one) {
    const inner = () => one.components.map((part) => component(message, part));
    switch (one.type) {
        case 1:
            return h("div", { class: "row" }, inner());
        case 2:
            return button(message, one);
        case 3:
        case 5:
        case 6:
        case 7:
        case 8:
            return select(message, one);
        case 9:
            return h(
                "div",
                { class: "section" },
                h("div", {}, inner()),
                component(message, one.accessory),
            );
        case 10:
            return h("div", {}, markdown(one.content));
        case 11:
            return picture({ ...one.media, alt: one.description });
        case 12:
            return h(
                "div",
                { class: "gallery" },
                one.items.map((item) => picture({ ...item.media, alt: item.description })),
            );
        case 13:
            return h("p", {}, link(one.file.url, one.name ?? "a file"));
        case 14:
            return h("hr", { class: one.divider ? null : "blank" });
        case 17:
            return container(one, inner());
        default:
            return h(
                "p",
                { class: "unknown" },
                `(a component of type ${one.type}, which this page does not know)`,
            );
    }
}

function container(one, inner) {
    const element = h("div", { class: "card" }, inner);
    const { accent_color: accent } = one;
    if (accent !== null)
        element.style.borderInlineStartColor = `#${accent.toString(16).padStart(6, "0")}`;
    return element;
}

function button(message, one) {
    const face = [one.emoji?.name, one.emoji?.name && one.label && " ", one.label];
    if (one.style === 5) return h("span", { class: "button link" }, link(one.url, face));
    const press = () => use(message, element, "click", { custom_id: one.custom_id });
    const element = h(
        "button",
        {
            type: "button",
            class: `button ${STYLES[one.style] ?? ""}`,
            disabled: one.disabled,
            onclick: press,
            "data-key": one.custom_id,
        },
        face,
    );
    return element;
}

function select(message, one) {
    const items = offers(one);
    const label = one.placeholder ?? "Choose";
    const send = (element, values) =>
        use(message, element, "select", { custom_id: one.custom_id, values });
    if (one.max_values > 1) return many(one, items, label, send);
    const box = new Combobox({
        label,
        source: among(items),
        chosen: items.find((item) => item.chosen) ?? null,
        onPick: (item) => send(box.input, [item.value]),
        attributes: { placeholder: label, disabled: one.disabled, "data-key": one.custom_id },
    });
    box.element.classList.add("select");
    return box.element;
}

function many(one, items, label, send) {
    const { lines, values } = checklist(items, one.disabled);
    const choose = h(
        "button",
        {
            type: "button",
            class: "button",
            disabled: one.disabled,
            onclick: () => send(choose, values()),
            "data-key": one.custom_id,
        },
        "Choose",
    );
    return h("fieldset", { class: "checklist" }, h("legend", {}, label), lines, choose);
}

/** Use a component. The message's others are disabled until the bot has answered. */
async function use(message, element, action, body) {
    const item = element.closest(".message");
    if (item.getAttribute("aria-busy") === "true") return;
    item.setAttribute("aria-busy", "true");
    item.querySelector(".failure")?.remove(); // of the previous attempt
    try {
        const place = { as: store.me, channel: message.channel, message: message.id };
        const { form } = await act(action, { ...place, ...body });
        if (form) openForm(form, element);
    } catch (refusal) {
        store.tell("failed", { message: message.id, words: refusal.message });
    } finally {
        store.tell("used", message.id);
    }
}
