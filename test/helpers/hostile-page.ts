/**
 * The three pages as the product has them, over messages of a test instead of VS Code's: `?page=` run, compare or runs. Under the policy
 * that VS Code's page has; what it refuses is kept.
 */
import * as z from "zod/mini";
import { comparePageContract, comparePageNotices } from "../../src/protocol/compare-page.ts";
import type { Transport } from "../../src/protocol/rpc.ts";
import { runsPageContract, runsPageNotices } from "../../src/protocol/runs-page.ts";
import { mount } from "../../webview/app.ts";
import { connect, connectWith } from "../../webview/client.ts";
import { mountCompare } from "../../webview/compare/app.ts";
import { pageFixture } from "../../webview/dev/fixture.ts";
import { mountRuns } from "../../webview/runs/app.ts";
import { decode, encode } from "../bench/page-codec.ts";

z.config({ jitless: true });

export interface HostilePage {
  readonly violations: string[];
  /** A message from the test, as text of the bytes. */
  down(bytes: string): void;
}

declare global {
  interface Window {
    hostile?: HostilePage;
    /** Told of each message to the test. */
    hostileUp?(bytes: string): Promise<void>;
  }
}

const { query, memory, violations } = pageFixture();
const listeners = new Set<(message: unknown) => void>();
const transport: Transport = {
  channel: "json",
  post: (message) => {
    let bytes = "";
    for (const byte of encode(message)) bytes += String.fromCharCode(byte);
    void window.hostileUp?.(bytes);
  },
  listen: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
window.hostile = {
  violations,
  down(bytes) {
    const message = decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)).buffer);
    for (const listener of listeners) listener(message);
  },
};

const root = document.getElementById("root");
if (root && query.get("page") === "compare")
  mountCompare(root, connectWith(comparePageContract, comparePageNotices, transport), memory);
else if (root && query.get("page") === "runs")
  mountRuns(root, connectWith(runsPageContract, runsPageNotices, transport), memory);
else if (root) mount(root, connect(transport), memory);
