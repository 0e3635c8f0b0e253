/** What the command prints of a mutant: one of its commands, as text or as JSON. */
import { run } from "../../../src/cli/run.ts";
import { styleFor } from "../../../src/cli/terminal.ts";
import type { Draw } from "./draw.ts";

const COMMANDS: readonly (readonly string[])[] = [
  ["inspect"],
  ["doctor", "--extra"],
  ["samples", "--k", "3", "--full", "--no-cache"],
  ["samples", "--search", "a", "--no-cache"],
  ["show", "--step", "1", "--no-cache"],
  ["ls"],
  ["witness"],
  ["metrics"],
];
/** Done, nothing found, failed. */
const CODES: readonly number[] = [0, 1, 2];
/** What moves a cursor, turns text or hides; joiners hide nothing. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** @returns what is wrong with it */
export async function commandFaults(dir: string, wasm: Uint8Array, draw: Draw): Promise<string[]> {
  const [name = "", ...options] = draw.of(COMMANDS);
  const isJson = draw.chance(0.5);
  const args = [name, dir, ...options, ...(isJson ? ["--json"] : [])];
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(
    args,
    {
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      style: styleFor(false),
      columns: 100,
      nowMs: 0,
      wasm: () => wasm,
    },
    "0.0.0",
  );
  const faults: string[] = [];
  const all = [...out, ...err].join("\n");
  if (!CODES.includes(code)) faults.push(`code ${code}`);
  if (/inside Flight Deck|Flight Deck itself/.test(err.join("\n")))
    faults.push(`says ${err.join("\n").slice(0, 300)}`);
  if (!isJson && HIDDEN.test(all.replaceAll(/[\n\t\u200c\u200d]/g, ""))) faults.push("prints what is hidden");
  if (isJson && out.length > 0) faults.push(...jsonFaults(out.join("\n")));
  return faults.map((fault) => `flight-deck ${args.join(" ")}: ${fault}`);
}

function jsonFaults(text: string): string[] {
  try {
    JSON.parse(text);
    return [];
  } catch {
    return ["prints no JSON"];
  }
}
