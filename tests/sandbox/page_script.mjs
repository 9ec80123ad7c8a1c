// Tests of the page's script that need no browser: its state, its menus and its requests.
// test_page_script.py runs them.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

const load = (name) => import(`${process.argv[2]}/${name}.js`);
const { byAge, store } = await load("store");
const { among } = await load("combobox");
const { entries } = await load("command");
const { named, toIds, toNames, withName } = await load("mentions");
const { channels, offers } = await load("sources");
const { styled } = await load("times");

const [ANN, BOB, BEN, BOT] = ["100", "101", "102", "999"];
const message = (id, more = {}) => ({
    id,
    channel: "10",
    author: BOB,
    stamp: 1,
    mentions: [],
    everyone: false,
    ...more,
});

function begin() {
    const users = {
        [ANN]: { name: "Ann" },
        [BOB]: { name: "Bob" },
        [BEN]: { name: "Bob the $1 Builder" },
        [BOT]: { name: "dvonn", bot: true },
    };
    const places = [
        { id: "10", name: "dvonn", kind: 0 },
        { id: "11", name: "lounge", kind: 0 },
        { id: "12", name: "talk", kind: 2 },
    ];
    const guild = { channels: places, members: [ANN, BOB, BEN], roles: { 7: "Players" } };
    const world = { me: ANN, bot: { id: BOT }, locale: "de", users, guilds: [guild] };
    store.setWorld({ ...world, direct: { id: "20", name: "" } });
    store.gone.clear();
    store.unread.clear();
    store.open("10", { messages: [], more: false, commands: [], apps: [], appsOf: [] });
}

test("ids are compared as numbers", () => {
    assert.deepEqual(["100", "99", "101", "9"].sort(byAge), ["9", "99", "100", "101"]);
});

test("the newest version of a message is kept, and a deleted one never returns", () => {
    begin();
    const told = [];
    store.on("message", ({ isNew }) => told.push(isNew));
    store.take({ type: "message", ...message("1", { stamp: 2, content: "edited" }) });
    store.take({ type: "message", ...message("1", { stamp: 1, content: "as it was" }) });
    assert.equal(store.messages.get("1").content, "edited");
    store.take({ type: "message", ...message("1", { stamp: 3, content: "edited again" }) });
    assert.equal(store.messages.get("1").content, "edited again");
    assert.deepEqual(told, [true, false]);
    store.take({ type: "gone", id: "1" });
    store.take({ type: "message", ...message("1", { stamp: 4 }) });
    assert.equal(store.messages.size, 0);
});

test("messages elsewhere are counted once, with those for this person", () => {
    begin();
    const take = (id, more) =>
        store.take({ type: "message", ...message(id, { channel: "11", ...more }) });
    take("9", {});
    take("10", { mentions: [ANN] });
    take("10", { mentions: [ANN], stamp: 2 }); // an edit
    take("11", { everyone: true });
    take("12", { author: ANN });
    const { count, pings } = store.unread.get("11");
    assert.deepEqual([count, pings], [3, 2]);
    store.open("11", { messages: [], more: false, commands: [], apps: [], appsOf: [] });
    assert.equal(store.unread.size, 0);
});

test("who types is shown for some seconds, or until they have written", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    begin();
    for (const user of [ANN, BOB, BEN]) store.take({ type: "typing", channel: "10", user });
    store.take({ type: "typing", channel: "11", user: BOT });
    assert.deepEqual([...store.typing.keys()], [BOB, BEN]);
    store.take({ type: "message", ...message("1") });
    assert.deepEqual([...store.typing.keys()], [BEN]);
    mock.timers.tick(8000);
    assert.equal(store.typing.size, 0);
    mock.timers.reset();
});

test("places have names and signs", () => {
    begin();
    assert.deepEqual(["10", "20", "5"].map((id) => store.placeName(id)), [
        "dvonn",
        "dvonn",
        "somewhere else",
    ]);
    assert.deepEqual(["10", "20"].map((id) => store.sign(id)), ["#", "@"]);
});

test("names behind an @ are sent as ids, the longest that fits, and no part of a word", () => {
    begin();
    const text = "@bob, @Bob the $1 Builder and @Bobby, mail me@Bob @Ann!";
    assert.equal(toIds(text), `<@${BOB}>, <@${BEN}> and @Bobby, mail me@Bob <@${ANN}>!`);
    assert.equal(toNames(`<@${BOB}> <@!${ANN}> <@5>`), "@Bob @Ann <@5>");
    assert.deepEqual(named("hi @bo").map((one) => one.name), ["@Bob", "@Bob the $1 Builder"]);
    assert.deepEqual([named("hi bo"), named("me@bo")], [[], []]);
    assert.equal(withName("hi @bo", "@Bob the $1 Builder"), "hi @Bob the $1 Builder ");
});

test("each subcommand is a command, by both of its names", () => {
    begin();
    const show = { type: 1, name: "show", name_localizations: { de: "zeigen" }, description: "?" };
    const option = { type: 3, name: "text", description: "words" };
    const group = { type: 2, name: "games", options: [{ ...show, options: [option] }] };
    store.commands = [
        { name: "setup", name_localizations: { de: "einrichten" }, options: [show, group] },
        { name: "play", description: "A game", description_localizations: { de: "Ein Spiel" } },
    ];
    assert.deepEqual(
        entries().map((one) => [one.name, one.called, one.description, one.options.length]),
        [
            ["setup show", "einrichten zeigen", "?", 0],
            ["setup games show", "einrichten games zeigen", "?", 1],
            ["play", "play", "Ein Spiel", 0],
        ],
    );
});

test("selects offer people, roles and channels, with what is chosen", () => {
    begin();
    const names = (one) => offers(one).map((item) => [item.name, item.chosen]);
    assert.deepEqual(names({ type: 5, default_values: [{ id: BOB }] }), [
        ["Ann", false],
        ["Bob", true],
        ["Bob the $1 Builder", false],
    ]);
    assert.equal(offers({ type: 5 })[0].detail, "you");
    assert.deepEqual(names({ type: 6 }), [["@Players", false]]);
    assert.equal(names({ type: 7 }).length, 4);
    assert.deepEqual(names({ type: 8 }), [["#dvonn", false], ["#lounge", false], ["#talk", false]]);
    assert.deepEqual(channels([2]).map((one) => one.name), ["#talk"]);
    const option = { label: "Red", value: "r", default: true };
    assert.deepEqual(names({ type: 3, options: [option] }), [["Red", true]]);
    assert.deepEqual(
        among([{ name: "a Bob" }, { name: "Bobby" }, { name: "Ann" }])("bo").map((one) => one.name),
        ["Bobby", "a Bob"],
    );
});

test("moments are told in the largest unit", () => {
    const inSeconds = (seconds) => styled(Date.now() + seconds * 1000 + 200, "R");
    const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
    assert.equal(inSeconds(7200), relative.format(2, "hour"));
    assert.equal(inSeconds(-86400), relative.format(-1, "day"));
    assert.equal(inSeconds(60), relative.format(1, "minute"));
    assert.equal(inSeconds(0), relative.format(0, "second"));
});
