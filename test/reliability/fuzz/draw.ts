/** Draws of one mutant: the same seed and number give the same mutant, whatever was drawn for others. */
import { random } from "../../unit/random.ts";

export class Draw {
  private readonly next: () => number;

  constructor(seed: number, n: number) {
    // Neighbouring numbers must not give neighbouring states.
    this.next = random(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(n + 1, 0xc2b2ae35));
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws RangeError when there is nothing to take from */
  of<T>(all: readonly T[]): T {
    const one = all[this.below(all.length)];
    if (one === undefined) throw new RangeError("nothing to draw from");
    return one;
  }

  /** By weight. */
  weighted<T>(all: readonly (readonly [number, T])[]): T {
    let rest = this.next() * all.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, one] of all) {
      rest -= weight;
      if (rest < 0) return one;
    }
    return this.of(all)[1];
  }

  /** Small numbers mostly: 1 with one half, 2 with one quarter … */
  few(most: number): number {
    let count = 1;
    while (count < most && this.chance(0.5)) count++;
    return count;
  }

  /** Does about half of these, in their order. */
  async some(all: readonly (() => Promise<unknown>)[]): Promise<void> {
    for (const each of all) if (this.chance(0.5)) await each();
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }
}
