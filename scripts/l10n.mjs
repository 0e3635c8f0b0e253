/**
 * Collects the sentences that the code words by `t(…)` or `vscode.l10n.t(…)` into l10n/bundle.l10n.json, and says what a language lacks.
 * `node scripts/l10n.mjs`; with `--missing de` it prints the sentences that German lacks, as JSON.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { isMain, root } from "./lib/paths.mjs";

/** The core knows no language: what it says is data, and these are the sentences of it that are shown. */
const TABLES = {
  "src/core/doctor": { calls: { phrase: [0] }, properties: ["title", "doc", "why", "what", "tries"] },
  "src/core/format/catalogue.ts": { calls: { metric: [2] }, properties: ["title"] },
  "src/view/words.ts": { calls: { say: [0, 1] }, constants: true },
  "src/view/run-query.ts": { properties: ["doc"] },
  "src/view/document-writer.ts": { names: ["FIELDS"] },
};
const FOLDERS = ["src/host", "src/view", "src/worker", "src/web", "src/protocol", "webview"];
const folder = path.join(root, "l10n");

/** Files below `name`, or the file itself. */
async function filesOf(name) {
  if (name.endsWith(".ts")) return [name];
  const entries = await readdir(path.join(root, name), { recursive: true });
  return entries.filter((entry) => entry.endsWith(".ts")).map((entry) => `${name}/${entry}`);
}

async function sources() {
  const files = await Promise.all(FOLDERS.map(filesOf));
  return [...files.flat(), "src/extension.ts"].sort();
}

const isTranslator = (callee) =>
  (ts.isIdentifier(callee) && callee.text === "t") ||
  (ts.isPropertyAccessExpression(callee) &&
    callee.name.text === "t" &&
    callee.expression.getText().endsWith("l10n"));

function propertyText(object, name) {
  const property = object.properties.find((each) => each.name?.getText() === name);
  const value = property && ts.isPropertyAssignment(property) ? property.initializer : undefined;
  return value && ts.isStringLiteralLike(value) ? value.text : undefined;
}

/** A call's sentence by its key, which is the sentence with its comment behind it. `null` when neither can be read off the code. */
function sentenceOf([first]) {
  if (first === undefined) return null;
  if (ts.isStringLiteralLike(first)) return [first.text, first.text];
  if (!ts.isObjectLiteralExpression(first)) return null;
  const [message, comment] = [propertyText(first, "message"), propertyText(first, "comment")];
  return message === undefined || comment === undefined ? null : [`${message}/${comment}`, message];
}

/**
 * The sentences of a file, and the places of calls that hide theirs.
 * @param {string} name @param {string} text
 * @returns {{ sentences: [key: string, message: string][], hidden: string[] }}
 */
export function sentencesOf(name, text) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const [sentences, hidden] = [[], []];
  const visit = (node) => {
    if (ts.isCallExpression(node) && isTranslator(node.expression)) {
      const sentence = sentenceOf(node.arguments);
      if (sentence) sentences.push(sentence);
      else hidden.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { sentences, hidden };
}

const textsIn = (node) =>
  ts.isStringLiteralLike(node)
    ? [node.text]
    : ts.isArrayLiteralExpression(node)
      ? node.elements.flatMap(textsIn)
      : [];

/** Names and values of an object's properties. */
function entriesOf({ initializer }) {
  const object = ts.isAsExpression(initializer) ? initializer.expression : initializer;
  return object.properties.flatMap(({ name, initializer: value }) => [name.text, ...textsIn(value)]);
}

/**
 * The sentences of a table: arguments of calls, properties of objects by name, top-level constants, whole objects.
 * @param {string} name @param {string} text
 * @param {{ calls?: Record<string, number[]>, properties?: string[], constants?: boolean, names?: string[] }} where
 * @returns {string[]}
 */
export function tableOf(name, text, { calls = {}, properties = [], constants = false, names = [] }) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
      for (const at of calls[node.expression.text] ?? []) {
        const argument = node.arguments[at];
        if (argument) found.push(...textsIn(argument));
      }
    if (ts.isPropertyAssignment(node) && properties.includes(node.name.getText()))
      found.push(...textsIn(node.initializer));
    if (ts.isVariableDeclaration(node) && names.includes(node.name.getText())) found.push(...entriesOf(node));
    if (constants && ts.isVariableDeclaration(node) && node.initializer)
      found.push(...textsIn(node.initializer));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.filter((each) => each !== "");
}

/**
 * All sentences of the product, sorted.
 * @returns {Promise<{ bundle: Record<string, string>, hidden: string[] }>}
 */
export async function collect() {
  const [all, hidden] = [new Map(), []];
  for (const name of await sources()) {
    const found = sentencesOf(name, await readFile(path.join(root, name), "utf8"));
    for (const [key, message] of found.sentences) all.set(key, message);
    // The one that passes on what it is given.
    if (name !== "src/protocol/l10n.ts") hidden.push(...found.hidden);
  }
  for (const [place, where] of Object.entries(TABLES))
    for (const name of await filesOf(place))
      for (const text of tableOf(name, await readFile(path.join(root, name), "utf8"), where))
        all.set(text, text);
  const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { bundle: Object.fromEntries(sorted), hidden };
}

/** @param {Record<string, string>} bundle */
export const asFile = (bundle) => `${JSON.stringify(bundle, null, 2)}\n`;

/** @param {string} language @returns {Promise<Record<string, string>>} */
export const translation = async (language) =>
  JSON.parse(await readFile(path.join(folder, `bundle.l10n.${language}.json`), "utf8"));

if (isMain(import.meta.url)) {
  const { bundle, hidden } = await collect();
  const [flag, language = "de"] = process.argv.slice(2);
  if (flag !== "--missing") await writeFile(path.join(folder, "bundle.l10n.json"), asFile(bundle));
  const translated = await translation(language);
  const lacking = Object.keys(bundle).filter((key) => !Object.hasOwn(translated, key));
  const unused = Object.keys(translated).filter((key) => !Object.hasOwn(bundle, key));
  if (flag === "--missing") console.log(JSON.stringify(lacking, null, 1));
  else
    console.log(
      `${Object.keys(bundle).length} sentences; ${language} lacks ${lacking.length}, and has ${unused.length} that no code says`,
    );
  for (const place of hidden) console.error(`${place}: the first argument of t() is no literal`);
  if (hidden.length > 0) process.exitCode = 1;
}
