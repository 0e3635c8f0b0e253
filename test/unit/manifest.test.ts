/** What package.json, the code and the documents say of each other holds. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { activate } from "../../src/extension.ts";
import { manifest as english } from "../helpers/manifest.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

interface Manifest {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category: string;
    }[];
    readonly customEditors: readonly { readonly viewType: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}
const manifest = english() as Manifest;

const registered = vi.hoisted(() => ({
  commands: [] as string[],
  editors: [] as string[],
  schemes: [] as string[],
  views: [] as string[],
  serializers: [] as string[],
}));

/** A VS Code that only takes down what is registered with it. */
vi.mock("vscode", () => {
  const nothing = { dispose: () => undefined };
  const record = (list: string[]) => (id: string) => {
    list.push(id);
    return nothing;
  };
  return {
    commands: { registerCommand: record(registered.commands) },
    version: "1.100.0",
    lm: { registerTool: () => nothing },
    McpStdioServerDefinition: undefined,
    languages: {
      registerHoverProvider: () => nothing,
      registerDocumentLinkProvider: () => nothing,
    },
    window: {
      registerCustomEditorProvider: record(registered.editors),
      registerWebviewPanelSerializer: record(registered.serializers),
      createTreeView: record(registered.views),
      registerUriHandler: () => nothing,
      registerTerminalLinkProvider: () => nothing,
    },
    workspace: {
      registerFileSystemProvider: record(registered.schemes),
      onDidOpenTextDocument: () => nothing,
      textDocuments: [],
    },
    EventEmitter: class {
      event = () => nothing;
    },
  };
});

function trackedFiles(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  return listed.split("\0").filter((file) => file !== "" && existsSync(path.join(root, file)));
}

const documents = trackedFiles().filter((file) => file.endsWith(".md") && !file.startsWith("test/fixtures/"));

test("every contributed command and editor is registered, and nothing else is", () => {
  activate({ subscriptions: [] } as never);
  const { commands, customEditors, views } = manifest.contributes;
  expect(registered.commands.toSorted()).toEqual(commands.map(({ command }) => command).toSorted());
  expect(registered.editors).toEqual(customEditors.map(({ viewType }) => viewType));
  expect(registered.schemes).toEqual(["flightdeck"]);
  expect(registered.serializers).toEqual(["flightDeck.compare", "flightDeck.runs"]);
  expect(registered.views).toEqual(Object.values(views).flatMap((all) => all.map(({ id }) => id)));
});

test("menus name contributed commands only", () => {
  const known = new Set(manifest.contributes.commands.map(({ command }) => command));
  const used = Object.values(manifest.contributes.menus).flatMap((items) =>
    items.map(({ command }) => command),
  );
  expect(used.filter((command) => !known.has(command))).toEqual([]);
});

test("every npm script that a document names exists", () => {
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map(
      ([, script, short]) => `${file}: ${script ?? short ?? ""}`,
    ),
  );
  const missing = named.filter((name) => !(name.slice(name.lastIndexOf(" ") + 1) in manifest.scripts));
  expect(missing).toEqual([]);
});

test("the changelog starts with this version", () => {
  const [, top] = /^## \[?v?(\d+\.\d+\.\d+)/m.exec(read("CHANGELOG.md")) ?? [];
  expect(top).toBe(manifest.version);
});

/** As GitHub makes them: lower case, punctuation dropped, spaces to hyphens. */
function anchors(markdown: string): ReadonlySet<string> {
  const headings = [...markdown.matchAll(/^#{1,6} +(.+?)\s*$/gm)].map(([, text]) => text ?? "");
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function broken(file: string, link: string): boolean {
  const [target = "", anchor] = decodeURI(link).split("#");
  const place = target === "" ? file : path.join(path.dirname(file), target);
  if (!existsSync(path.join(root, place))) return true;
  return anchor !== undefined && place.endsWith(".md") && !anchors(read(place)).has(anchor);
}

test("links between documents lead somewhere", () => {
  const dead = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)|(?:src|href)="([^"]+)"/g)]
      .map(([, markdown, html]) => markdown ?? html ?? "")
      .filter((link) => !/^[a-z][a-z+.-]*:/i.test(link) && broken(file, link))
      .map((link) => `${file}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test("no tracked file tells of a machine or a package registry", () => {
  // In pieces, so that this file does not hold them.
  const hosts = ["registry.npmjs", "deb.debian", "files.pythonhosted", "pypi"].map((name) => `${name}.org`);
  const home = homedir().length > 4 ? [`${homedir()}/`] : [];
  const address = `"${"resolved"}": "http`;
  const telling = [`${root}/`, ...home, ...hosts, address];
  const texts = trackedFiles().map((file) => [file, readFileSync(path.join(root, file), "latin1")] as const);
  const found = texts.flatMap(([file, text]) =>
    telling.filter((phrase) => text.includes(phrase)).map((phrase) => `${file}: ${phrase}`),
  );
  expect(found).toEqual([]);
});
