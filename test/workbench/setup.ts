/** Once before all workbench tests: the workbench, Chromium and the packaged extension are there. */
import type { TestProject } from "vitest/node";
import { buildAll } from "../../scripts/build.mjs";
import { packageExtension } from "../../scripts/package.mjs";
import { CURRENT, ensureChromium, ensureWorkbench, FLOOR } from "../../scripts/workbench.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The packaged extension. */
    vsix: string;
    /** A Chromium's path. */
    chromium: string;
  }
}

async function packaged(): Promise<string> {
  const given = process.env["FLIGHT_DECK_VSIX"];
  if (given !== undefined) return given;
  await buildAll({ strict: true });
  return packageExtension();
}

export default async function setup(project: TestProject): Promise<void> {
  const [chromium, vsix] = await Promise.all([
    ensureChromium(),
    packaged(),
    ensureWorkbench({ version: CURRENT }),
    ensureWorkbench({ version: FLOOR }),
  ]);
  project.provide("chromium", chromium);
  project.provide("vsix", vsix);
}
