/** Where the thread's file and the Parquet library's binary lie: beside whichever bundle this runs in. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export interface Place {
  readonly script: string;
  readonly wasm: string;
}

export function place(): Place {
  // CommonJS has the one, modules have the other.
  const here = typeof __dirname === "string" ? __dirname : path.dirname(fileURLToPath(import.meta.url));
  // From the sources, in tests, what was built is used.
  const folders = [here, path.join(here, "../../dist")];
  const folder = folders.find((each) => fs.existsSync(path.join(each, SCRIPT))) ?? here;
  return { script: path.join(folder, SCRIPT), wasm: path.join(folder, WASM) };
}

const SCRIPT = "recorder-thread.cjs";
const WASM = "parquet_wasm_bg.wasm";
