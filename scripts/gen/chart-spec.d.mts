import type { Runtime } from "vega";

export function chartRuntime(): Runtime;
export function chartSpecModule(): string;
export function generate(): Promise<void>;
