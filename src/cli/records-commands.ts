/** Commands about run records. */
import { type Command, JSON_OPTION, RUN } from "./options.ts";

export const RECORDS_COMMANDS: readonly Command[] = [
  {
    name: "witness",
    argument: RUN,
    help: "Show the attempts that left a witness: configuration and its hash, device, memory, time. With --write, write the witness of one. Exit code 1 when there are none.",
    options: {
      config: {
        type: "text",
        value: "FILE",
        help: "A JSON file with a configuration: each attempt is held against it; with --write, the one that was loaded.",
      },
      write: {
        type: "boolean",
        help: "Write observed.attempt<N>.json. One that is there is never replaced, and rank 0 alone writes.",
      },
      attempt: {
        type: "integer",
        value: "N",
        help: "Of --write: its number; the next free one unless said.",
        min: 0,
      },
      "run-id": { type: "text", value: "ID", help: "Of --write: an integer; FOUNDRY_RUN_ID unless said." },
      rank: { type: "integer", value: "N", help: "Of --write: RANK, then 0, unless said.", min: 0 },
      device: {
        type: "text",
        value: "DEVICE",
        help: "Of --write: cuda, mps or cpu; nvidia-smi is asked unless said.",
      },
      "device-name": { type: "text", value: "NAME", help: "Of --write: as nvidia-smi names it unless said." },
      "peak-memory": {
        type: "integer",
        value: "BYTES",
        help: "Of --write: the most that the device held.",
        min: 0,
      },
      cpus: {
        type: "number",
        value: "N",
        help: "Of --write: processors; those that are allowed unless said.",
        min: 0,
      },
      elapsed: { type: "number", value: "SECONDS", help: "Of --write: how long the attempt took.", min: 0 },
      json: JSON_OPTION,
    },
  },
  {
    name: "metrics",
    argument: {
      name: "RUN",
      help: "Folders with a metrics.json: the first is what the others are compared with.",
      atLeast: 1,
      usage: "RUN…",
    },
    help: "Compare the rows of metrics.json by benchmark, metric and horizon: mean and spread over seeds, and how each run differs from the first. Exit code 1 when there are none.",
    options: { json: JSON_OPTION },
  },
];
