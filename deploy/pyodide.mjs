// Run deploy/anywhere.py in Pyodide: `node deploy/pyodide.mjs dist/*.whl`.
// It needs `npm install pyodide`. From the checkout, it imports only that script.
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
for (const wheel of process.argv.slice(2)) {
  python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
}
python.mountNodeFS("/checkout", process.cwd());
python.runPython(`
import runpy
runpy.run_path("/checkout/deploy/anywhere.py", run_name="__main__")
`);
