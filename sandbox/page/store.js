// The state of this window: the world, the loaded messages and the current user.

const TYPING_MS = 8000;

/** Compare IDs as digit strings, because they are too long for JavaScript's numbers. */
export const byAge = (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

class Store extends EventTarget {
    me = null;
    world = null;
    channel = null; // ID of the open channel
    commands = [];
    apps = []; // message commands
    appsOf = []; // user commands
    more = false; // whether there are older messages than the loaded ones
    messages = new Map(); // of the open channel, by ID
    unread = new Map(); // channel id -> { count, pings }
    typing = new Map(); // user id -> timer
    gone = new Set();

    tell(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }

    on(name, listener) {
        this.addEventListener(name, (event) => listener(event.detail));
    }

    get guild() {
        const mine = (one) => one.channels.some((place) => place.id === this.channel);
        return this.world.guilds.find(mine) ?? this.world.guilds[0];
    }

    /** All channels and threads that the user can see. */
    get places() {
        const direct = this.world.direct ? [this.world.direct] : [];
        return [...this.world.guilds.flatMap((guild) => guild.channels), ...direct];
    }

    place(id) {
        return this.places.find((one) => one.id === id);
    }

    placeName(id) {
        const place = this.place(id);
        if (!place) return "somewhere else";
        return place.name || this.userName(this.world.bot.id);
    }

    /** The symbol before a channel's name. */
    sign(id) {
        if (this.place(id)?.thread) return "↳";
        return id === this.world.direct?.id ? "@" : "#";
    }

    userName(id) {
        return this.world.users[id]?.name ?? "somebody";
    }

    setWorld(world) {
        this.world = world;
        this.me = world.me;
        this.tell("world");
    }

    /** Open a channel with its newest messages. */
    open(id, { messages, more, ...offered }, event = "opened") {
        this.channel = id;
        this.more = more;
        this.takeCommands(offered);
        this.messages = new Map();
        this.unread.delete(id);
        for (const timer of this.typing.values()) clearTimeout(timer);
        this.typing.clear();
        for (const message of messages) this.keep(message);
        this.tell(event);
        this.tell("unread");
    }

    /** Close the channel and show the start page. */
    leave() {
        const nothing = { messages: [], more: false, commands: [], apps: [], appsOf: [] };
        this.open(null, nothing, "started");
    }

    takeCommands({ commands, apps, appsOf }) {
        this.commands = commands;
        this.apps = apps;
        this.appsOf = appsOf;
    }

    addOlder({ messages, more }) {
        this.more = more;
        for (const message of messages) this.keep(message);
    }

    /** Store a message unless the known one is newer. Returns whether it was stored. */
    keep(message) {
        const known = this.messages.get(message.id);
        if (this.gone.has(message.id) || (known && known.stamp > message.stamp)) return false;
        this.messages.set(message.id, message);
        return true;
    }

    /** Handle a push from the server. */
    take(push) {
        if (push.type === "world") this.setWorld(push);
        else if (push.type === "message") this.takeMessage(push);
        else if (push.type === "gone") {
            this.gone.add(push.id);
            if (this.messages.delete(push.id)) this.tell("gone", push.id);
        } else if (push.type === "typing") this.takeTyping(push);
    }

    takeMessage(message) {
        if (message.channel !== this.channel) {
            this.noteElsewhere(message);
            return;
        }
        const isNew = !this.messages.has(message.id);
        const before = this.messages.get(message.id);
        if (!this.keep(message)) return;
        this.stopTyping(message.author);
        this.tell("message", { message, isNew, before });
    }

    noteElsewhere(message) {
        if (message.author === this.me || this.gone.has(message.id)) return;
        const note = this.unread.get(message.channel) ?? { count: 0, pings: 0, newest: "" };
        if (byAge(message.id, note.newest) <= 0) return; // an edit of a message that was counted
        note.newest = message.id;
        note.count += 1;
        note.pings += this.isForMe(message) ? 1 : 0;
        this.unread.set(message.channel, note);
        this.tell("unread");
    }

    isForMe(message) {
        return message.mentions.includes(this.me) || message.everyone;
    }

    takeTyping({ channel, user }) {
        if (channel !== this.channel || user === this.me) return;
        clearTimeout(this.typing.get(user));
        this.typing.set(
            user,
            setTimeout(() => this.stopTyping(user), TYPING_MS),
        );
        this.tell("typing");
    }

    stopTyping(user) {
        clearTimeout(this.typing.get(user));
        if (this.typing.delete(user)) this.tell("typing");
    }
}

/** The store of this window. */
export const store = new Store();
