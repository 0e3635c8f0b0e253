/** The command for agents: what it takes. */
import { type Command, NO_CACHE } from "./options.ts";

export const AGENT_COMMANDS: readonly Command[] = [
  {
    name: "mcp",
    argument: {
      name: "ROOT",
      help: "Folder that agents may read; more with --root. Unless one is given: any path, relative ones from here.",
      default: "",
    },
    help: "Serve five read-only tools about runs to agents, by the Model Context Protocol on standard input and output.",
    options: {
      root: {
        type: "text",
        value: "DIR",
        help: "The same as ROOT; can be given more than once. Paths outside of all of them are refused.",
        several: true,
      },
      config: { type: "text", value: "FILE", help: "A doctor.toml with thresholds for all diagnoses." },
      "no-cache": NO_CACHE,
    },
  },
];
