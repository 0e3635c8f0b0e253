/**
 * Everything that can be wrong with a recording has a code. Codes are stable: tests, documentation and
 * scripts name them. The core speaks codes and facts; `src/view/problems.ts` words them for people.
 */

/** A run, or a part of it, that cannot be read at all. */
export type RefusalCode =
  | "not-found"
  | "not-a-run"
  | "newer-schema"
  | "bad-schema-version"
  | "not-a-regular-file"
  | "not-a-directory"
  | "permission-denied"
  | "io-error"
  | "aborted"
  | "internal";

/** Something that was noticed while reading; what could be read is shown all the same. */
export type WarningCode =
  // manifest.json
  | "manifest-unreadable"
  | "manifest-field"
  | "manifest-too-deep"
  | "schema-version-assumed"
  // text of any kind
  | "bom"
  | "invalid-utf8"
  | "not-utf8"
  | "non-finite"
  | "unsafe-integer"
  | "duplicate-key"
  | "control-chars"
  | "bidi-chars"
  | "invisible-chars"
  | "text-truncated"
  | "too-deep"
  | "nul-tail"
  | "nul-run"
  // files
  | "empty-file"
  | "nul-file"
  | "not-a-regular-file"
  | "permission-denied"
  | "io-error"
  | "stray-file"
  | "size-limit"
  | "dangling-link"
  | "link-outside"
  | "link-restricted"
  | "link-loop"
  | "name-not-utf8"
  | "gzip-wrapped"
  | "lfs-pointer"
  | "html-page"
  | "encrypted-parquet"
  // parquet
  | "steps-unreadable"
  | "part-unreadable"
  | "part-incomplete"
  | "shard-unreadable"
  | "truncated-parquet"
  | "bad-magic"
  | "footer-corrupt"
  | "page-corrupt"
  | "unsupported-codec"
  | "type-mismatch"
  | "coerced-type"
  | "bad-cell"
  | "bad-row"
  | "column-limit"
  | "duplicate-column"
  | "unknown-column"
  | "missing-column"
  | "missing-step-column"
  | "external-file-path"
  | "arrow-schema-ignored"
  // the run as a whole
  | "no-steps"
  | "part-gap"
  | "shard-gap"
  | "duplicate-steps"
  | "duplicate-samples"
  | "unsorted-steps"
  | "negative-step"
  | "timestamp-units"
  | "timestamp-range"
  | "stale-compacted"
  | "compaction-interrupted"
  | "mixed-attempts"
  // events.jsonl
  | "bad-line"
  | "torn-last-line"
  // rank folders
  | "rank-name"
  | "rank-duplicate"
  | "rank-nested"
  | "rank-no-manifest"
  | "rank-mismatch"
  | "newer-schema"
  | "bad-schema-version"
  | "not-a-directory"
  // run records
  | "record-unreadable"
  | "record-shape"
  | "newer-record-format"
  | "config-hash-mismatch"
  | "attempt-name"
  | "attempt-gap"
  | "attempt-mismatch";

/**
 * One kind of problem in one place. Many of a kind are counted in `count`, not listed.
 * `file` is relative to the run folder ("" is the folder itself), with "/" between its parts.
 * `detail` is a short fact in plain English without file content ("row group 0 claims 2^31 rows").
 */
export interface Warning {
  readonly code: WarningCode;
  readonly file: string;
  readonly detail: string;
  readonly count: number;
  /** Column the problem was found in. */
  readonly column?: string;
  /** First line (1-based) or row (0-based) it was found at. */
  readonly line?: number;
  readonly row?: number;
  /** What lies behind it where the code names the consequence: the file's own fault. */
  readonly cause?: WarningCode;
  /** "info": nothing was lost and nothing needs doing. */
  readonly level: "info" | "warning";
}

/** The only error that the core throws on purpose: a code, the file it is about, and what was found there. */
export class FlightDeckError extends Error {
  override readonly name = "FlightDeckError";
  readonly code: RefusalCode;
  /** Path relative to the run folder; "" for the folder. */
  readonly file: string;
  /** Facts for the wording, for example `{found: "2", supported: "1"}`. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, file: string, facts: Readonly<Record<string, string>> = {}) {
    super(`${code}: ${file || "."}`);
    this.code = code;
    this.file = file;
    this.facts = facts;
  }
}

/** Where a warning is put; the collector counts repeats of the same code, file and column. */
export type Warn = (
  code: WarningCode,
  file: string,
  detail: string,
  more?: {
    column?: string;
    line?: number;
    row?: number;
    count?: number;
    cause?: WarningCode;
    level?: "info" | "warning";
  },
) => void;
