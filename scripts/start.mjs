/**
 * `npm start`: installs what is missing, builds, and opens the demo run in VS Code: in an installed `code`, else in a browser.
 * Options: --port N (the browser's), --folder PATH (opens it instead of the demo), --browser (even where `code` is installed).
 */
import { cp, mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { ensurePackages } from "./lib/install.mjs";
import { root } from "./lib/paths.mjs";
import { onEnd, run, start, stop } from "./lib/run.mjs";
import { which } from "./lib/tools.mjs";

const scratch = path.join(root, ".cache/start");
/** What a user would choose once by "Reopen Editor With… > Configure default editor". */
const settings = { "workbench.editorAssociations": { "**/manifest.json": "flightDeck.run" } };

function options() {
  const { values } = parseArgs({
    options: { port: { type: "string" }, folder: { type: "string" }, browser: { type: "boolean" } },
  });
  const port = Number(values.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`--port ${values.port}: not a port`);
  return { port, folder: values.folder, browser: values.browser === true };
}

/** The bundled run in a folder of its own, so that nothing a user does there touches the repository. */
async function demoFolder() {
  const folder = path.join(scratch, "demo");
  await rm(folder, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  await cp(path.join(root, "media/demo"), folder, { recursive: true });
  return folder;
}

async function given(folder) {
  const absolute = path.resolve(folder);
  const there = await stat(absolute).catch(() => undefined);
  if (there?.isDirectory() !== true) throw new Error(`--folder ${folder}: no such folder`);
  return absolute;
}

/** The manifest to open at the start: the folder's own, or that of a run right below it. */
async function firstManifest(folder) {
  const below = await readdir(folder, { withFileTypes: true });
  const runs = below.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  for (const name of ["", ...runs.sort()]) {
    const file = path.join(folder, name, "manifest.json");
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return file;
  }
  return undefined;
}

/** A `code` that can host an extension under development: not as root, not from inside a remote window. */
async function desktopCode() {
  if (process.getuid?.() === 0 || process.env.VSCODE_IPC_HOOK_CLI !== undefined) return undefined;
  return which("code");
}

async function startDesktop(code, folder, manifest) {
  const { writeUserSettings } = await import("./workbench.mjs");
  const userDataDir = path.join(scratch, "code");
  await writeUserSettings(userDataDir, settings);
  const args = [
    "--new-window",
    "--wait",
    `--extensionDevelopmentPath=${root}`,
    "--user-data-dir",
    userDataDir,
  ];
  const child = start(code, [...args, folder, ...(manifest === undefined ? [] : [manifest])], {
    stdio: "inherit",
  });
  onEnd(() => stop(child));
  console.log("Flight Deck is open in VS Code. Close its window, or press Ctrl+C here, to end it.");
  child.once("exit", (exit) => process.exit(exit ?? 0));
}

async function startBrowser(folder, manifest, port) {
  const { packageExtension } = await import("./package.mjs");
  const { ensureWorkbench, installExtension, openAddress, startWorkbench } = await import("./workbench.mjs");
  await ensureWorkbench();
  const extensionsDir = path.join(scratch, "extensions");
  await rm(extensionsDir, { recursive: true, force: true });
  await installExtension({ vsix: await packageExtension(), extensionsDir });
  const userDataDir = path.join(scratch, "user");
  const workbench = await startWorkbench({ folder, extensionsDir, userDataDir, settings, port });
  onEnd(() => workbench.stop());
  const address = openAddress(workbench, manifest === undefined ? [] : [manifest]);
  console.log(
    `\nFlight Deck runs in VS Code at\n\n  ${address}\n\nOpen it in a browser; press Ctrl+C here to end it.`,
  );
  const opener = process.platform === "darwin" ? "open" : process.env.DISPLAY ? "xdg-open" : undefined;
  if (opener !== undefined) await run(opener, [address]);
}

async function main() {
  const { port, folder, browser } = options();
  const workspace = folder === undefined ? undefined : await given(folder);
  await ensurePackages();
  const { buildAll } = await import("./build.mjs");
  await buildAll({ strict: true });
  const opened = workspace ?? (await demoFolder());
  const manifest = await firstManifest(opened);
  const code = browser ? undefined : await desktopCode();
  if (code === undefined) await startBrowser(opened, manifest, port);
  else await startDesktop(code, opened, manifest);
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
