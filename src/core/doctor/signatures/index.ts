/** All signatures, in rlprobe's order: findings of equal severity and confidence keep it. */
import type { Signature } from "../types.ts";
import adv_collapse from "./adv_collapse.ts";
import clip_saturation from "./clip_saturation.ts";
import degenerate_groups from "./degenerate_groups.ts";
import entropy_collapse from "./entropy_collapse.ts";
import format_gaming from "./format_gaming.ts";
import grad_pathology from "./grad_pathology.ts";
import kl_blowup from "./kl_blowup.ts";
import ref_policy_drift_asymmetry from "./ref_policy_drift_asymmetry.ts";
import repetition_spiral from "./repetition_spiral.ts";
import reward_hack_length from "./reward_hack_length.ts";
import reward_std_death from "./reward_std_death.ts";
import throughput_rot from "./throughput_rot.ts";
import truncation_starve from "./truncation_starve.ts";
import value_divergence from "./value_divergence.ts";

export const SIGNATURES: readonly Signature[] = [
  kl_blowup,
  entropy_collapse,
  reward_hack_length,
  format_gaming,
  clip_saturation,
  degenerate_groups,
  adv_collapse,
  value_divergence,
  grad_pathology,
  truncation_starve,
  repetition_spiral,
  reward_std_death,
  ref_policy_drift_asymmetry,
  throughput_rot,
] as readonly Signature[];
