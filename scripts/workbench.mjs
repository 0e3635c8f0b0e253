/** Installs, starts and stops the real VS Code (code-server). `node scripts/workbench.mjs` installs both versions. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isMain } from "./lib/paths.mjs";
import { run, since, start, stop } from "./lib/run.mjs";
import { ensureTools } from "./lib/tools.mjs";
import { CURRENT, ensureWorkbench, FLOOR } from "./lib/workbench-install.mjs";

export { CURRENT, ensureWorkbench, FLOOR };

const keeper = fileURLToPath(new URL("lib/keeper.mjs", import.meta.url));

/** @returns {Promise<string>} the path of a Chromium */
export async function ensureChromium() {
  const { chromium } = await ensureTools("chromium");
  return chromium;
}

/** A quiet VS Code: nothing that looks for updates, reports, or greets. No setting that a version would rewrite at its start. */
const quiet = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "update.showReleaseNotes": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "security.workspace.trust.enabled": false,
  "git.openRepositoryInParentFolders": "never",
  "chat.disableAIFeatures": true,
  "npm.fetchOnlinePackageInfo": false,
  "json.schemaDownload.enable": false,
};

/** Restricted Mode without a question at the start. */
const untrusting = {
  "security.workspace.trust.enabled": true,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
};

const inAddress = (file) => file.split("/").map(encodeURIComponent).join("/");

/** Our environment without what would make code-server talk to a VS Code that this was started from. */
function cleanEnvironment() {
  const env = { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
  for (const name of Object.keys(env)) {
    if (/^(VSCODE_|ELECTRON_|CODE_SERVER_|NODE_OPTIONS$|VITEST)/.test(name)) delete env[name];
  }
  return env;
}

/** The command line that every call shares. */
async function entryArguments({ entry }, { userDataDir, extensionsDir }) {
  const config = path.join(userDataDir, "config.yaml");
  await mkdir(extensionsDir, { recursive: true });
  await mkdir(userDataDir, { recursive: true });
  await writeFile(config, "cert: false\n");
  return [entry, "--config", config, "--user-data-dir", userDataDir, "--extensions-dir", extensionsDir];
}

async function writeJson(file, value) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(value, null, 2));
}

/** The user's settings, beside those that keep VS Code quiet. @param {Record<string, unknown>} settings */
export function writeUserSettings(userDataDir, settings) {
  return writeJson(path.join(userDataDir, "User/settings.json"), { ...quiet, ...settings });
}

/**
 * Sets the settings of a running workbench's machine, which it follows at once and which go before the user's.
 * (A change of the user's own file from outside is seen by VS Code in a browser only at its next start.)
 * @param {string} userDataDir
 * @param {Record<string, unknown>} settings
 */
export function writeMachineSettings(userDataDir, settings) {
  return writeJson(path.join(userDataDir, "Machine/settings.json"), settings);
}

/**
 * Installs a packaged extension into an extensions folder, as a user would.
 * @param {{ version?: string, vsix: string, extensionsDir: string }} options
 */
export async function installExtension({ version = CURRENT, vsix, extensionsDir }) {
  const program = await ensureWorkbench({ version });
  const userDataDir = await mkdtemp(path.join(tmpdir(), "fd-install-"));
  try {
    const args = await entryArguments(program, { userDataDir, extensionsDir });
    const env = cleanEnvironment();
    const { code, output } = await run(program.node, [...args, "--install-extension", vsix], { env });
    if (code !== 0 || !/successfully installed/.test(output)) {
      throw new Error(`${path.basename(vsix)} could not be installed (code ${code}):\n${output}`);
    }
  } finally {
    await rm(userDataDir, { recursive: true, force: true });
  }
}

function listening(child) {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk) => {
      output += chunk;
      const address = /HTTP server listening on (http:\/\/[^\s/]+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`code-server ended with code ${code}:\n${output}`)));
  });
}

/**
 * The address that also opens files at the start, in the editors that the settings choose for them.
 * @param {{ url: string, origin: string }} workbench
 * @param {readonly string[]} files absolute
 */
export function openAddress({ url, origin }, files) {
  if (files.length === 0) return url;
  const remote = `vscode-remote://${new URL(origin).host}`;
  const payload = JSON.stringify(files.map((file) => ["openFile", `${remote}${encodeURI(file)}`]));
  return `${url}&payload=${encodeURIComponent(payload)}`;
}

/**
 * Starts a workbench on a folder. Resolves when it listens.
 * @param {object} options
 * @param {string} [options.version] `CURRENT` unless given
 * @param {string} options.folder absolute
 * @param {string} options.extensionsDir
 * @param {string} [options.userDataDir] a temporary folder unless given, removed at the end
 * @param {Record<string, unknown>} [options.settings] user settings beside the quiet ones
 * @param {number} [options.port] any free one unless given
 * @param {string} [options.workspace] a `.code-workspace` file that is opened in place of the folder, absolute
 * @param {boolean} [options.restricted] nothing is trusted: Restricted Mode
 * @returns {Promise<{ url: string, origin: string, userDataDir: string, stop: () => Promise<void> }>} `url` opens the folder
 */
export async function startWorkbench(options) {
  const { version = CURRENT, folder, extensionsDir, port = 0, restricted = false } = options;
  const settings = { ...options.settings, ...(restricted ? untrusting : {}) };
  const program = await ensureWorkbench({ version });
  const userDataDir = options.userDataDir ?? (await mkdtemp(path.join(tmpdir(), "fd-user-")));
  await writeUserSettings(userDataDir, settings);
  await writeMachineSettings(userDataDir, {});
  const args = await entryArguments(program, { userDataDir, extensionsDir });
  args.push("--auth", "none", "--bind-addr", `127.0.0.1:${port}`);
  args.push(
    "--disable-telemetry",
    "--disable-update-check",
    ...(restricted ? [] : ["--disable-workspace-trust"]),
  );
  args.push(options.workspace ?? folder);
  const child = start(process.execPath, [keeper, program.node, ...args], {
    env: cleanEnvironment(),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const end = async () => {
    await stop(child);
    if (options.userDataDir === undefined)
      await rm(userDataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const origin = await listening(child);
    return {
      url: `${origin}/?${options.workspace === undefined ? "folder" : "workspace"}=${inAddress(options.workspace ?? folder)}`,
      origin,
      userDataDir,
      stop: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

if (isMain(import.meta.url)) {
  const from = performance.now();
  await Promise.all([
    ensureWorkbench({ version: CURRENT }),
    ensureWorkbench({ version: FLOOR }),
    ensureChromium(),
  ]);
  console.log(`Workbench: both versions and Chromium are there (${since(from)}).`);
}
