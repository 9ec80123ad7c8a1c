// The server's API: queries, actions, and the socket that sends changes.

/** The server refused a request. The message is human-readable. */
export class Refusal extends Error {
    constructor(words, status) {
        super(words);
        this.status = status;
    }

    /** True if the bot did not answer. */
    get unanswered() {
        return this.status === 504;
    }
}

async function answer(request) {
    let response;
    try {
        response = await request;
    } catch {
        throw new Refusal("The sandbox is not running.", 0);
    }
    const body = await response.json();
    if (!response.ok) throw new Refusal(body.error, response.status);
    return body;
}

/** Query `world` or `channel`. */
export function ask(name, query) {
    return answer(fetch(`/page/api/${name}?${new URLSearchParams(query)}`));
}

/** Perform an action as a user. See sandbox/web/actions.py for the names and bodies. */
export function act(name, body, files = []) {
    const options = { method: "POST" };
    if (files.length) {
        options.body = new FormData();
        options.body.append("payload_json", JSON.stringify(body));
        files.forEach((file, n) => options.body.append(`files[${n}]`, file, file.name));
    } else {
        options.headers = { "Content-Type": "application/json" };
        options.body = JSON.stringify(body);
    }
    return answer(fetch(`/page/api/${name}`, options));
}

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;

/**
 * Listen to a user's changes. Reconnects by itself.
 * @param {string} me
 * @param {(push: object) => void} onPush
 * @param {(connected: boolean) => void} onState
 * @returns {() => void} stops listening
 */
export function listen(me, onPush, onState) {
    let wait = FIRST_WAIT_MS;
    let ended = false;
    let socket;
    let timer;

    function open() {
        const address = new URL(`/page/live?${new URLSearchParams({ as: me })}`, location.href);
        address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
        address.hash = "";
        socket = new WebSocket(address);
        socket.addEventListener("open", () => {
            wait = FIRST_WAIT_MS;
            onState(true);
        });
        socket.addEventListener("message", (event) => {
            if (!ended) onPush(JSON.parse(event.data));
        });
        socket.addEventListener("close", () => {
            if (ended) return;
            onState(false);
            timer = setTimeout(open, wait);
            wait = Math.min(2 * wait, LONGEST_WAIT_MS);
        });
    }

    open();
    return () => {
        ended = true;
        clearTimeout(timer);
        socket.close();
    };
}
