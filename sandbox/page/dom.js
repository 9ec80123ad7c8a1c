// Building nodes. Nothing on this page is ever parsed as HTML: texts become text nodes.

/**
 * An element.
 * @param {string} tag
 * @param {object} properties `class`, `on…` listeners, attributes; false and null leave one out.
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

/** The element of that id, which index.html has. */
export const byId = (id) => document.getElementById(id);

let numbers = 0;

/** An id that no other element has. */
export const freshId = (prefix) => `${prefix}-${++numbers}`;

/** Put new children in place of all, unless they look the same: focus and scrolling survive. */
export function refill(element, ...children) {
    const fresh = [...h("div", {}, ...children).childNodes];
    const same = fresh.every((one, n) => one.isEqualNode(element.childNodes[n]));
    if (!same || fresh.length !== element.childNodes.length) element.replaceChildren(...fresh);
}

/** Tell people who listen to a screen reader. */
export function announce(words) {
    const line = h("p", {}, words);
    byId("live").append(line);
    while (byId("live").children.length > 8) byId("live").firstChild.remove();
}

/** Arrow keys move the focus among a list's items, of which one alone is a tab stop. */
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
