// Pictures, files and embeds.

import { h } from "./dom.js";
import { enlarge } from "./lightbox.js";
import { link, markdown } from "./markdown.js";
import * as times from "./times.js";

/** The path of a file of this sandbox, or null for others, which are not loaded. */
function ownPath(url) {
    const { pathname } = new URL(url, location.href);
    const own = pathname.startsWith("/attachments/") || pathname.startsWith("/page/");
    return own ? pathname : null;
}

// Discord's maximum size of pictures, in CSS pixels.
const WIDEST = 550;
const HIGHEST = 350;

/** The size of a picture on the screen. It reserves the space until the picture is loaded. */
function bounded(width, height) {
    if (!width || !height) return {};
    const scale = Math.min(1, WIDEST / width, HIGHEST / height);
    return { width: Math.floor(width * scale), height: Math.floor(height * scale) };
}

/** A picture. A click enlarges it. */
export function picture({ url, alt, width, height, name = "picture" }) {
    const path = ownPath(url);
    if (!path) return h("p", {}, link(url, `${name} (not loaded: it is not kept here)`));
    const size = bounded(width, height);
    const image = h("img", { src: path, alt: alt ?? "", ...size, decoding: "async" });
    const open = {
        href: path,
        target: "_blank",
        "aria-label": alt ? null : `Open ${name}`,
        onclick: (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            enlarge(path, alt ?? "");
        },
    };
    return h("figure", {}, h("a", open, image));
}

/** A picture's alternative text in a collapsed element, for sighted users. */
function altText({ alt, name }) {
    const summary = h("summary", {}, "ALT", h("span", { class: "hidden" }, ` text of ${name}`));
    return h("details", { class: "alt" }, summary, h("p", {}, alt));
}

export function attachment(file) {
    if (file.picture) return [picture(file), file.alt && altText(file)];
    const size = `${Math.ceil(file.size / 1024)} KiB`;
    return h(
        "p",
        { class: "file" },
        h("a", { href: file.url, download: file.name }, file.name),
        ` (${size})`,
    );
}

export function embed(one) {
    const title =
        one.title && h("p", { class: "title" }, one.url ? link(one.url, one.title) : one.title);
    const fields = (one.fields ?? []).map((field) =>
        h(
            "div",
            { class: field.inline ? "inline" : null },
            h("dt", {}, field.name),
            h("dd", {}, markdown(field.value)),
        ),
    );
    const foot = [one.footer?.text, one.timestamp && times.full(Date.parse(one.timestamp))].filter(
        Boolean,
    );
    const element = h(
        "div",
        { class: "card" },
        one.author?.name && h("p", { class: "author" }, one.author.name),
        title,
        one.description && markdown(one.description),
        fields.length > 0 && h("dl", {}, fields),
        one.image && picture(one.image),
        one.thumbnail && picture(one.thumbnail),
        foot.length > 0 && h("p", { class: "foot" }, foot.join(" · ")),
    );
    if (one.color)
        element.style.borderInlineStartColor = `#${one.color.toString(16).padStart(6, "0")}`;
    return element;
}
