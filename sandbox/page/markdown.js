// Conversion of the commonly used parts of Discord's Markdown to nodes.

import { h } from "./dom.js";
import { store } from "./store.js";
import * as times from "./times.js";

const FENCE = /```(?:[\w+-]*\n)?([\s\S]*?)\n?```/g;
const LINE = /^(#{1,3}|-#|>|[-*]|\d{1,9}\.) (.*)$/;
const LATEST = 8.64e12; // the last second that a Date can hold

// The alternatives, in order of priority.
const INLINE = new RegExp(
    [
        "(?<code>(?<ticks>`+)(?<coded>[^`].*?)\\k<ticks>(?!`))",
        "\\\\(?<escaped>[\\\\`*_~|>#\\-\\[\\]()<@.!])",
        "<@!?(?<user>\\d+)>",
        "<@&(?<role>\\d+)>",
        "<#(?<place>\\d+)>",
        "</(?<command>[-_ \\w]+):\\d+>",
        "<t:(?<moment>-?\\d+)(?::(?<style>[tTdDfFR]))?>",
        "\\[(?<words>[^\\]]+)\\]\\(<?(?<target>https?://[^\\s)>]+)>?\\)",
        "<?(?<url>https?://[^\\s<>]+[^\\s<>.,:;!?'\"\\])*_])>?",
        "\\*\\*(?<bold>.+?)\\*\\*(?!\\*)",
        "__(?<underlined>.+?)__",
        "~~(?<struck>.+?)~~",
        "\\|\\|(?<spoiler>.+?)\\|\\|",
        "\\*(?<italic>[^\\s*](?:[^*]*[^\\s*])?)\\*",
        "(?<![\\w_])_(?<italic2>[^_]+)_(?![\\w_])",
        "(?<everyone>@(?:everyone|here)\\b)",
    ].join("|"),
    "gs",
);

const MESSAGE_LINK = /^https:\/\/discord\.com\/channels\/\d+\/(\d+)(?:\/(\d+))?$/;

/** The nodes of a multi-line text. */
export function markdown(text) {
    const nodes = [];
    let at = 0;
    for (const fence of text.matchAll(FENCE)) {
        nodes.push(...lines(text.slice(at, fence.index).replace(/\n$/, "")));
        nodes.push(h("pre", { tabindex: 0 }, h("code", {}, fence[1])));
        at = fence.index + fence[0].length;
    }
    nodes.push(...lines(text.slice(at).replace(at ? /^\n/ : /^/, "")));
    return nodes;
}

function lines(text) {
    if (!text) return [];
    const nodes = [];
    for (const line of text.split("\n")) {
        const [, mark, rest] = LINE.exec(line) ?? [];
        const last = nodes.at(-1);
        if (!mark) {
            if (last?.className === "plain") last.append("\n", ...inline(line));
            else nodes.push(h("div", { class: "plain" }, inline(line)));
        } else if (mark === ">") nodes.push(h("blockquote", {}, inline(rest)));
        else if (mark === "-#") nodes.push(h("small", {}, inline(rest)));
        else if (mark.startsWith("#"))
            nodes.push(h("p", { class: `head${mark.length}` }, inline(rest)));
        else if (/\d/.test(mark)) {
            // Discord counts from the first number and ignores the others.
            if (last?.tagName === "OL") last.append(h("li", {}, inline(rest)));
            else nodes.push(h("ol", { start: parseInt(mark, 10) }, h("li", {}, inline(rest))));
        } else if (last?.tagName === "UL") last.append(h("li", {}, inline(rest)));
        else nodes.push(h("ul", {}, h("li", {}, inline(rest))));
    }
    return nodes;
}

function inline(text) {
    const nodes = [];
    let at = 0;
    for (const found of text.matchAll(INLINE)) {
        if (found.index > at) nodes.push(text.slice(at, found.index));
        nodes.push(node(found.groups, found[0]));
        at = found.index + found[0].length;
    }
    if (at < text.length) nodes.push(text.slice(at));
    return nodes;
}

function node(g, source) {
    if (g.code) return h("code", {}, g.coded);
    if (g.escaped) return g.escaped;
    if (g.user) return mention(`@${store.userName(g.user)}`, g.user === store.me, g.user);
    if (g.role) return mention(`@${store.guild?.roles[g.role] ?? "role"}`, false);
    if (g.everyone) return mention(g.everyone, true);
    if (g.place) return placeLink(g.place);
    if (g.command) return commandLink(g.command);
    if (g.moment) return moment(Number(g.moment), g.style, source);
    if (g.words) return link(g.target, inline(g.words));
    if (g.url) return link(g.url, null);
    if (g.bold) return h("strong", {}, inline(g.bold));
    if (g.underlined) return h("u", {}, inline(g.underlined));
    if (g.struck) return h("s", {}, inline(g.struck));
    if (g.spoiler)
        return h("details", { class: "spoiler" }, h("summary", {}, "Spoiler"), inline(g.spoiler));
    return h("em", {}, inline(g.italic ?? g.italic2));
}

function mention(words, mine, user = null) {
    return h("span", { class: mine ? "mention mine" : "mention", "data-user": user }, words);
}

function placeLink(id) {
    if (!store.place(id)) return mention(`#${store.placeName(id)}`, false);
    return h("a", { class: "mention", href: `#${id}` }, `#${store.placeName(id)}`);
}

function commandLink(name) {
    const prefill = () => store.tell("command", name);
    return h("button", { type: "button", class: "mention", onclick: prefill }, `/${name}`);
}

function moment(seconds, style, source) {
    if (Math.abs(seconds) > LATEST) return source;
    const ms = seconds * 1000;
    const when = { datetime: new Date(ms).toISOString(), title: times.full(ms) };
    return h("time", when, times.styled(ms, style));
}

/** A link. Links to messages stay on this page. Only http and https get here. */
export function link(url, words) {
    const [, place, message] = MESSAGE_LINK.exec(url) ?? [];
    if (place) {
        const inside = message ? `#${place}/${message}` : `#${place}`;
        return h("a", { href: inside }, words ?? `#${store.placeName(place)} › message`);
    }
    return h("a", { href: url, target: "_blank", rel: "noreferrer noopener" }, words ?? url);
}

/** A text without Markdown, for a single line. */
export function plain(text) {
    return h("div", {}, markdown(text)).textContent.replace(/\s+/g, " ").trim();
}
