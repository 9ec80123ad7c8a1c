// The text of an empty channel.

import { byId, h, refill } from "./dom.js";
import { entries } from "./command.js";
import { START } from "./start.js";
import { store } from "./store.js";

const FIRST = 5; // number of commands, in the bot's order

function draw() {
    const direct = store.channel === store.world.direct?.id;
    const name = store.placeName(store.channel);
    const short = entries().filter((one) => !one.name.includes(" "));
    const commands = short.slice(0, FIRST).map((one) => {
        const prefill = () => store.tell("command", one.name);
        return h(
            "li",
            {},
            h("button", { type: "button", class: "button", onclick: prefill }, `/${one.called}`),
            " ",
            one.description,
        );
    });
    const others = store.world.people
        .filter((id) => id !== store.me)
        .map((id) => store.userName(id));
    const whose = direct ? "Only you and the bot read this." : "Nobody has written here yet.";
    refill(
        byId("welcome"),
        h("h2", {}, direct ? `Direct messages with ${name}` : `This is #${name}`),
        h("p", {}, whose, " Write a message below, or begin with / for the bot’s commands", [
            commands.length ? ":" : ".",
        ]),
        commands.length > 0 && h("ul", { class: "commands" }, commands),
        !direct &&
            others.length > 0 &&
            h(
                "p",
                {},
                "Nobody to play with? Put ",
                h("b", {}, others[0]),
                " on autopilot, beside the channels: they accept challenges, and answer moves.",
            ),
        store.world.start && h("p", {}, h("a", { href: `#${START}` }, "What is this?")),
    );
}

/** Subscribe to the store. */
export function startWelcome() {
    store.on("opened", draw);
    store.on("commands", draw);
    store.on("world", () => store.commands.length && draw());
}
