/** A recording as `flight-deck record` makes it: lines in, calls of the recorder out, and what became of them. */
import { BadRecord } from "../core/recorder/bad.ts";
import type { Recorder } from "../recorder/index.ts";
import type { RecorderOptions } from "../recorder/types.ts";
import { writingProblem } from "../view/recording.ts";
import { DONE, FAILED } from "./context.ts";
import type { JsonRecord } from "./json.ts";
import { type Said, said } from "./record-input.ts";
import type { InputLine } from "./record-lines.ts";

/** Calls and bytes of input that may wait for the disk before no more is read. */
export const MAX_CALLS = 4096;
const MAX_BYTES = 16 * 1024 * 1024;
/** Bad lines that get an event each: a program that prints its log here would write nothing else. */
const MAX_BAD_EVENTS = 1000;

export interface SessionNeeds {
  readonly folder: string;
  /** @throws RecordingExists */
  begin(run: RecorderOptions): Recorder;
  /** Tells the user, in one line. */
  say(text: string): void;
}

/** Their numbers are said, so that whoever reads it can look. */
const MAX_NAMED = 10;

const of = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

/** A recording as it comes in. It begins with the first line that can be recorded. */
export class Session {
  readonly #needs: SessionNeeds;
  #recorder: Recorder | null = null;
  /** What was bad before it began. */
  #early: { readonly line: number; readonly message: string }[] = [];
  /** Since the disk was last waited for. */
  #calls = 0;
  #bytes = 0;
  readonly #count = { steps: 0, samples: 0, events: 0, bad: 0, replaced: 0 };
  #lastBad = 0;
  /** The first of them, each once. */
  readonly #badLines = new Set<number>();
  #moreBadLines = 0;
  #toldProblem = "";
  #inputProblem = "";

  constructor(needs: SessionNeeds) {
    this.#needs = needs;
  }

  /** Settles when the next line may come. @throws RecordingExists */
  async take(line: InputLine): Promise<void> {
    this.#say(line);
    this.#calls++;
    this.#bytes += line.bytes;
    if (this.#calls < MAX_CALLS && this.#bytes < MAX_BYTES) return;
    this.#calls = 0;
    this.#bytes = 0;
    // A pipe that is not read makes its writer wait; a queue that is full would drop what it says.
    await this.#recorder?.flush();
    this.#tellProblem();
  }

  /** Input ended otherwise than in order. */
  inputFailed(reason: string): void {
    this.#inputProblem = reason;
    this.#recorder?.logEvent("bad_record", { message: reason });
  }

  async close(): Promise<void> {
    const silent = this.#count.bad - MAX_BAD_EVENTS;
    if (silent > 0) {
      const message = `lines up to ${this.#lastBad}: ${silent} more could not be recorded`;
      this.#recorder?.logEvent("bad_record", { message, data: { count: silent } });
    }
    await this.#recorder?.close();
  }

  /** Says what became of it. */
  report(): { readonly code: number; readonly summary: JsonRecord } {
    const { say, folder } = this.#needs;
    const { steps, samples, events, bad, replaced } = this.#count;
    const { dropped = 0, problem = null } = this.#recorder ?? {};
    if (bad > 1) say(`${bad} lines or samples could not be recorded: ${this.#badWords()}`);
    if (replaced > 0) say(`${of(replaced, "line")} held bytes that are not UTF-8; U+FFFD stands for them`);
    if (this.#inputProblem !== "") say(this.#inputProblem);
    if (problem) say(writingProblem(folder, problem));
    if (dropped > 0) say(`${of(dropped, "record")} could not be kept: not everything is there`);
    const isWhole = problem === null && dropped === 0;
    if (this.#recorder) {
      const chosen = samples === 0 ? "" : `, and what was chosen of ${of(samples, "sample")}`;
      say(
        `${isWhole ? `${folder} is recorded` : "what came in"}: ${of(steps, "step")}, ${of(events, "event")}${chosen}`,
      );
    } else say("nothing came in that can be recorded, and nothing was written");
    const isLost = !isWhole || this.#inputProblem !== "";
    const isEmpty = this.#recorder === null && bad > 0;
    return {
      code: isLost || isEmpty ? FAILED : DONE,
      summary: { folder, written: this.#recorder !== null, steps, samples, events, bad, dropped },
    };
  }

  #say({ number, text, isUtf8 }: InputLine): void {
    if (text?.trim() === "") return;
    if (!isUtf8) this.#count.replaced++;
    try {
      if (text === null) throw new BadRecord("it is too long");
      this.#log(number, said(text));
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      this.#refuse(number, error.message);
    }
  }

  #log(number: number, what: Said): void {
    if (what.type === "run") {
      if (this.#recorder) throw new BadRecord("what describes the run comes before everything else");
      for (const reason of what.bad) this.#refuse(number, reason);
      this.#begin(what.options);
      return;
    }
    const recorder = this.#begin({});
    if (what.type === "step") {
      this.#count.steps++;
      recorder.logStep(what.step, what.metrics, what.options);
    } else if (what.type === "samples") {
      for (const reason of what.bad) this.#refuse(number, reason);
      this.#count.samples += what.samples.length;
      if (what.samples.length > 0) recorder.logSamples(what.step, what.samples, { select: what.select });
    } else {
      this.#count.events++;
      recorder.logEvent(what.kind, what.options);
    }
  }

  #begin(run: RecorderOptions): Recorder {
    if (this.#recorder) return this.#recorder;
    const recorder = this.#needs.begin(run);
    this.#recorder = recorder;
    for (const { line, message } of this.#early) recorder.logEvent("bad_record", { message, data: { line } });
    this.#early = [];
    return recorder;
  }

  /** A line, or a part of it, that is left out: an event says which and why. */
  #refuse(number: number, reason: string): void {
    const message = `line ${number}: ${reason}`;
    this.#count.bad++;
    if (this.#badLines.size < MAX_NAMED) this.#badLines.add(number);
    else if (number !== this.#lastBad) this.#moreBadLines++;
    this.#lastBad = number;
    if (this.#count.bad === 1) this.#needs.say(`${message} (not recorded)`);
    if (this.#count.bad > MAX_BAD_EVENTS) return;
    if (this.#recorder) this.#recorder.logEvent("bad_record", { message, data: { line: number } });
    else this.#early.push({ line: number, message });
  }

  /** "line 3", "lines 1, 3, 4 and 12 more". */
  #badWords(): string {
    const more = this.#moreBadLines === 0 ? "" : ` and ${this.#moreBadLines} more`;
    return `line${this.#badLines.size === 1 ? "" : "s"} ${[...this.#badLines].join(", ")}${more}`;
  }

  #tellProblem(): void {
    const problem = this.#recorder?.problem;
    const words = problem ? writingProblem(this.#needs.folder, problem) : "";
    if (words !== "" && words !== this.#toldProblem) this.#needs.say(`${words}; it is tried again`);
    this.#toldProblem = words;
  }
}
