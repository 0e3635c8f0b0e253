/** Where things are, relative to the repository. */
import { fileURLToPath, pathToFileURL } from "node:url";

/** The repository's root, without a trailing slash. */
export const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");

/** Whether the module of this address is the program that was started. @param {string} address its `import.meta.url` */
export function isMain(address) {
  return process.argv[1] !== undefined && address === pathToFileURL(process.argv[1]).href;
}
