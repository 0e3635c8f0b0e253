/** New findings are sent to a webhook that is set in a real VS Code: once each, and nothing minds when nobody takes them. */
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";
import { type Recording, record } from "./recording.ts";

const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 40_000 });
const text = async (place: Locator): Promise<string> => (await place.first().textContent())?.trim() ?? "";
/** Steps after which the doctor calls the recording's KL blown up. */
const SICK = 180;
const SECRET = "T000-B000-verysecret";

/** Stands in for Slack. */
class Hook {
  readonly messages: string[] = [];
  readonly paths: string[] = [];
  status = 200;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/services/${SECRET}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.paths.push(request.url ?? "");
    this.messages.push((JSON.parse(Buffer.concat(chunks).toString()) as { text: string }).text);
    response.writeHead(this.status).end();
  }
}

let folder = "";
let workbench: Workbench;
let recording: Recording | null = null;
const hook = new Hook();
let address = "";

beforeAll(async () => {
  address = await hook.listen();
  folder = await mkdtemp(path.join(tmpdir(), "fd-hook-"));
  await mkdir(path.join(folder, "notes"));
  workbench = await Workbench.open({ folder });
});
afterEach(async () => {
  await recording?.kill();
  expect(workbench.problems()).toEqual([]);
});
afterAll(async () => {
  await workbench?.close();
  await hook.close();
  await rm(folder, { recursive: true, force: true });
});

const toasts = (words: string) => workbench.page.locator(".notification-toast").filter({ hasText: words });
const status = () => text(workbench.page.locator('.statusbar-item[id$="flightDeck.live"]'));

/** Through its command, as a user does. */
async function setWebhook(to: string): Promise<void> {
  await workbench.runCommand("Flight Deck: Set Webhook…");
  const input = workbench.page.locator(".quick-input-widget:visible input:visible").first();
  await input.waitFor();
  // What is typed is not shown.
  await soon(() => input.getAttribute("type")).toBe("password");
  await input.fill(to);
  await input.press("Enter");
}

/** A watched run that goes wrong, up to the last of its steps. */
async function goesWrong(name: string): Promise<void> {
  recording = await record(path.join(folder, name), "kl_blowup");
  await recording.steps(40);
  await workbench.contextMenu([name], "Watch Run");
  await soon(status).toContain(`${name}: running · step 39`);
  await recording.steps(SICK - 40);
  await soon(() => toasts(`${name}: KL blow-up`).count()).toBe(1);
}

async function ends(name: string): Promise<void> {
  await recording?.event("train_end", "done");
  await recording?.close();
  await toasts(`${name}: finished`).waitFor();
}

/** All that is kept as settings. */
async function settings(): Promise<string> {
  const texts: string[] = [];
  for (const name of await readdir(workbench.userDataDir, { recursive: true }))
    if (/(^|\/)settings\.json$/.test(name))
      texts.push(await readFile(path.join(workbench.userDataDir, name), "utf8"));
  return texts.join("\n");
}

test("a webhook is set through its command, and its address is in no setting", async () => {
  await workbench.runCommand("Flight Deck: Set Webhook…");
  const input = workbench.page.locator(".quick-input-widget:visible input:visible").first();
  await input.fill("hooks.slack.com/services");
  await soon(() =>
    text(workbench.page.locator(".quick-input-widget:visible .quick-input-message")),
  ).toContain("An address begins with https:// or http://");
  await workbench.page.keyboard.press("Escape");
  expect(await settings()).not.toContain("live.webhook");

  await setWebhook(address);
  const kept = toasts("The webhook is kept");
  await kept.waitFor();
  await kept.locator(".monaco-button", { hasText: "Turn On" }).click();
  await soon(settings).toMatch(/"flightDeck\.live\.webhook":\s*true/);
  expect(await settings()).not.toContain(SECRET);
});

test("gets each finding once, while and after it goes on being wrong", async () => {
  await goesWrong("sick");
  await soon(() => hook.messages.length).toBeGreaterThan(0);
  expect(hook.messages[0]).toMatch(
    /^\[sick\] CRITICAL KL_BLOWUP \(onset ~step \d+\): KL to the reference rose/,
  );
  expect(new Set(hook.paths)).toEqual(new Set([`/services/${SECRET}`]));
  await recording?.steps(20);
  await soon(status).toContain(`step ${SICK + 19}`);
  await ends("sick");
  const kinds = hook.messages.map((message) => /^\[sick\] [A-Z]+ [A-Z_]+/.exec(message)?.[0]);
  expect(kinds).not.toContain(undefined);
  expect(new Set(kinds).size).toBe(kinds.length);
});

test("that fails disturbs nobody; the run is announced all the same", async () => {
  hook.messages.length = 0;
  hook.status = 500;
  await goesWrong("refused");
  await soon(() => hook.messages.length).toBeGreaterThan(0);
  await ends("refused");
  await hook.close();
  await goesWrong("unheard");
  await ends("unheard");
  const said = await workbench.notifications();
  expect(said.filter((words) => /webhook|server|500|ECONN/i.test(words))).toEqual([]);
  expect(said.join("\n")).not.toContain(SECRET);
});

test("is removed by an empty address", async () => {
  const heard = hook.messages.length;
  address = await hook.listen();
  await setWebhook("");
  await goesWrong("silent");
  await ends("silent");
  expect(hook.messages.length).toBe(heard);
});
