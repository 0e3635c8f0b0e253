/** Editors opened and closed in a real VS Code leave no file, thread, process or watch behind in the processes of its server. */
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";

const recordings = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings");
const RUNS = ["grpo-baseline", "grpo-length-hack", "grpo-live-copy", "manual-ranks"];
const ROUNDS = 12;
const WARM = 3;

let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-leaks-"));
  for (const name of RUNS)
    await cp(path.join(recordings, name), path.join(folder, name), { recursive: true });
  workbench = await Workbench.open({ folder });
});
afterAll(async () => {
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});

const quiet = <T>(asked: Promise<T>, or: T): Promise<T> => asked.catch(() => or);
const text = (pid: string, name: string) => quiet(readFile(`/proc/${pid}/${name}`, "utf8"), "");

/** The server and all that it started. */
async function processes(): Promise<readonly string[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found: string[] = [];
  const parents = new Map<string, string>();
  for (const pid of all) {
    if ((await text(pid, "cmdline")).includes(workbench.userDataDir)) found.push(pid);
    parents.set(pid, /^PPid:\s+(\d+)/m.exec(await text(pid, "status"))?.[1] ?? "");
  }
  for (let before = 0; before !== found.length; ) {
    before = found.length;
    for (const [pid, parent] of parents) if (found.includes(parent) && !found.includes(pid)) found.push(pid);
  }
  return found;
}

/** Of all of them together; watches are inotify's, one a file or folder. */
async function held(): Promise<Record<"processes" | "files" | "threads" | "watches", number>> {
  const pids = await processes();
  const sum = { processes: pids.length, files: 0, threads: 0, watches: 0 };
  for (const pid of pids) {
    const files = await quiet(readdir(`/proc/${pid}/fd`), []);
    sum.files += files.length;
    sum.threads += (await quiet(readdir(`/proc/${pid}/task`), [])).length;
    for (const file of files)
      sum.watches += (await text(pid, `fdinfo/${file}`)).match(/^inotify wd:/gm)?.length ?? 0;
  }
  return sum;
}

async function round(): Promise<void> {
  for (const name of RUNS) {
    await workbench.contextMenu([name], "Open Run");
    const page = await workbench.webview(name);
    await expect
      .poll(() => page.locator('[data-testid="chart"]').first().getAttribute("data-last"))
      .not.toBe(null);
  }
  await workbench.closeAll();
}

test(`${RUNS.length} editors opened and closed ${ROUNDS} times`, { timeout: 900_000 }, async () => {
  for (let i = 0; i < WARM; i++) await round();
  const before = await held();
  for (let i = WARM; i < ROUNDS; i++) await round();
  process.stdout.write(`${JSON.stringify({ before, after: await held() })}\n`);
  // What one round leaves behind would be there nine times; what VS Code itself has open comes and goes by a few.
  const room = { processes: 0, files: 8, threads: 6, watches: 4 };
  const within = async () => {
    const now = await held();
    return Object.entries(room).filter(([what, more]) => {
      const key = what as keyof typeof room;
      return now[key] > before[key] + more;
    });
  };
  await expect.poll(within).toEqual([]);
  expect(workbench.problems()).toEqual([]);
});
