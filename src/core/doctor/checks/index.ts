/** Checks of ours, for what rlprobe cannot see. They carry ids of their own and stay out of its JSON unless asked for. */
import type { Signature } from "../types.ts";
import fd_before_nan from "./fd_before_nan.ts";
import fd_never_healthy from "./fd_never_healthy.ts";
import fd_non_finite from "./fd_non_finite.ts";
import fd_spike from "./fd_spike.ts";

export const CHECKS: readonly Signature[] = [
  fd_non_finite,
  fd_before_nan,
  fd_spike,
  fd_never_healthy,
] as readonly Signature[];
