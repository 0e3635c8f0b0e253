/** What is said of shards and samples beside their values: columns, repeats, text that misleads or is too long for a screen. */
import type { Warn } from "../format/problems.ts";
import type { Sample } from "../format/sample.ts";
import { BIDI_CHARS, CONTROL_CHARS, INVISIBLE_CHARS } from "../format/text.ts";
import { Physical, type Schema } from "./footer.ts";
import { isNullType, isText } from "./kinds.ts";

const SECOND = 1000;
const TEXTS = [
  "sample_id",
  "group_id",
  "prompt_id",
  "prompt_text",
  "completion_text",
  "capture_reason",
] as const;

/** Longer texts are cut on the screen, never in documents or exports. */
export const SCREEN_LIMITS = { characters: 200_000, lines: 20_000, marks: 500, tokens: 100_000 } as const;

/** Columns of a shard, once for all shards that share a schema. */
export function checkShardColumns(schema: Schema, path: string, warn: Warn): void {
  for (const name of ["step", "sample_id"])
    if (!schema.columns.has(name))
      warn("missing-column", path, `it has no column named ${name}`, { column: name });
  for (const name of TEXTS) {
    const node = schema.columns.get(name)?.node;
    if (!node || isNullType(node)) continue;
    if (node.children.length > 0)
      warn("type-mismatch", path, "it holds structures, which are shown as JSON", { column: name });
    else if (!isText(node) || node.logical !== "string")
      warn("coerced-type", path, "its values were converted to text", { column: name });
  }
  const truncated = schema.columns.get("truncated")?.node;
  if (truncated && !isNullType(truncated) && truncated.physical !== Physical.BOOLEAN)
    warn("coerced-type", path, "its values were converted to true and false", { column: "truncated" });
}

/** Remembers what was seen of ids over the samples shown, so that each repeat and each change of form is said once. */
export class SampleChecker {
  private readonly warn: Warn;
  private readonly seen = new Set<string>();
  private readonly forms = new Map<string, { readonly shape: string; readonly mtimeMs: number }>();

  constructor(warn: Warn) {
    this.warn = warn;
  }

  /** @param mtimeMs when its shard was written */
  check(sample: Sample, mtimeMs: number): void {
    this.identity(sample, mtimeMs);
    for (const column of TEXTS) this.text(sample[column], column, sample.file);
    if ((sample.completion_token_ids?.length ?? 0) > SCREEN_LIMITS.tokens)
      this.warn("text-truncated", sample.file, "lists of token ids are cut on the screen", {
        column: "completion_token_ids",
        level: "info",
      });
  }

  private identity(sample: Sample, mtimeMs: number): void {
    const key = `${sample.rank}\0${sample.step}\0${sample.sample_id}`;
    if (sample.sample_id !== "" && this.seen.has(key))
      this.warn("duplicate-samples", sample.file, "an id stands again within its step", {
        level: "info",
      });
    this.seen.add(key);
    this.shape(sample, mtimeMs);
  }

  /**
   * A folder used twice starts again at shard 0: its lower shards are newer than those behind them. Copying shuffles
   * times too, so it is said only where the ids changed their form as well.
   */
  private shape(sample: Sample, mtimeMs: number): void {
    if (sample.sample_id === "") return;
    const folder = sample.file.slice(0, sample.file.lastIndexOf("/"));
    const shape = sample.sample_id.replace(/\d+/g, "#");
    const before = this.forms.get(folder);
    this.forms.set(folder, { shape, mtimeMs });
    if (before && before.shape !== shape && before.mtimeMs > mtimeMs + SECOND)
      this.warn(
        "mixed-attempts",
        sample.file,
        "it is older than the shard before it, and its sample ids have another form: the folder was used twice",
      );
  }

  private text(text: string | null, column: string, file: string): void {
    if (text === null || text === "") return;
    const say = (code: Parameters<Warn>[0], detail: string) =>
      this.warn(code, file, detail, { column, level: "info" });
    if (CONTROL_CHARS.test(text) || /\r(?!\n)/.test(text))
      say("control-chars", "texts hold control characters, which are shown as such");
    if (BIDI_CHARS.test(text)) say("bidi-chars", "texts hold characters that turn the direction of text");
    if (INVISIBLE_CHARS.test(text)) say("invisible-chars", "texts hold characters that cannot be seen");
    if (isLong(text)) say("text-truncated", "texts are cut on the screen; documents and --full hold all");
  }
}

function isLong(text: string): boolean {
  if (text.length > SCREEN_LIMITS.characters) return true;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
    if (++lines > SCREEN_LIMITS.lines) return true;
  return text.length > SCREEN_LIMITS.marks && MARKS.test(text);
}

/** One character piled high with marks. */
const MARKS = new RegExp(`\\p{M}{${SCREEN_LIMITS.marks}}`, "u");
