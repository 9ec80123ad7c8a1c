// A message in the log.

import { act } from "./api.js";
import { components, words as wordsOf } from "./components.js";
import { h } from "./dom.js";
import { react } from "./menu.js";
import { markdown, plain } from "./markdown.js";
import { attachment, embed } from "./media.js";
import { store } from "./store.js";
import * as times from "./times.js";

const TOGETHER_MS = 5 * 60 * 1000;
const NOTICES = {
    4: "renamed the thread to",
    6: "pinned a message.",
    18: "started a thread:",
    21: "started this thread.",
};

/** True if a message follows one of the same author, and so needs no header. */
export function continues(message, before) {
    return Boolean(
        before &&
        before.author === message.author &&
        before.name === message.name &&
        !message.reply &&
        !message.command &&
        !(message.kind in NOTICES) &&
        !(before.kind in NOTICES) &&
        before.ephemeral === message.ephemeral &&
        message.at - before.at < TOGETHER_MS &&
        times.sameDay(message.at, before.at),
    );
}

/** A round avatar with the user's initial and color. */
export function disc(id, name) {
    const bot = store.world.users[id]?.bot;
    const colour = bot ? "red" : `c${store.world.people.indexOf(id) % 4}`;
    return h(
        "span",
        { class: `disc ${colour}`, "aria-hidden": "true" },
        [...name][0]?.toUpperCase(),
    );
}

/** The list item of a message. */
export function messageItem(message, before) {
    const short = continues(message, before);
    const classes = ["message"];
    if (short) classes.push("short");
    if (message.ephemeral) classes.push("ephemeral");
    if (store.isForMe(message) && message.author !== store.me) classes.push("pinged");
    const item = h("li", { id: `m-${message.id}`, class: classes.join(" "), tabindex: -1 });
    if (message.kind in NOTICES) {
        item.classList.add("notice");
        item.append(...notice(message));
        return item;
    }
    item.append(
        ...[replied(message), entered(message), head(message, short), body(message)]
            .flat()
            .filter(Boolean),
    );
    if (store.appsOf.length) offerPeople(item);
    return item;
}

/** Turn the names of people in a message into buttons that open their menus. */
function offerPeople(item) {
    for (const name of item.querySelectorAll("[data-user]")) {
        const { user } = name.dataset;
        // An unknown user, or a name that is already a button.
        if (!store.world.users[user] || name.closest("a, button")) continue;
        const attributes = { "aria-haspopup": "menu", "data-user": user, "data-key": `@${user}` };
        const button = h("button", { type: "button", class: name.className, ...attributes });
        button.append(...name.childNodes);
        name.replaceWith(button);
    }
}

function notice(message) {
    const words = `${message.name} ${NOTICES[message.kind]} ${message.kind === 4 || message.kind === 18 ? message.content : ""}`;
    return [h("span", {}, words.trim()), " ", time(message)];
}

function time(message) {
    const when = { datetime: new Date(message.at).toISOString(), title: times.full(message.at) };
    return h("time", when, times.clock(message.at));
}

function replied({ reply }) {
    if (!reply) return null;
    if (!reply.author) return h("p", { class: "reply" }, "↰ a message that is gone");
    const jump = () => store.tell("jump", reply.id);
    const author = h("strong", {}, store.userName(reply.author));
    const words = h(
        "button",
        { type: "button", class: "quiet", onclick: jump },
        author,
        " ",
        plain(reply.text),
    );
    return h("p", { class: "reply" }, h("span", { class: "hidden" }, "In reply to "), "↰ ", words);
}

function entered({ command }) {
    if (!command) return null;
    const name = command.name ? h("b", {}, command.name) : "a command";
    return h(
        "p",
        { class: "reply" },
        "↰ ",
        h("strong", {}, store.userName(command.user)),
        " used ",
        name,
    );
}

function head(message, short) {
    if (short) return h("span", { class: "hidden" }, message.name, " ", time(message));
    const tag = message.bot && h("span", { class: "tag" }, "bot");
    // A webhook has its own name and isn't a user.
    const user = store.userName(message.author) === message.name ? message.author : null;
    const name = h("strong", { class: "name", "data-user": user }, message.name);
    return [
        disc(message.author, message.name),
        h("div", { class: "head" }, name, tag, time(message)),
    ];
}

function body(message) {
    const content = markdown(message.content);
    if (message.edited) {
        const edited = h("small", { class: "edited" }, " (edited)");
        const last = content.at(-1);
        if (last?.className === "plain") last.append(edited);
        else content.push(edited);
    }
    const thinking = message.loading && h("p", { class: "thinking" }, "(thinking…)");
    return h(
        "div",
        { class: "body" },
        h("div", { class: "content" }, content),
        thinking,
        message.embeds.map(embed),
        message.attachments.map(attachment),
        message.components.length > 0 && h("div", { class: "components" }, components(message)),
        reactions(message),
        threadLink(message),
        message.ephemeral && privateFoot(message),
        !message.ephemeral && tools(message),
    );
}

function reactions(message) {
    const { reactions: all } = message;
    const each = Object.entries(all).map(([emoji, users]) => {
        const own = users.includes(store.me);
        const names = users.map((id) => store.userName(id)).join(", ");
        return h(
            "button",
            {
                type: "button",
                class: "chip",
                "aria-pressed": String(own),
                "aria-label": `${emoji} ${users.length}: ${names}`,
                title: names,
                onclick: () => react(message, emoji, !own),
                "data-key": `reaction ${emoji}`,
            },
            `${emoji} ${users.length}`,
        );
    });
    return each.length ? h("p", { class: "reactions" }, each) : null;
}

function threadLink(message) {
    const thread = store.place(message.id);
    if (!thread?.thread) return null;
    const count = thread.count === 1 ? "1 message" : `${thread.count} messages`;
    return h(
        "a",
        { class: "thread", href: `#${thread.id}` },
        h("b", {}, thread.name),
        ` · ${count} ›`,
    );
}

function privateFoot(message) {
    const dismiss = () =>
        act("dismiss", about(message)).catch((refusal) => store.tell("alert", refusal.message));
    const button = h("button", { type: "button", class: "quiet", onclick: dismiss }, "Dismiss");
    return h("p", { class: "foot" }, "Only you can see this · ", button);
}

const about = (message) => ({ as: store.me, channel: message.channel, message: message.id });

function tools(message) {
    const tool = (name, does) =>
        h(
            "button",
            {
                type: "button",
                onclick: () => store.tell(does, message),
                "data-key": does,
                "aria-label": `${name} (${message.name}, ${times.clock(message.at)})`,
            },
            name,
        );
    const own = message.author === store.me;
    return h(
        "div",
        { class: "tools" },
        tool("Reply", "reply"),
        tool("React", "react"),
        store.apps.length > 0 && tool("Apps", "apps"),
        own && tool("Edit", "edit"),
        own && tool("Delete", "delete"),
    );
}

const untimed = (text) => text.replace(/<t:\d+(:\w)?>/g, "<t>");

/** The new lines of an edited message. A line with only a new time doesn't count. */
export function newLines(message, before) {
    const old = new Set(untimed(before.content).split("\n"));
    return message.content.split("\n").filter((line) => !old.has(untimed(line))).join("\n");
}

/** The announcement of a new message, or of the new lines of an edit. */
export function spoken(message, text = message.content) {
    const words = plain(text || wordsOf(message.components));
    const files = message.attachments.map((file) => (file.picture ? "a picture" : file.name));
    const what = [message.loading && "is thinking", words].filter(Boolean).join(", ");
    const besides = [files.length > 0 && `with ${files.join(", ")}`];
    besides.push(message.ephemeral && "only you can see this");
    const notes = besides.filter(Boolean).map((note) => ` (${note})`);
    return `${message.name}: ${what}${notes.join("")}`;
}
