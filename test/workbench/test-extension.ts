/** Extensions of one file that tests bring along. */
import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export interface TestExtension {
  readonly name: string;
  readonly displayName: string;
  readonly activationEvents?: readonly string[];
  readonly contributes?: object;
  readonly capabilities?: object;
  /** main.js. */
  readonly main: string;
  /** A folder that lies beside it as `files`. */
  readonly files?: string;
}

/** @param scratch an empty folder @returns the packaged extension */
export async function packTestExtension(
  { main, files, ...manifest }: TestExtension,
  scratch: string,
): Promise<string> {
  const folder = path.join(scratch, "extension");
  await mkdir(folder, { recursive: true });
  if (files !== undefined) await cp(files, path.join(folder, "files"), { recursive: true });
  const whole = {
    ...manifest,
    publisher: "flight-deck-test",
    version: "1.0.0",
    engines: { vscode: "^1.100.0" },
    main: "./main.js",
    extensionKind: ["workspace"],
    capabilities: { untrustedWorkspaces: { supported: true }, ...manifest.capabilities },
  };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(whole));
  await writeFile(path.join(folder, "README.md"), "For a test.\n");
  await writeFile(path.join(folder, "main.js"), main);
  const vsce = path.resolve(import.meta.dirname, "../../node_modules/@vscode/vsce/vsce");
  const vsix = path.join(scratch, `${manifest.name}.vsix`);
  const options = ["--no-dependencies", "--allow-missing-repository", "--skip-license"];
  await promisify(execFile)(process.execPath, [vsce, "package", ...options, "--out", vsix], { cwd: folder });
  return vsix;
}
