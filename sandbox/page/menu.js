// What can be done with a message: its menu, and its two parts that have buttons of their own.

import { act } from "./api.js";
import { byId, h } from "./dom.js";
import { openForm } from "./form.js";
import { called } from "./localized.js";
import { store } from "./store.js";
import * as times from "./times.js";

const EMOJI = ["👍", "👏", "😄", "😮", "❤️", "🎉", "❔"];
const NARROW = matchMedia("(max-width: 760px)");

const menu = byId("actions");
const LONG_MS = 500;

let opener = null;
let pressing = null; // the timer of a finger on a message
let held = false; // whether it has been there for so long

const about = (message) => ({ as: store.me, channel: message.channel, message: message.id });

/** Put a reaction on a message, or take the own one away. */
export async function react(message, emoji, on = true) {
    try {
        await act("react", { ...about(message), emoji, on });
    } catch (refusal) {
        store.tell("failed", { message: message.id, words: refusal.message });
    }
}

async function use(message, command) {
    try {
        const { form } = await act("menu", { ...about(message), command });
        if (form) openForm(form, opener);
    } catch (refusal) {
        store.tell("failed", { message: message.id, words: refusal.message });
    }
}

function item(words, does, label = null) {
    const choose = () => {
        close();
        does();
    };
    const attributes = { type: "button", role: "menuitem", tabindex: -1, "aria-label": label };
    return h("button", { ...attributes, onclick: choose }, words);
}

const group = (name, ...items) => h("div", { role: "group", "aria-label": name }, items);

function emoji(message) {
    const one = (name) => item(name, () => react(message, name), `React with ${name}`);
    return h("div", { role: "group", "aria-label": "React", class: "emoji" }, EMOJI.map(one));
}

function apps(message) {
    if (!store.apps.length) return null;
    const heading = h("p", { "aria-hidden": "true" }, "Apps");
    return group(
        "Apps",
        heading,
        store.apps.map((one) => item(called(one), () => use(message, one.name))),
    );
}

function own(message) {
    const tell = (name) => item(name, () => store.tell(name.toLowerCase(), message));
    return group(
        "Message",
        tell("Reply"),
        message.author === store.me && [tell("Edit"), tell("Delete")],
    );
}

/** Show parts of a message's menu, near a point or at the bottom of a narrow window. */
function open(message, parts, { x, y }) {
    if (!isOpen()) opener = document.activeElement;
    menu.setAttribute("aria-label", `${message.name}, ${times.clock(message.at)}`);
    menu.replaceChildren(...parts.map((part) => part(message)).filter(Boolean));
    if (!isOpen()) menu.showPopover();
    const [high, wide] = [menu.offsetHeight, menu.offsetWidth];
    const at = {
        left: Math.max(8, Math.min(x, innerWidth - wide - 8)),
        top: Math.max(8, Math.min(y, innerHeight - high - 8)),
    };
    for (const side of ["left", "top"]) menu.style[side] = NARROW.matches ? "" : `${at[side]}px`;
    items()[0].focus();
}

const isOpen = () => menu.matches(":popover-open");
const items = () => [...menu.querySelectorAll("[role=menuitem]")];

function close() {
    menu.hidePopover();
    if (opener?.isConnected) opener.focus({ preventScroll: true });
}

function onKey(event) {
    const all = items();
    const at = all.indexOf(document.activeElement);
    const to = {
        ArrowDown: at + 1,
        ArrowRight: at + 1,
        ArrowUp: at - 1,
        ArrowLeft: at - 1,
        Home: 0,
        End: -1,
    }[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (to === undefined) return;
    else all.at(to % all.length).focus();
    event.preventDefault();
}

/** All that can be done with the message at which something has happened; returns whether any. */
function ask({ target, shiftKey, clientX, clientY }) {
    const where = target.closest(".message:not(.ephemeral, .notice)");
    const theirs = target.closest("input, textarea, a:not(figure a)");
    if (!where || theirs || shiftKey || `${getSelection()}`) return false;
    const box = where.getBoundingClientRect();
    const point = clientX || clientY ? { x: clientX, y: clientY } : { x: box.left, y: box.top };
    open(store.messages.get(where.id.slice(2)), [emoji, own, apps], point);
    return true;
}

/** A right click, the key for it, or what a browser makes of a long press. */
function onContextMenu(event) {
    clearTimeout(pressing);
    if (ask(event)) event.preventDefault();
}

/** A long press where the browser makes nothing of it. */
function onFinger(event) {
    held = false;
    if (event.pointerType === "touch") pressing = setTimeout(() => (held = ask(event)), LONG_MS);
}

/** The end of a long press is no click. */
function onFingerUp(event) {
    if (held) event.preventDefault();
}

function beside(message, part) {
    const box = document.activeElement.getBoundingClientRect();
    open(message, [part], { x: box.left, y: box.bottom + 4 });
}

/** Begin to offer what can be done with messages. */
export function startMenu() {
    menu.addEventListener("keydown", onKey);
    byId("log").addEventListener("contextmenu", onContextMenu);
    byId("log").addEventListener("pointerdown", onFinger);
    byId("log").addEventListener("touchend", onFingerUp);
    for (const end of ["pointerup", "pointercancel"]) {
        addEventListener(end, () => clearTimeout(pressing));
    }
    addEventListener("pointerdown", ({ target }) => {
        if (isOpen() && !menu.contains(target)) close();
    });
    store.on("react", (message) => beside(message, emoji));
    store.on("apps", (message) => beside(message, apps));
}
