// Times as text, in the user's time zone and language.

const format = (options) => new Intl.DateTimeFormat(undefined, options);
const CLOCK = format({ hour: "2-digit", minute: "2-digit" });
const DAY = format({ dateStyle: "long" });
const FULL = format({ dateStyle: "full", timeStyle: "short" });
const STYLES = {
    t: format({ timeStyle: "short" }),
    T: format({ timeStyle: "medium" }),
    d: format({ dateStyle: "short" }),
    D: DAY,
    f: format({ dateStyle: "long", timeStyle: "short" }),
    F: FULL,
};
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const UNITS = [
    ["year", 31536000],
    ["month", 2592000],
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
    ["second", 1],
];

export const clock = (ms) => CLOCK.format(ms);
export const day = (ms) => DAY.format(ms);
export const full = (ms) => FULL.format(ms);
export const sameDay = (a, b) => new Date(a).toDateString() === new Date(b).toDateString();

/** The text of a timestamp `<t:seconds:style>`. */
export function styled(ms, style) {
    if (style !== "R") return (STYLES[style] ?? STYLES.f).format(ms);
    const seconds = Math.round((ms - Date.now()) / 1000);
    const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
    return RELATIVE.format(Math.round(seconds / size), unit);
}
