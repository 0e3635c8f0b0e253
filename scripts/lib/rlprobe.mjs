/** A Python that has rlprobe, the program whose recordings are read: named by the environment, or made once in .cache. */
import { access } from "node:fs/promises";
import path from "node:path";
import { root } from "./paths.mjs";
import { run } from "./run.mjs";
import { which } from "./tools.mjs";

const VERSION = "0.1.0";
const VARIABLE = "FLIGHT_DECK_RLPROBE_PYTHON";

async function has(python) {
  const { code, output } = await run(python, ["-c", "import rlprobe; print(rlprobe.__version__)"]);
  return code === 0 && output.trim() === VERSION;
}

async function newEnough(python) {
  return (await run(python, ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"])).code === 0;
}

/**
 * @returns {Promise<string | null>} an interpreter with rlprobe, or null where there is none and none can be made
 * @throws when the environment names one that has not got it
 */
export async function rlprobePython() {
  const named = process.env[VARIABLE];
  if (named) {
    if (await has(named)) return named;
    throw new Error(`${VARIABLE} names ${named}, which has no rlprobe ${VERSION}.`);
  }
  const folder = path.join(root, ".cache/rlprobe");
  const own = path.join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const present = await access(own).then(
    () => true,
    () => false,
  );
  if (present && (await has(own))) return own;
  const base = await which("python3", "python");
  if (base === undefined || !(await newEnough(base))) return null;
  console.error(`Installing rlprobe ${VERSION} into .cache/rlprobe …`);
  const made =
    (await run(base, ["-m", "venv", "--clear", folder])).code === 0 &&
    (await run(own, ["-m", "pip", "install", "--quiet", `rlprobe==${VERSION}`])).code === 0;
  return made && (await has(own)) ? own : null;
}
