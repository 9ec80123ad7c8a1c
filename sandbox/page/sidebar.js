// The channels and threads, the title and the current user.

import { byId, h, refill, roving } from "./dom.js";
import { START } from "./start.js";
import { store } from "./store.js";

const CATEGORY = 4;
const MOST_SEGMENTS = 3;
const THEMES = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };

function placeItem(place, inner = []) {
    const note = store.unread.get(place.id);
    const current = place.id === store.channel;
    const count =
        note &&
        h(
            "span",
            { class: note.pings ? "count pings" : "count" },
            note.pings || note.count,
            h("span", { class: "hidden" }, note.pings ? " for you" : " new"),
        );
    const name = place.name || store.userName(store.world.bot.id);
    const sign = h("span", { "aria-hidden": "true" }, `${store.sign(place.id)} `);
    const link = h(
        "a",
        {
            href: `#${place.id}`,
            "aria-current": current ? "page" : null,
            class: place.archived ? "archived" : null,
        },
        sign,
        h("span", { class: "name" }, name),
        count,
    );
    return h("li", {}, link, inner.length > 0 && h("ul", {}, inner));
}

function guildList(guild) {
    const threads = (parent) =>
        guild.channels.filter(
            (one) =>
                one.thread &&
                one.parent === parent.id &&
                (!one.archived || one.id === store.channel),
        );
    const top = guild.channels.filter((one) => !one.thread && one.kind !== CATEGORY);
    const items = top.map((one) =>
        placeItem(
            one,
            threads(one).map((thread) => placeItem(thread)),
        ),
    );
    return [h("h2", {}, guild.name), h("ul", {}, items)];
}

function drawPlaces() {
    const { guilds, direct } = store.world;
    const focused = byId("places").contains(document.activeElement)
        ? document.activeElement.getAttribute("href")
        : null;
    const start = h(
        "a",
        { href: `#${START}`, "aria-current": store.channel ? null : "page" },
        h("span", { "aria-hidden": "true" }, "★ "),
        h("span", { class: "name" }, "Start here"),
    );
    refill(
        byId("places"),
        store.world.start && h("ul", {}, h("li", {}, start)),
        guilds.map(guildList),
        direct && [h("h2", {}, "Direct messages"), h("ul", {}, placeItem(direct))],
    );
    if (focused) byId("places").querySelector(`a[href="${focused}"]`)?.focus();
}

function drawTop() {
    const place = store.place(store.channel);
    const sign = place ? store.sign(place.id) : "★";
    const name = place ? store.placeName(place.id) : "Start";
    refill(byId("title"), h("span", { "aria-hidden": "true" }, sign), ` ${name}`);
    const pings = [...store.unread.values()].reduce((sum, one) => sum + one.pings, 0);
    document.title = `${pings ? `(${pings}) ` : ""}${place ? sign : ""}${name} · ${store.userName(store.me)} · local demo`;
}

function drawPeople() {
    const { people } = store.world;
    const legend = h("legend", {}, "You are");
    const choose = (id) => store.tell("become", id);
    if (people.length > MOST_SEGMENTS) {
        const list = h("select", { "aria-label": "You are", onchange: () => choose(list.value) });
        list.append(
            ...people.map((id) =>
                h("option", { value: id, selected: id === store.me }, store.userName(id)),
            ),
        );
        refill(byId("people"), legend, list);
        return;
    }
    const segments = people.map((id) => {
        const input = h("input", {
            type: "radio",
            name: "me",
            value: id,
            checked: id === store.me,
            onchange: () => choose(id),
        });
        return h("label", {}, input, h("span", {}, store.userName(id)));
    });
    const focused = byId("people").contains(document.activeElement);
    refill(byId("people"), legend, segments);
    if (focused) byId("people").querySelector("input:checked")?.focus();
}

function drawTheme() {
    const { theme } = document.documentElement.dataset;
    byId("theme").setAttribute("aria-label", THEMES[theme]);
    byId("theme").title = THEMES[theme];
    byId("theme").textContent = SIGNS[theme];
}

function nextTheme() {
    const names = Object.keys(THEMES);
    const { dataset } = document.documentElement;
    dataset.theme = names[(names.indexOf(dataset.theme) + 1) % names.length];
    localStorage.setItem("theme", dataset.theme);
    drawTheme();
}

/** The sidebar as a drawer, in narrow windows. */
function openSide(open) {
    document.body.classList.toggle("side-open", open);
    byId("menu").setAttribute("aria-expanded", String(open));
    byId("veil").hidden = !open;
    if (open) byId("places").querySelector("a")?.focus();
}

/** Subscribe to the store. */
export function startSidebar() {
    roving(byId("places"), "a");
    for (const name of ["world", "unread"]) {
        store.on(name, () => {
            drawPlaces();
            drawTop();
        });
    }
    store.on("world", drawPeople);
    for (const name of ["opened", "started"]) store.on(name, () => openSide(false));
    byId("theme").addEventListener("click", nextTheme);
    byId("menu").addEventListener("click", () =>
        openSide(!document.body.classList.contains("side-open")),
    );
    byId("veil").addEventListener("click", () => openSide(false));
    document.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !document.body.classList.contains("side-open")) return;
        openSide(false);
        byId("menu").focus();
    });
    drawTheme();
}
