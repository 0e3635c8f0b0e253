/** Made-up chance: the same seed gives the same numbers, everywhere and in every order of use of other generators. */
export class Random {
  #state: number;
  #spare = Number.NaN;

  /** @param stream another name gives other numbers of the same seed */
  constructor(seed: number, stream = "") {
    let hash = 0x811c9dc5;
    for (const unit of `${seed}/${stream}`) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
    this.#state = hash >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 0x1_0000_0000;
  }

  /** Of a normal distribution with mean 0 and deviation 1. */
  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = Number.NaN;
      return spare;
    }
    // 1 - x is never 0, whose logarithm there is none of.
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    const angle = 2 * Math.PI * this.next();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** @param items at least one */
  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.next() * items.length)] ?? items[0];
  }
}
