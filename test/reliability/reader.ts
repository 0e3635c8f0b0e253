/**
 * Reads runs as the product does, whole: columns, samples, text. A process of its own, since what it is tested for is
 * what it does to its process. One folder, and how to take links, a line on stdin, one JSON line a folder on stdout.
 */
import fs from "node:fs";
import readline from "node:readline";
import { FlightDeckError, initParquet, nodeSource, openRun } from "../../src/core/index.ts";

export interface Reading {
  /** Code of the refusal; null when it opened. Anything that is no code of ours says "uncoded". */
  refused: string | null;
  steps: number;
  samples: number;
  events: number;
  warnings: { code: string; level: string; file: string; detail: string }[];
  ms: number;
  /** Largest memory of this process so far, in MB. */
  peakMb: number;
}

type Links = "follow" | "inside";

async function readWhole(dir: string, links: Links): Promise<Reading> {
  const start = performance.now();
  const out: Reading = { refused: null, steps: 0, samples: 0, events: 0, warnings: [], ms: 0, peakMb: 0 };
  try {
    const run = await openRun(nodeSource(dir, { links }));
    out.steps = (await run.steps.axis("recorded")).rows;
    await run.steps.axis("merged");
    await run.steps.read(
      run.steps.columns.map((c) => c.name),
      "recorded",
    );
    await run.steps.readList("kl_positional", "recorded");
    out.samples = (await run.samples.counts()).total;
    await run.samples.inSteps(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 2000);
    out.events = run.events.length + run.eventsDropped;
    out.warnings = run.warnings().map(({ code, level, file, detail }) => ({ code, level, file, detail }));
  } catch (error) {
    out.refused = error instanceof FlightDeckError ? error.code : `uncoded: ${error}`;
  }
  out.ms = Math.round(performance.now() - start);
  out.peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  return out;
}

async function main(): Promise<void> {
  initParquet(fs.readFileSync(process.argv[2] ?? ""));
  if (process.argv[3] === "nobody" && process.getuid?.() === 0) {
    process.setgroups?.([]);
    process.setgid?.(65534);
    process.setuid?.(65534);
  }
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { dir, links } = JSON.parse(line) as { readonly dir: string; readonly links: Links };
    process.stdout.write(`${JSON.stringify(await readWhole(dir, links))}\n`);
  }
}

void main();
