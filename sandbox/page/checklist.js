// A list of which several can be chosen: a box to check for each, in words that wrap.

import { h } from "./dom.js";

/**
 * The boxes, and what is checked.
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
