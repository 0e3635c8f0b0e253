/** Entry of the compare editor's page in VS Code. */
import "../language.ts";
import * as z from "zod/mini";
import { comparePageContract, comparePageNotices } from "../../src/protocol/compare-page.ts";
import { connectWith, hostTransport, type VsCodeApi } from "../client.ts";
import { mountCompare } from "./app.ts";

// zod would otherwise try whether it may evaluate code, which the page's policy forbids and reports.
z.config({ jitless: true });

declare function acquireVsCodeApi(): VsCodeApi;

const root = document.getElementById("root");
if (root) {
  const api = acquireVsCodeApi();
  mountCompare(root, connectWith(comparePageContract, comparePageNotices, hostTransport(api, window)), api);
}
