// The files to attach to a message.

import { h } from "./dom.js";

const MAX_BYTES = 10 * 1024 * 1024;
const MOST = 10;

export class Attachments {
    /**
     * @param {() => void} onChange
     * @param {(words: string) => void} tell shows why a file is refused
     */
    constructor(onChange, tell) {
        this.onChange = onChange;
        this.tell = tell;
        this.chooser = h("input", {
            type: "file",
            multiple: true,
            hidden: true,
            onchange: () => this.add(this.chooser.files),
        });
        this.button = h(
            "button",
            {
                type: "button",
                class: "icon",
                "aria-label": "Attach files",
                onclick: () => this.chooser.click(),
            },
            "+",
        );
        this.use([]);
    }

    /** Replace all files with these. */
    use(files) {
        this.files = files;
        if (!files.length) this.chooser.value = "";
    }

    add(list) {
        for (const file of list) {
            if (file.size > MAX_BYTES) this.tell(`${file.name} is larger than 10 MiB.`);
            else this.files.push(file);
        }
        this.use(this.files.slice(0, MOST));
        this.onChange();
    }

    /** A button for each file, which removes it. */
    get chips() {
        return this.files.map((file) => {
            const drop = () => {
                this.use(this.files.filter((one) => one !== file));
                this.onChange();
            };
            const remove = h(
                "button",
                { type: "button", class: "icon", "aria-label": `Remove ${file.name}`, onclick: drop },
                "✕",
            );
            return h("span", { class: "chip" }, file.name, remove);
        });
    }
}
