// The page's state: the user, the open channel and the server's changes.

import { act, ask, listen } from "./api.js";
import { startCompany } from "./company.js";
import { startComposer } from "./composer.js";
import { byId } from "./dom.js";
import { jump, startLog } from "./log.js";
import { startMenu } from "./menu.js";
import { startSidebar } from "./sidebar.js";
import { START, startStart } from "./start.js";
import { store } from "./store.js";
import { startWelcome } from "./welcome.js";

let stop = () => {};
let opening = 0;
let lost = false;
let wasOnline = false;

/** The URL names the user, the channel and optionally a message. */
const wanted = () => location.hash.slice(1).split("/");

function firstPlace() {
    const [id] = wanted();
    if (store.place(id)) return id;
    if (store.world.start) return START;
    return store.world.guilds[0]?.channels.find((one) => one.kind === 0)?.id;
}

async function open(id, message) {
    const number = ++opening;
    if (!id) return;
    if (id === START) {
        store.leave();
        history.replaceState(null, "", `${location.search}#${START}`);
        return;
    }
    try {
        const found = await ask("channel", { as: store.me, channel: id });
        if (number !== opening) return;
        store.open(id, found);
        history.replaceState(null, "", `${location.search}#${id}`);
        if (message) jump(message);
    } catch (refusal) {
        tellState(refusal.message);
    }
}

async function become(who) {
    stop();
    opening += 1;
    store.unread.clear();
    try {
        store.setWorld(await ask("world", { as: who ?? "" }));
    } catch (refusal) {
        tellState(refusal.message);
        return;
    }
    const address = new URL(location.href);
    address.searchParams.set("as", store.userName(store.me));
    history.replaceState(null, "", address);
    // Open the socket before loading the messages, so that none is missed.
    stop = listen(store.me, take, onState);
}

function take(push) {
    const knewCommands = store.world.bot.online && store.commands.length > 0;
    store.take(push);
    if (push.type !== "world") return;
    drawState();
    const here = store.place(store.channel);
    if (store.channel && !here) open(firstPlace());
    else if (store.channel && push.bot.online && !knewCommands) refreshCommands();
}

/** The bot is online, so its commands are known. */
async function refreshCommands() {
    const { channel, me } = store;
    const found = await ask("channel", { as: me, channel });
    if (store.channel === channel && store.me === me) {
        store.takeCommands(found);
        store.tell("commands");
    }
}

function onState(connected) {
    lost = !connected;
    drawState();
    // On the first and each later connection, load the messages that were missed.
    if (connected) open(firstPlace(), wanted()[1]);
}

function drawState() {
    const { note, bot, start } = store.world;
    wasOnline ||= bot.online;
    if (lost) tellState("Connection lost. Trying again…");
    else if (note) tellState(note, "calm");
    else if (start && !wasOnline) tellState("The bot is starting…", "calm");
    else tellState(bot.online ? "" : "The bot is offline.");
}

function tellState(words, look = "") {
    byId("state").textContent = words;
    byId("state").className = look;
}

/** Start an offer with its user and channel. */
async function begin(offer) {
    const there = new Promise((done) => {
        store.addEventListener("opened", done, { once: true });
    });
    if (offer.as === store.me) open(offer.channel);
    else {
        history.replaceState(null, "", `${location.search}#${offer.channel}`);
        become(offer.as);
    }
    await there;
    byId("title").focus();
    try {
        await act("offer", { as: offer.as, offer: offer.name });
    } catch (refusal) {
        store.tell("alert", refusal.message);
    }
}

addEventListener("hashchange", () => {
    const [id, message] = wanted();
    if (id === START && store.world.start) open(id);
    if (!store.place(id)) return;
    if (id === store.channel && message) jump(message);
    else open(id, message);
});

store.on("become", become);
store.on("offer", begin);
startSidebar();
startStart();
startLog();
startMenu();
startComposer();
startCompany();
startWelcome();
become(new URLSearchParams(location.search).get("as"));
