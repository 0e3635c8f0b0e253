/** The one door to the core for the worker, the terminal and the tests. */
export { FlightDeckError, type Warning, type WarningCode } from "./format/problems.ts";
export { nodeSource } from "./io/node.ts";
export type { RunSource } from "./io/source.ts";
export { decoderBroken, decoderMemory, initParquet } from "./reader/decode.ts";
export { RunMemory } from "./reader/memory.ts";
export { type OpenOptions, openRun } from "./reader/open.ts";
export type { RowOrder, RunModel } from "./run/model.ts";
