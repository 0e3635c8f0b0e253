/** The licences of the packages that are inside the bundles. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./paths.mjs";

const line = "-".repeat(80);

/** node_modules/a/node_modules/@b/c/index.js → node_modules/a/node_modules/@b/c */
export function packageFolder(input) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

async function licenceText(folder) {
  const names = (await readdir(folder)).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name)).sort();
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(folder, name), "utf8").catch(() => "")),
  );
  return texts.map((text) => text.trim()).join("\n\n");
}

/** @returns {Promise<{title: string, text: string}>} */
async function entry(folder) {
  const { name, version, license, author } = JSON.parse(
    await readFile(path.join(folder, "package.json"), "utf8"),
  );
  const who = typeof author === "string" ? author : (author?.name ?? "");
  const text =
    (await licenceText(folder)) || `Licensed under ${license}${who === "" ? "" : `. Copyright: ${who}`}.`;
  return { title: `${name} ${version} (${license})`, text };
}

/**
 * @param {readonly import("esbuild").Metafile[]} metafiles
 * @returns {Promise<string>} packages by name; those with the same words share one section
 */
export async function thirdPartyNotices(metafiles) {
  const folders = new Set(metafiles.flatMap((m) => Object.keys(m.inputs).map(packageFolder)));
  folders.delete(undefined);
  const entries = await Promise.all([...folders].map((folder) => entry(path.join(root, folder))));
  entries.sort((a, b) => (a.title < b.title ? -1 : 1));
  /** @type {Map<string, Set<string>>} */
  const titles = new Map();
  for (const { title, text } of entries) titles.set(text, (titles.get(text) ?? new Set()).add(title));
  const sections = [...titles].map(
    ([text, names]) => `${line}\n${[...names].join("\n")}\n${line}\n\n${text}\n`,
  );
  return `Flight Deck contains the packages below, each under its own licence.\n\n${sections.join("\n\n")}`;
}
