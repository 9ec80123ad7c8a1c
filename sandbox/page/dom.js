// Functions that create nodes. Texts become text nodes and are never parsed as HTML.

/**
 * Create an element.
 * @param {string} tag
 * @param {object} properties `class`, `on…` listeners, attributes. false and null omit one.
 * @param {...(Node|string|null|undefined|false|Array)} children
 */
export function h(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === false || value === null || value === undefined) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((one) => one || one === 0));
    return element;
}

/** The element with an ID of index.html. */
export const byId = (id) => document.getElementById(id);

let numbers = 0;

/** A new unique ID. */
export const freshId = (prefix) => `${prefix}-${++numbers}`;

/** Replace all children unless they look the same, so that focus and scrolling are kept. */
export function refill(element, ...children) {
    const fresh = [...h("div", {}, ...children).childNodes];
    const same = fresh.every((one, n) => one.isEqualNode(element.childNodes[n]));
    if (!same || fresh.length !== element.childNodes.length) element.replaceChildren(...fresh);
}

/** Announce a text to screen readers. */
export function announce(words) {
    const line = h("p", {}, words);
    byId("live").append(line);
    while (byId("live").children.length > 8) byId("live").firstChild.remove();
}

/** Arrow keys move the focus in a list. Only one of its items is a tab stop. */
export function roving(list, selector) {
    list.addEventListener("keydown", (event) => {
        const items = [...list.querySelectorAll(selector)];
        const at = items.indexOf(document.activeElement);
        const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 }[
            event.key
        ];
        if (at < 0 || to === undefined || !items[to]) return;
        event.preventDefault();
        items[to].focus();
    });
    list.addEventListener("focusin", (event) => {
        const item = event.target.closest(selector);
        if (!item) return;
        for (const one of list.querySelectorAll(`${selector}[tabindex="0"]`)) one.tabIndex = -1;
        item.tabIndex = 0;
    });
}
