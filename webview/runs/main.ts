/** Entry of the page with the table of runs in VS Code. */
import "../language.ts";
import * as z from "zod/mini";
import { runsPageContract, runsPageNotices } from "../../src/protocol/runs-page.ts";
import { connectWith, hostTransport, type VsCodeApi } from "../client.ts";
import { mountRuns } from "./app.ts";

// zod would otherwise try whether it may evaluate code, which the page's policy forbids and reports.
z.config({ jitless: true });

declare function acquireVsCodeApi(): VsCodeApi;

const root = document.getElementById("root");
if (root) {
  const api = acquireVsCodeApi();
  mountRuns(root, connectWith(runsPageContract, runsPageNotices, hostTransport(api, window)), api);
}
