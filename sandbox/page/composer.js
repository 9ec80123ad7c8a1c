// The composer for messages, replies, edits and the start of a slash command.

import { act } from "./api.js";
import { Attachments } from "./attachments.js";
import { CommandEntry, entries } from "./command.js";
import { among } from "./combobox.js";
import { byId, h } from "./dom.js";
import { Listbox } from "./listbox.js";
import { named, toIds, toNames, withName } from "./mentions.js";
import { store } from "./store.js";

const TYPING_EVERY_MS = 5000;

const place = byId("entry");
let replying = null; // { message, ping }
let editing = null;
let typedAt = 0;

const field = h("textarea", {
    rows: 1,
    maxlength: 2000,
    oninput: onInput,
    onkeydown: onKey,
    onpaste: (event) => attached.add(event.clipboardData.files),
});
const list = new Listbox(field, "Suggestions", ({ name, value }) =>
    value.user ? mention(name) : enterCommand(value),
);
const context = h("div", { class: "context" });
const alertLine = h("p", { class: "alert", role: "alert" });
const typingLine = h("p", { class: "typing" });
const attached = new Attachments(drawContext, tell);
const sender = h("button", { type: "submit", class: "button primary" }, "Send");
const writing = h(
    "form",
    { class: "writing", onsubmit: send },
    list.element,
    attached.button,
    attached.chooser,
    field,
    sender,
);

function onInput() {
    grow();
    const [, typed, rest] = /^\/([-_\w' ]*?)( ?)$/.exec(field.value) ?? [];
    if (typed === undefined) {
        list.open(named(field.value.slice(0, field.selectionEnd)), 0);
        tellTyping();
        return;
    }
    const exact = entries().find(({ names }) => names.includes(typed));
    const longer = entries().some(({ names }) => names.some((one) => one.startsWith(`${typed} `)));
    if (exact && rest && !longer) enterCommand(exact);
    else list.open(among(listed())(`/${typed}${rest}`.trimEnd()), 0);
}

const listed = () =>
    entries().map((one) => ({ name: `/${one.called}`, detail: one.description, value: one }));

function mention(name) {
    const before = withName(field.value.slice(0, field.selectionEnd), name);
    field.value = before + field.value.slice(field.selectionEnd);
    field.setSelectionRange(before.length, before.length);
    list.close();
}

function grow() {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
}

function tellTyping() {
    if (!field.value || editing || Date.now() - typedAt < TYPING_EVERY_MS) return;
    typedAt = Date.now();
    act("typing", { as: store.me, channel: store.channel }).catch(() => {});
}

function onKey(event) {
    if (list.key(event) || event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        writing.requestSubmit();
    } else if (event.key === "Escape") leaveContext();
    else if (event.key === "ArrowUp" && !field.value) editLast();
}

async function send(event) {
    event.preventDefault();
    const content = field.value.trim();
    if (!content && !attached.files.length) return;
    const body = { as: store.me, channel: store.channel, content: toIds(content) };
    const [wasReplying, wasEditing, sent] = [replying, editing, attached.files];
    clear();
    try {
        if (wasEditing) await act("edit", { ...body, message: wasEditing.id });
        else if (wasReplying) {
            await act(
                "say",
                { ...body, message: wasReplying.message.id, ping: wasReplying.ping },
                sent,
            );
        } else await act("say", body, sent);
    } catch (refusal) {
        [replying, editing] = [wasReplying, wasEditing];
        attached.use(sent);
        if (!field.value) field.value = content;
        drawContext();
        tell(refusal.message);
    }
}

function clear() {
    [replying, editing, typedAt] = [null, null, 0];
    attached.use([]);
    field.value = "";
    list.close();
    tell("");
    drawContext();
    grow();
}

function tell(words) {
    alertLine.textContent = words;
}

function leaveContext() {
    if (editing) field.value = "";
    [replying, editing] = [null, null];
    drawContext();
    field.focus();
}

function editLast() {
    const own = [...store.messages.values()].filter(
        (one) => one.author === store.me && one.content,
    );
    if (own.length) edit(own.at(-1));
}

function edit(message) {
    [editing, replying] = [message, null];
    back();
    field.value = toNames(message.content);
    drawContext();
    grow();
    field.focus();
}

function reply(message) {
    [replying, editing] = [{ message, ping: true }, null];
    back();
    drawContext();
    field.focus();
}

function drawContext() {
    const close = h(
        "button",
        { type: "button", class: "icon", "aria-label": "Cancel", onclick: leaveContext },
        "✕",
    );
    const parts = [];
    if (replying) {
        const toggle = h("input", {
            type: "checkbox",
            onchange: () => (replying.ping = toggle.checked),
        });
        toggle.checked = replying.ping;
        const ping = h("label", {}, toggle, " with a ping");
        parts.push(h("p", {}, "Replying to ", h("b", {}, replying.message.name)), ping, close);
    } else if (editing) parts.push(h("p", {}, "Editing your message"), close);
    context.replaceChildren(...parts, ...attached.chips);
}

function enterCommand(entry) {
    clear();
    const command = new CommandEntry(entry, back, tell);
    writing.replaceWith(command.element);
    command.begin();
}

/** Return from a command to plain text. */
function back() {
    const current = place.querySelector("form.command");
    if (!current) return;
    current.replaceWith(writing);
    field.focus();
}

function drawTyping() {
    const names = [...store.typing.keys()].map((id) => store.userName(id));
    typingLine.textContent = names.length
        ? `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} typing…`
        : "";
}

/** Focus the text field, the open command or the offer. */
export function focusEntry() {
    const where = place.hidden ? byId("start") : place;
    where.querySelector("textarea, input:not([hidden]), .offer")?.focus();
}

/** Add the composer to the page. */
export function startComposer() {
    place.append(alertLine, context, writing, typingLine);
    store.on("opened", () => {
        back();
        clear();
        const name = store.sign(store.channel).replace("↳", "") + store.placeName(store.channel);
        field.placeholder = `Message ${name}, or /`;
        field.setAttribute("aria-label", `Message ${name}`);
        drawTyping();
    });
    store.on("reply", reply);
    store.on("edit", edit);
    store.on("alert", tell);
    store.on("typing", drawTyping);
    store.on("command", (name) => {
        back();
        const entry = entries().find((one) => one.name === name);
        if (entry) enterCommand(entry);
        else tell(`There is no command /${name} here.`);
    });
    byId("skip").addEventListener("click", (event) => {
        event.preventDefault();
        focusEntry();
    });
}
