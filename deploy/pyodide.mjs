// Run deploy/anywhere.py in Pyodide: `node deploy/pyodide.mjs dvonn-1.2.3-py3-none-any.whl`.
// Beside it, `npm install pyodide`; nothing of the checkout is imported but that script.
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(process.argv[2])), "wheel");
python.mountNodeFS("/checkout", process.cwd());
python.runPython(`
import runpy
runpy.run_path("/checkout/deploy/anywhere.py", run_name="__main__")
`);
