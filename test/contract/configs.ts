/** Random configurations from a seed: as JavaScript holds them, and as a plan from which Python builds the same (hash_configs.py). */
import { float } from "../../src/core/records/python-values.ts";
import { random } from "../unit/random.ts";

export type Plan = null | boolean | readonly [kind: string, value: unknown];

export interface RandomConfig {
  readonly plan: Plan;
  readonly config: object;
}

interface Both {
  readonly plan: Plan;
  readonly value: unknown;
}

const NAMES = [
  ..."aAzZ_019",
  ...[
    "",
    " ",
    "lr",
    "beta",
    "10",
    "1e5",
    "a.b/c",
    "é",
    "e\u0301",
    "漢",
    "\uffee",
    "\uffff",
    "\ue000",
    "\ufeff",
  ],
  ...[
    "\u{10000}",
    "\u{1f408}",
    "\u{10ffff}",
    "\ud800",
    "\udfff",
    "\udc00\ud800",
    "\ud800\ud800\udc00",
    "\u2028",
  ],
  ...["__proto__", "constructor", "toJSON", 'q"uote', "back\\slash", "\0", "\x1f", "\x7f", "\x80"],
];
const FLOATS = [
  ...[
    0,
    -0,
    1,
    -1,
    100,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 60,
    1e15,
    1e16,
    1e21,
    1e22,
    1e23,
    123456789012345680,
    5e-324,
  ],
  ...[
    2.2250738585072014e-308,
    Number.MAX_VALUE,
    0.1,
    0.1 + 0.2,
    1 / 3,
    1e-6,
    1e-5,
    1e-4,
    0.00012345,
    4.35,
    5e-5,
  ],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
];
const INTS = [
  ...[0n, 1n, -1n, 7n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 64n],
  ...[10n ** 21n, 10n ** 29n + 3n, -(10n ** 40n), 3n ** 700n],
];
/** Characters by the ways in which they are written: control, ASCII, Latin, both halves of pairs, others, pairs. */
const RANGES: readonly (readonly [number, number])[] = [
  [0, 0x20],
  [0x20, 0x7f],
  [0x20, 0x7f],
  [0x7f, 0x100],
  [0x100, 0xd800],
  [0xd800, 0xdc00],
  [0xdc00, 0xe000],
  [0xe000, 0x10000],
  [0x10000, 0x110000],
];

export function randomConfigs(seed: number, count: number): RandomConfig[] {
  const maker = new Maker(random(seed));
  return Array.from({ length: count }, (_, i) => {
    const { plan, value } = i % 20 === 19 ? maker.deep() : maker.object(0, 12);
    return { plan, config: value as object };
  });
}

class Maker {
  private readonly next: () => number;

  constructor(next: () => number) {
    this.next = next;
  }

  object(depth: number, most: number): Both {
    const parts = new Map<string, Both>();
    for (let left = this.below(most); left > 0; left--)
      parts.set(this.next() < 0.6 ? this.pick(NAMES) : this.text(), this.value(depth + 1));
    return asObject([...parts]);
  }

  deep(): Both {
    let inner = this.float();
    for (let left = 50 + this.below(150); left > 0; left--)
      inner = this.next() < 0.5 ? asList([inner]) : asObject([[this.text(), inner]]);
    return asObject([["deep", inner]]);
  }

  private value(depth: number): Both {
    const kind = this.next();
    if (depth <= 5 && kind > 0.75) return this.object(depth, 7);
    if (depth <= 5 && kind > 0.6)
      return asList(Array.from({ length: this.below(5) }, () => this.value(depth + 1)));
    const plain = this.pick([null, true, false]);
    return this.pick([
      () => this.float(),
      () => this.float(),
      () => this.int(),
      () => asText(this.text()),
      () => ({ plan: plain, value: plain }),
    ])();
  }

  private text(): string {
    return Array.from({ length: this.below(9) }, () => {
      const [from, to] = this.pick(RANGES);
      return String.fromCodePoint(from + this.below(to - from));
    }).join("");
  }

  private int(): Both {
    const digits = `${this.pick(["", "-"])}${this.digits(1 + this.below(40))}`;
    const int = this.next() < 0.4 ? this.pick(INTS) : BigInt(digits);
    const isSafe = Number.isSafeInteger(Number(int));
    return { plan: ["i", String(int)], value: isSafe && this.next() < 0.7 ? Number(int) : int };
  }

  private float(): Both {
    const value = this.double();
    const hex = bits(value).toString(16).padStart(16, "0");
    // Whole numbers have to say that they are floats; others may.
    const isInt = Number.isSafeInteger(value) && !Object.is(value, -0);
    return { plan: ["f", hex], value: isInt || this.next() < 0.2 ? float(value) : value };
  }

  private double(): number {
    const kind = this.next();
    if (kind < 0.3) return this.pick(FLOATS);
    if (kind < 0.55) return fromBits((BigInt(this.below(2 ** 32)) << 32n) | BigInt(this.below(2 ** 32)));
    if (kind < 0.7) return Number(`${this.pick(["", "-"])}${this.digits(1 + this.below(25))}`);
    if (kind < 0.85) return Number(`1e${this.below(640) - 330}`);
    return Number((this.next() * 10).toFixed(this.below(6)));
  }

  private digits(length: number): string {
    return Array.from({ length }, () => this.below(10)).join("");
  }

  private below(n: number): number {
    return Math.floor(this.next() * n);
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

const units = (text: string): number[] => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));

const asText = (text: string): Both => ({ plan: ["s", units(text)], value: text });

const asList = (items: readonly Both[]): Both => ({
  plan: ["l", items.map(({ plan }) => plan)],
  value: items.map(({ value }) => value),
});

function asObject(parts: readonly (readonly [string, Both])[]): Both {
  const value: Record<string, unknown> = {};
  for (const [key, part] of parts)
    Object.defineProperty(value, key, { value: part.value, enumerable: true, configurable: true });
  return { plan: ["o", parts.map(([key, { plan }]) => [units(key), plan])], value };
}

function bits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function fromBits(value: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, value);
  return view.getFloat64(0);
}
