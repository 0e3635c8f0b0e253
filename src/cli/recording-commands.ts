/** The commands that write a recording: what they take. */
import { DEFAULT_STEPS } from "../core/synth/index.ts";
import { type Command, JSON_OPTION } from "./options.ts";

const RESUME = "Continue a recording that is there already; without this it is refused.";

export const RECORDING_COMMANDS: readonly Command[] = [
  {
    name: "record",
    argument: { name: "OUT", help: "Folder of the run; made when missing." },
    help: 'Record what comes in on standard input, a JSON object a line: {"type":"step","step":N,…}, {"type":"samples","step":N,"samples":[…]}, {"type":"event","kind":K,…}, and first of all {"type":"run",…} if there is one. The end of input closes the recording.',
    options: {
      config: {
        type: "text",
        value: "FILE",
        help: "A JSON file with the trainer's configuration.",
      },
      "flush-interval": {
        type: "number",
        value: "SECONDS",
        help: "What came in is on the disk after so many seconds",
        default: 5,
        min: 0.05,
      },
      resume: { type: "boolean", help: RESUME },
      json: { type: "boolean", help: "Print at the end, as JSON, what became of the input." },
    },
  },
  {
    name: "synth",
    argument: { name: "OUT", help: "Folder of the run; it must not be there yet.", default: "" },
    help: "Write a made-up run, healthy or with one of the fourteen failures, to try things out on.",
    options: {
      pathology: {
        type: "text",
        value: "NAME",
        help: "What goes wrong halfway; list names them all. Healthy unless given.",
      },
      algorithm: {
        type: "text",
        value: "NAME",
        help: "grpo, or ppo (default: what the failure is one of, else grpo).",
      },
      "n-steps": { type: "integer", value: "N", help: "Steps", default: DEFAULT_STEPS, min: 1 },
      seed: { type: "integer", value: "N", help: "The same seed gives the same run", default: 0 },
      live: { type: "boolean", help: "Write it step by step, as if it were training. Ctrl+C ends it." },
      pace: { type: "number", value: "SECONDS", help: "Seconds a step, with --live", default: 0.5, min: 0 },
      json: JSON_OPTION,
    },
  },
];
