/** Entry of the run editor's page in VS Code. */
import * as z from "zod/mini";
import { mount } from "./app.ts";
import { connect, hostTransport, type VsCodeApi } from "./client.ts";

// zod would otherwise try whether it may evaluate code, which the page's policy forbids and reports.
z.config({ jitless: true });

declare function acquireVsCodeApi(): VsCodeApi;

const root = document.getElementById("root");
if (root) {
  const api = acquireVsCodeApi();
  mount(root, connect(hostTransport(api, window)), api);
}
