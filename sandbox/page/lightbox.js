// A picture in the size of the window or in its own size.

import { byId, h } from "./dom.js";

/** Show the picture at a path. Escape or a click outside closes it. */
export function enlarge(path, alt) {
    const dialog = byId("viewer");
    const close = () => dialog.close();
    const turn = () => {
        const whole = frame.classList.toggle("whole");
        size.setAttribute("aria-pressed", String(whole));
    };
    const frame = h("div", { class: "frame" }, h("img", { src: path, alt, onclick: turn }));
    const size = h(
        "button",
        { type: "button", class: "button", "aria-pressed": "false", onclick: turn },
        "Actual size",
    );
    const tab = h("a", { href: path, target: "_blank", class: "button link" }, "New tab");
    const done = h("button", { type: "button", class: "button", onclick: close }, "Close");
    dialog.replaceChildren(frame, h("div", { class: "foot" }, size, tab, done));
    dialog.onclick = (event) => event.target === dialog && close();
    dialog.showModal();
    done.focus();
}
