// The menus of messages, with buttons for two of the entries, and of people whose names are buttons.

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
let pressing = null; // the timer of a long press
let held = false; // whether the press was long enough

const about = (message) => ({ as: store.me, channel: message.channel, message: message.id });

/** Add a reaction to a message, or remove the user's own. */
export async function react(message, emoji, on = true) {
    try {
        await act("react", { ...about(message), emoji, on });
    } catch (refusal) {
        store.tell("failed", { message: message.id, words: refusal.message });
    }
}

/** Run a command on a message, or on a person in it. */
async function use(name, target, message, command) {
    try {
        const { form } = await act(name, { ...target, command });
        if (form) openForm(form, opener);
    } catch (refusal) {
        store.tell("failed", { message, words: refusal.message });
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

function commands(offered, heading, choose) {
    if (!offered.length) return null;
    const items = offered.map((one) => item(called(one), () => choose(one.name)));
    return group("Apps", h("p", { "aria-hidden": "true" }, heading), items);
}

const apps = (message) =>
    commands(store.apps, "Apps", (name) => use("menu", about(message), message.id, name));

/** The menu of a person whose name is in a message. */
function appsOf(user, message) {
    const target = { as: store.me, channel: store.channel, user };
    const heading = store.userName(user);
    return commands(store.appsOf, heading, (name) => use("menu_of", target, message, name));
}

function own(message) {
    const tell = (name) => item(name, () => store.tell(name.toLowerCase(), message));
    return group(
        "Message",
        tell("Reply"),
        message.author === store.me && [tell("Edit"), tell("Delete")],
    );
}

/** Show a menu of groups, near a point or at the bottom of a narrow window. */
function open(label, groups, { x, y }) {
    if (!isOpen()) opener = document.activeElement;
    menu.setAttribute("aria-label", label);
    menu.replaceChildren(...groups.filter(Boolean));
    if (!isOpen()) menu.showPopover();
    const [high, wide] = [menu.offsetHeight, menu.offsetWidth];
    const at = {
        left: Math.max(8, Math.min(x, innerWidth - wide - 8)),
        top: Math.max(8, Math.min(y, innerHeight - high - 8)),
    };
    for (const side of ["left", "top"]) menu.style[side] = NARROW.matches ? "" : `${at[side]}px`;
    items()[0].focus();
}

function openMessage(message, parts, at) {
    const label = `${message.name}, ${times.clock(message.at)}`;
    open(
        label,
        parts.map((part) => part(message)),
        at,
    );
}

/** The menu of the person whose name is the event's target. */
function openPerson(name, at) {
    const user = name.dataset.user;
    const message = name.closest(".message").id.slice(2);
    open(store.userName(user), [appsOf(user, message)], at);
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

/**
 * Show the menu of the event's person or message. Returns false if there is none.
 */
function ask({ target, shiftKey, clientX, clientY }) {
    const name = target.closest("button[data-user]");
    const where = name ?? target.closest(".message:not(.ephemeral, .notice)");
    const theirs = target.closest("input, textarea, a:not(figure a)");
    if (!where || theirs || shiftKey || `${getSelection()}`) return false;
    const box = where.getBoundingClientRect();
    const point = clientX || clientY ? { x: clientX, y: clientY } : { x: box.left, y: box.top };
    if (name) openPerson(name, point);
    else openMessage(store.messages.get(where.id.slice(2)), [emoji, own, apps], point);
    return true;
}

/** A right click, the menu key, or a long press in some browsers. */
function onContextMenu(event) {
    clearTimeout(pressing);
    if (ask(event)) event.preventDefault();
}

/** A long press in browsers that ignore it. */
function onFinger(event) {
    held = false;
    if (event.pointerType === "touch") pressing = setTimeout(() => (held = ask(event)), LONG_MS);
}

/** The end of a long press isn't a click. */
function onFingerUp(event) {
    if (held) event.preventDefault();
}

function below(element) {
    const box = element.getBoundingClientRect();
    return { x: box.left, y: box.bottom + 4 };
}

const beside = (message, part) => openMessage(message, [part], below(document.activeElement));

/** A click on a name, or its key. */
function onName({ target }) {
    const name = target.closest("button[data-user]");
    if (name) openPerson(name, below(name));
}

/** Add the menus of messages and people. */
export function startMenu() {
    menu.addEventListener("keydown", onKey);
    byId("log").addEventListener("contextmenu", onContextMenu);
    byId("log").addEventListener("click", onName);
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
