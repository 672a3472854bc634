// Runs a Python program by the Python of the npm package `pyodide`, with what is installed beside it.
// node pyodide.mjs FOLDER PROGRAM: FOLDER has `node_modules/pyodide` and `site`.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program] = process.argv.slice(2);
const home = resolve(folder, "node_modules/pyodide");
const { loadPyodide } = await import(pathToFileURL(resolve(home, "pyodide.mjs")).href);
const python = await loadPyodide({
  indexURL: home,
  stdout: (line) => console.log(line),
  stderr: (line) => console.error(line),
});
python.mountNodeFS("/site", resolve(folder, "site"));
python.runPython('import sys; sys.path.insert(0, "/site")');
try {
  python.runPython(readFileSync(program, "utf8"));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
