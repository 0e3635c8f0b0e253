/** The licences of the packages that are inside the bundles. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./paths.mjs";

const line = "-".repeat(80);

/** node_modules/a/node_modules/@b/c/index.js → node_modules/a/node_modules/@b/c */
function packageFolder(input) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

async function licenceText(folder) {
  const names = (await readdir(folder)).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name)).sort();
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(folder, name), "utf8").catch(() => "")),
  );
  return texts.map((text) => text.trim()).join("\n\n");
}

async function entry(folder) {
  const { name, version, license, author } = JSON.parse(
    await readFile(path.join(folder, "package.json"), "utf8"),
  );
  const who = typeof author === "string" ? author : (author?.name ?? "");
  const text =
    (await licenceText(folder)) || `Licensed under ${license}${who === "" ? "" : `. Copyright: ${who}`}.`;
  return { name, version, text: `${line}\n${name} ${version} (${license})\n${line}\n\n${text}\n` };
}

/**
 * @param {readonly import("esbuild").Metafile[]} metafiles
 * @returns {Promise<string>} one section a package, by name
 */
export async function thirdPartyNotices(metafiles) {
  const folders = new Set(metafiles.flatMap((m) => Object.keys(m.inputs).map(packageFolder)));
  folders.delete(undefined);
  const entries = await Promise.all([...folders].map((folder) => entry(path.join(root, folder))));
  const sections = new Map(entries.map(({ name, version, text }) => [`${name}@${version}`, text]));
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `Flight Deck contains the packages below, each under its own licence.\n\n${sorted.join("\n\n")}`;
}
