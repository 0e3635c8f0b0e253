/** The machine's own programs that a part needs; on Debian as root they are installed, elsewhere the user is told once. */
import { access, constants, readFile } from "node:fs/promises";
import path from "node:path";
import { must, run } from "./run.mjs";

const chromiumNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const chromiumPlaces = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const tools = {
  chromium: { names: chromiumNames, places: chromiumPlaces, debian: "chromium" },
  "g++": { names: ["g++", "clang++", "c++"], places: [], debian: "g++" },
  make: { names: ["make", "gmake"], places: [], debian: "make" },
  python3: { names: ["python3"], places: [], debian: "python3" },
};

async function executable(file) {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of the first of `names` that the shell would find, or undefined. */
export async function which(...names) {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  for (const name of names) {
    for (const folder of folders) {
      const file = path.join(folder, name);
      if (await executable(file)) return file;
    }
  }
  return undefined;
}

async function find(tool) {
  const { names, places } = tools[tool];
  for (const place of places) if (await executable(place)) return place;
  return which(...names);
}

async function isDebian() {
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  return /^(ID|ID_LIKE)=.*(debian|ubuntu)/m.test(release);
}

let aptQueue = Promise.resolve();

/** apt-get allows one caller at a time. */
function apt(packages) {
  aptQueue = aptQueue
    .catch(() => undefined)
    .then(async () => {
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      await run("apt-get", ["update"], { env });
      await must("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { env });
    });
  return aptQueue;
}

/**
 * Makes sure that the named tools are there.
 * @param {...("chromium" | "g++" | "make" | "python3")} wanted
 * @returns {Promise<Record<string, string>>} their paths
 * @throws one message that names all that is missing and how to install it
 */
export async function ensureTools(...wanted) {
  const look = async () => Object.fromEntries(await Promise.all(wanted.map(async (t) => [t, await find(t)])));
  let found = await look();
  const missing = () => wanted.filter((tool) => found[tool] === undefined);
  let reason = "";
  if (missing().length > 0 && process.getuid?.() === 0 && (await isDebian())) {
    const packages = missing().map((tool) => tools[tool].debian);
    await apt(packages).catch((error) => {
      reason = `\n${error.message}`;
    });
    found = await look();
  }
  if (missing().length === 0) return found;
  const packages = missing().map((tool) => tools[tool].debian);
  throw new Error(
    `Missing on this machine: ${missing().join(", ")}. Install them and run this again ` +
      `(Debian and Ubuntu: sudo apt-get install ${packages.join(" ")}; macOS: xcode-select --install, and Chromium or Chrome in Applications).${reason}`,
  );
}
