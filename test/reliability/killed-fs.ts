/** Kills this process in place of a call of the disk. */
import fs from "node:fs";

export interface DeathAt {
  readonly from: "start" | "merging" | "event";
  readonly at: number;
  readonly share: number;
}

/** In the path of the call from which on calls are counted. */
const BEGINS = { start: "", merging: ".steps.unfinished", event: "events.jsonl" } as const;

const CALLS = [
  ...["mkdirSync", "openSync", "writeSync", "fsyncSync", "ftruncateSync"],
  ...["renameSync", "linkSync", "rmSync", "rmdirSync", "readdirSync", "readSync"],
];

type Call = (...args: unknown[]) => unknown;

export function dieAt({ from, at, share }: DeathAt): void {
  let left = at;
  let isCounting = false;
  for (const name of CALLS) {
    const own = Reflect.get(fs, name) as Call;
    const call: Call = (...args) => {
      isCounting ||= String(args[0]).includes(BEGINS[from]);
      if (isCounting && left-- === 0) {
        if (name === "writeSync") writeSome(own, args, share);
        process.kill(process.pid, "SIGKILL");
      }
      return own(...args);
    };
    Reflect.set(fs, name, call);
  }
}

function writeSome(own: Call, [fd, bytes, start, length]: readonly unknown[], share: number): void {
  own(fd, bytes, start, Math.floor(Number(length) * share));
}
