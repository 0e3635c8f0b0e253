import type { RunEvent } from "../format/event.ts";
import { EMPTY_OBJECT } from "../format/json.ts";

/** Events held in memory, of one file and of all ranks of a run together: of each file half of them the first, half the last. */
export const MAX_EVENTS = 200_000;
/** Their weight, in bytes as roughly estimated, all in all. */
export const MAX_WEIGHT = 96 * 1024 * 1024;

/** Takes the place of what was pushed out, until the array is cut. */
const LET_GO: RunEvent = { timestamp: 0, kind: "", step: null, rank: 0, message: "", data: EMPTY_OBJECT };

/**
 * Holds the first and the last events of a file that may have any number of them. What is pushed out in the
 * middle is counted. How a run began and how it ended is what a reader of a flood of events needs.
 */
export class EventBuffer {
  private head: RunEvent[] = [];
  private headWeights: number[] = [];
  private headWeight = 0;
  private headFull = false;
  private tail: RunEvent[] = [];
  private tailWeights: number[] = [];
  /** Index of the oldest event of the tail that is still held. */
  private oldest = 0;
  private tailWeight = 0;
  private maxEvents: number;
  private maxWeight: number;
  private pushed = 0;
  private givenUp = 0;

  constructor(maxEvents = MAX_EVENTS, maxWeight = MAX_WEIGHT) {
    this.maxEvents = maxEvents;
    this.maxWeight = maxWeight;
  }

  /** Events seen, held or not. */
  get count(): number {
    return this.pushed;
  }

  get dropped(): number {
    return this.pushed - this.head.length - (this.tail.length - this.oldest);
  }

  push(event: RunEvent, weight: number): void {
    this.pushed++;
    this.place(event, weight);
  }

  private place(event: RunEvent, weight: number): void {
    if (
      !this.headFull &&
      this.head.length < this.maxEvents / 2 &&
      this.headWeight + weight <= this.maxWeight / 2
    ) {
      this.head.push(event);
      this.headWeights.push(weight);
      this.headWeight += weight;
      return;
    }
    this.headFull = true;
    this.tail.push(event);
    this.tailWeights.push(weight);
    this.tailWeight += weight;
    this.evict();
  }

  private evict(): void {
    while (
      this.tail.length - this.oldest > Math.max(1, this.maxEvents / 2) ||
      (this.tailWeight > this.maxWeight / 2 && this.tail.length - this.oldest > 1)
    ) {
      this.tailWeight -= this.tailWeights[this.oldest] ?? 0;
      this.tail[this.oldest] = LET_GO;
      this.oldest++;
    }
    if (this.oldest > 1024 && this.oldest > this.tail.length / 2) {
      this.tail = this.tail.slice(this.oldest);
      this.tailWeights = this.tailWeights.slice(this.oldest);
      this.oldest = 0;
    }
  }

  get held(): number {
    return this.pushed - this.dropped;
  }

  get weight(): number {
    return this.headWeight + this.tailWeight;
  }

  /** Of those dropped, the ones that were held until {@link limit} took them. */
  get lost(): number {
    return this.givenUp;
  }

  /** From now on this much is held at most; never more than before. */
  limit(events: number, weight: number): void {
    const before = this.dropped;
    this.maxEvents = Math.min(this.maxEvents, events);
    this.maxWeight = Math.min(this.maxWeight, weight);
    const held = this.events();
    const weights = this.headWeights.concat(this.tailWeights.slice(this.oldest));
    this.head = [];
    this.tail = [];
    this.headWeights = [];
    this.tailWeights = [];
    this.headWeight = this.tailWeight = this.oldest = 0;
    this.headFull = false;
    for (const [i, event] of held.entries()) this.place(event, weights[i] ?? 0);
    this.givenUp += this.dropped - before;
  }

  /** In file order; a fresh array. */
  events(): RunEvent[] {
    return this.head.concat(this.oldest ? this.tail.slice(this.oldest) : this.tail);
  }
}
