/** A halt policy, asked until it gives a reason, and how that reason is worded in the recording: as rlprobe words a finding that halts a run. */
import type { Halt, HaltPolicy, HaltReason, StepMetrics } from "./types.ts";

export class Halting {
  readonly #policy: HaltPolicy;
  #halt: Halt | null = null;
  #failed = false;

  constructor(policy: HaltPolicy) {
    this.#policy = policy;
  }

  get halt(): Halt | null {
    return this.#halt;
  }

  /**
   * @param said told of a halt, once
   * @param failed told that the policy threw, once; it is asked again all the same
   */
  ask(
    step: number | bigint,
    metrics: StepMetrics,
    said: (halt: Halt) => void,
    failed: (reason: string) => void,
  ): void {
    if (this.#halt) return;
    try {
      const reason = this.#policy.shouldHalt(step, metrics);
      if (!reason) return;
      this.#halt = worded(step, reason);
      said(this.#halt);
      this.#policy.onHalt?.(this.#halt);
    } catch (error) {
      if (!this.#failed) failed(error instanceof Error ? error.name : "an error");
      this.#failed = true;
    }
  }
}

function worded(step: number | bigint, reason: HaltReason): Halt {
  if (typeof reason === "string") return { step, message: `halted: ${reason}`, signatureId: null };
  const { signatureId, severity, confidence, explanation } = reason;
  const sure = confidence === undefined ? undefined : `confidence ${Math.round(confidence * 100)}%`;
  const facts = [severity, sure].filter((fact) => fact !== undefined).join(", ");
  const message = `halted by ${signatureId}${facts === "" ? "" : ` (${facts})`}: ${explanation}`;
  return { step, message, signatureId };
}
