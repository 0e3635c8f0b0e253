/** A process of reader.ts; a run that hangs or ends it costs that run only. */
import { type ChildProcess, spawn } from "node:child_process";
import readline from "node:readline";
import type { Reading } from "./reader.ts";

const HANG_MS = 10_000;

export class ReaderProcess {
  private child: ChildProcess | null = null;
  private waiting: ((line: string | null) => void) | null = null;
  private readonly args: readonly string[];

  /** @param script reader.ts, bundled @param user "nobody" gives up being root */
  constructor(script: string, wasm: string, user = "") {
    this.args = [script, wasm, user];
  }

  /** @param links as of the source, see `nodeSource` */
  async read(dir: string, links: "follow" | "inside" = "follow"): Promise<Reading | "hang" | "crash"> {
    this.child ??= this.start();
    const answer = new Promise<string | null>((resolve) => {
      this.waiting = resolve;
    });
    this.child.stdin?.write(`${JSON.stringify({ dir, links })}\n`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), HANG_MS);
    });
    const line = await Promise.race([answer, late]);
    clearTimeout(timer);
    if (line === "late") {
      this.stop();
      return "hang";
    }
    return line === null ? "crash" : (JSON.parse(line) as Reading);
  }

  stop(): void {
    this.child?.kill("SIGKILL");
    this.child = null;
  }

  private start(): ChildProcess {
    const child = spawn(process.execPath, this.args, { cwd: "/", stdio: ["pipe", "pipe", "inherit"] });
    readline.createInterface({ input: child.stdout }).on("line", (line) => this.waiting?.(line));
    child.on("exit", () => {
      if (this.child === child) this.child = null;
      this.waiting?.(null);
    });
    return child;
  }
}
