// The messages on the screen.

import { act, ask } from "./api.js";
import { focusEntry } from "./composer.js";
import { announce, byId, h, roving } from "./dom.js";
import { messageItem, newLines, spoken } from "./message.js";
import { byAge, store } from "./store.js";
import * as times from "./times.js";

const NEAR_PX = 140; // distance to the end at which the log follows new messages

const list = byId("log");
const scroll = byId("scroll");
let loading = false;

const item = (id) => byId(`m-${id}`);
const sorted = () => [...store.messages.keys()].sort(byAge);
const atEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR_PX;
const toEnd = () => scroll.scrollTo({ top: scroll.scrollHeight });

/** Redraw all messages. */
function draw() {
    const items = [];
    let before = null;
    for (const id of sorted()) {
        const message = store.messages.get(id);
        if (!before || !times.sameDay(before.at, message.at)) {
            items.push(h("li", { class: "day" }, h("span", {}, times.day(message.at))));
        }
        items.push(messageItem(message, before));
        before = message;
    }
    list.replaceChildren(...items);
    byId("older").hidden = !store.more;
    byId("welcome").hidden = store.more || store.messages.size > 0;
}

/** Redraw a message and keep the focus inside it. */
function redraw(id) {
    const old = item(id);
    const ids = sorted();
    const at = ids.indexOf(id);
    const fresh = messageItem(store.messages.get(id), store.messages.get(ids[at - 1]));
    const focused = old.contains(document.activeElement) && document.activeElement;
    fresh.tabIndex = old.tabIndex;
    const failure = old.querySelector(".failure");
    if (failure) fresh.append(failure);
    old.replaceWith(fresh);
    if (!focused) return;
    const { key } = focused.dataset;
    const same =
        key && [...fresh.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
    (same || fresh).focus({ preventScroll: true });
}

function show({ message, isNew, before }) {
    // Private messages answer what the user has just done.
    const follow = atEnd() || message.author === store.me || (isNew && message.ephemeral);
    const ids = sorted();
    const last = ids.at(-1) === message.id;
    if (!isNew) redraw(message.id);
    else if (last && ids.length > 1) {
        const previous = store.messages.get(ids.at(-2));
        if (!times.sameDay(previous.at, message.at)) draw();
        else list.append(messageItem(message, previous));
    } else draw();
    byId("welcome").hidden = true;
    // An edit with new text is a turn.
    const says = before && newLines(message, before);
    const whole = isNew || (before?.loading && !message.loading);
    if (message.author !== store.me && (whole || says)) {
        announce(spoken(message, whole ? message.content : says));
    }
    if (follow) toEnd();
    else if (isNew) byId("newest").hidden = false;
}

function remove(id) {
    const gone = item(id);
    if (!gone) return;
    const focused = gone.contains(document.activeElement);
    const next = gone.nextElementSibling?.id.slice(2);
    gone.remove();
    if (next && store.messages.has(next)) redraw(next);
    if (focused) focusEntry();
}

async function loadOlder() {
    if (loading || !store.more || !store.messages.size) return;
    loading = true;
    const { channel, me } = store;
    try {
        const found = await ask("channel", { as: me, channel, before: sorted()[0] });
        if (store.channel !== channel || store.me !== me) return;
        const fromEnd = scroll.scrollHeight - scroll.scrollTop;
        store.addOlder(found);
        draw();
        scroll.scrollTop = scroll.scrollHeight - fromEnd;
    } catch (refusal) {
        store.tell("alert", refusal.message);
    } finally {
        loading = false;
    }
}

/** Scroll to a message, focus it and highlight it briefly. */
export function jump(id) {
    const target = item(id);
    if (!target) {
        store.tell("alert", "That message is further back: load earlier messages first.");
        return;
    }
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
    target.classList.add("found");
    target.addEventListener("animationend", () => target.classList.remove("found"), { once: true });
}

function fail({ message, words }) {
    const target = item(message);
    if (!target) return;
    target.querySelector(".failure")?.remove();
    target.append(h("p", { class: "failure", role: "alert" }, words));
    if (atEnd()) toEnd();
}

async function removeOwn(message) {
    if (!confirm("Delete this message?")) return;
    const place = { as: store.me, channel: message.channel, message: message.id };
    await act("delete", place).catch((refusal) => store.tell("alert", refusal.message));
}

/** Subscribe to the store. */
export function startLog() {
    roving(list, ".message");
    store.on("opened", () => {
        draw();
        byId("newest").hidden = true;
        toEnd();
    });
    store.on("message", show);
    store.on("gone", remove);
    store.on("failed", fail);
    store.on("used", (id) => item(id)?.removeAttribute("aria-busy"));
    store.on("jump", jump);
    store.on("delete", removeOwn);
    store.on("commands", () => {
        // The commands for messages and users are known now.
        for (const id of store.messages.keys()) redraw(id);
    });
    store.on("world", () => {
        // Names, and threads that were opened on messages.
        for (const place of store.places) if (store.messages.has(place.id)) redraw(place.id);
    });
    byId("older").addEventListener("click", loadOlder);
    byId("newest").addEventListener("click", toEnd);
    scroll.addEventListener("scroll", () => {
        if (scroll.scrollTop < NEAR_PX) loadOlder();
        if (atEnd()) byId("newest").hidden = true;
    });
}
