// The panel for a lone user: friends who play by themselves, and instant placement.

import { act } from "./api.js";
import { byId, h, refill } from "./dom.js";
import { store } from "./store.js";

const panel = byId("company");

async function request(name, body) {
    try {
        await act(name, { as: store.me, ...body });
    } catch (refusal) {
        store.tell("alert", refusal.message);
    }
}

function friend(id) {
    const on = store.world.company.friends.includes(id);
    const name = store.userName(id);
    const turn = () => request("friend", { user: id, on: !on });
    const words = id === store.me ? `${name} (you) on autopilot` : `${name} on autopilot`;
    return h(
        "li",
        {},
        h(
            "button",
            {
                type: "button",
                role: "switch",
                "aria-checked": String(on),
                onclick: turn,
                "data-key": id,
            },
            words,
        ),
    );
}

/** Switch to the next client language, which the bot gets with each action. */
function language() {
    const { locale, locales } = store.world;
    const following = locales[(locales.indexOf(locale) + 1) % locales.length];
    const name = new Intl.DisplayNames([locale], { type: "language" }).of(locale);
    return h(
        "button",
        {
            type: "button",
            class: "button",
            onclick: () => request("locale", { locale: following }),
            "data-key": "locale",
        },
        `${store.userName(store.me)}’s language: ${name}`,
    );
}

function draw() {
    const { people, company } = store.world;
    const placing = company.forward !== null;
    const others = people.filter((id) => id !== store.me);
    const shown = [...others, ...company.friends.filter((id) => id === store.me)];
    const forward = () => request("forward", { channel: store.channel, on: !placing });
    const focused = panel.contains(document.activeElement)
        ? document.activeElement.dataset.key
        : null;
    refill(
        panel,
        h("h2", { id: "company-title" }, "Playing alone?"),
        h(
            "p",
            {},
            "On autopilot, somebody accepts challenges and plays any legal move when it is their turn.",
        ),
        h("ul", {}, shown.map(friend)),
        store.channel &&
            h(
                "button",
                { type: "button", class: "button", onclick: forward, "data-key": "forward" },
                placing ? "Stop placing" : "Place all pieces for both",
            ),
        h(
            "p",
            { class: "note", role: "status" },
            placing ? `Placing in #${store.placeName(company.forward)}…` : company.note,
        ),
        others.length > 0 &&
            h(
                "p",
                {},
                "Or play both sides, in a window for each: ",
                others.map((id, n) => [
                    n > 0 && " · ",
                    h(
                        "a",
                        {
                            href: `/?as=${encodeURIComponent(store.userName(id))}#${store.channel ?? ""}`,
                            target: "_blank",
                        },
                        store.userName(id),
                    ),
                ]),
            ),
        store.world.locales.length > 1 && language(),
    );
    if (focused)
        [...panel.querySelectorAll("[data-key]")]
            .find((one) => one.dataset.key === focused)
            ?.focus();
}

/** Subscribe to the store. */
export function startCompany() {
    store.on("world", draw);
    for (const name of ["opened", "started"]) store.on(name, draw);
}
