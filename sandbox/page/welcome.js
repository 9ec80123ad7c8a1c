// What an empty channel says.

import { byId, h, refill } from "./dom.js";
import { entries } from "./command.js";
import { store } from "./store.js";

function draw() {
    const name = store.placeName(store.channel);
    const short = entries().filter((one) => !one.name.includes(" "));
    const commands = short.map((one) => {
        const prefill = () => store.tell("command", one.name);
        return h(
            "li",
            {},
            h("button", { type: "button", class: "button", onclick: prefill }, `/${one.name}`),
            " ",
            one.description,
        );
    });
    const others = store.world.people
        .filter((id) => id !== store.me)
        .map((id) => store.userName(id));
    refill(
        byId("welcome"),
        h("h2", {}, `This is #${name}`),
        h(
            "p",
            {},
            "A small chat on this machine, with a real bot in it. Nothing leaves your computer, and nobody else is here, unless you open another window as ",
            others.join(" or "),
            ".",
        ),
        h(
            "p",
            {},
            `Write a message below, or begin with / to use one of the bot’s commands${commands.length ? ":" : "."}`,
        ),
        commands.length > 0 && h("ul", { class: "commands" }, commands),
        h(
            "p",
            {},
            "No second player at hand? First switch on ",
            h("b", {}, `Play ${others[0] ?? "somebody"} for me`),
            " beside the channels: then challenges are accepted, and moves answered.",
        ),
    );
}

/** Begin to follow the store. */
export function startWelcome() {
    store.on("opened", draw);
    store.on("commands", draw);
}
