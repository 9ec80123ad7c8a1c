// The start page, which explains the bot and suggests first steps.

import { byId, freshId, h, refill } from "./dom.js";
import { picture } from "./media.js";
import { store } from "./store.js";

/** The part of its URL after the #. */
export const START = "start";

const place = byId("start");

function offer(one) {
    const about = h("span", { id: freshId("about") }, one.about);
    return h(
        "li",
        {},
        h(
            "button",
            {
                type: "button",
                class: "offer",
                disabled: !store.world.bot.online,
                "aria-label": one.label,
                "aria-describedby": about.id,
                "data-key": one.name,
                onclick: () => store.tell("offer", one),
            },
            h("b", {}, one.label),
            about,
        ),
    );
}

function draw() {
    const { start, bot } = store.world;
    if (!start || place.hidden) return;
    const focused = document.activeElement?.dataset?.key;
    refill(
        place,
        h(
            "div",
            { class: "lead" },
            h("h2", {}, start.title),
            start.words.map((words) => h("p", {}, words)),
        ),
        picture({ ...start.picture, name: "a board" }),
        h(
            "div",
            { class: "offers" },
            !bot.online && h("p", { class: "note" }, "The bot is starting: one moment…"),
            h("ul", {}, start.offers.map(offer)),
        ),
        h(
            "div",
            { class: "steps" },
            h("h3", {}, "The game in three lines"),
            h(
                "ol",
                {},
                start.steps.map((words) => h("li", {}, words)),
            ),
        ),
        h("p", { class: "foot" }, start.foot),
    );
    if (focused) place.querySelector(`[data-key="${focused}"]`)?.focus();
}

function show(is) {
    place.hidden = !is;
    for (const id of ["entry", "log"]) byId(id).hidden = is;
    if (!is) return;
    for (const id of ["older", "newest", "welcome"]) byId(id).hidden = true;
    draw();
    byId("scroll").scrollTo({ top: 0 });
}

/** Subscribe to the store. */
export function startStart() {
    store.on("started", () => show(true));
    store.on("opened", () => show(false));
    store.on("world", draw);
}
