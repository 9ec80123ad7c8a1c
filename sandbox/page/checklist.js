// A list with a checkbox for each item and labels that wrap.

import { h } from "./dom.js";

/**
 * The checkboxes and the chosen values.
 * @param {object[]} items with name, value, detail and chosen
 * @param {boolean} [disabled]
 */
export function checklist(items, disabled = false) {
    const boxes = items.map(({ chosen }) =>
        h("input", { type: "checkbox", checked: chosen, disabled }),
    );
    const lines = items.map(({ name, detail }, n) =>
        h("label", {}, boxes[n], h("span", {}, name, detail && h("small", {}, detail))),
    );
    const values = () => items.filter((_, n) => boxes[n].checked).map((item) => item.value);
    return { lines, values };
}
