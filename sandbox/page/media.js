// Pictures, files and embeds.

import { h } from "./dom.js";
import { link, markdown } from "./markdown.js";
import * as times from "./times.js";

/** The path of a file that this sandbox keeps; null for what lies elsewhere and is not loaded. */
function ownPath(url) {
    const { pathname } = new URL(url, location.href);
    return pathname.startsWith("/attachments/") ? pathname : null;
}

/** A picture with its alternative text, which can be shown. */
export function picture({ url, alt, width, height, name = "picture" }) {
    const path = ownPath(url);
    if (!path) return h("p", {}, link(url, `${name} (not loaded: it is not kept here)`));
    const image = h("img", { src: path, alt: alt ?? "", width, height, decoding: "async" });
    const open = { href: path, target: "_blank", "aria-label": alt ? null : `Open ${name}` };
    const words =
        alt &&
        h(
            "details",
            { class: "alt" },
            h("summary", {}, "ALT", h("span", { class: "hidden" }, ` text of ${name}`)),
            h("p", {}, alt),
        );
    return h("figure", {}, h("a", open, image), words);
}

export function attachment(file) {
    if (file.picture) return picture(file);
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
