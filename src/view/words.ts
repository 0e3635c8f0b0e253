/** What each code means to a person: what happened, and what to do about it. A code without words does not compile. */
import type { RefusalCode, WarningCode } from "../core/format/problems.ts";

export interface Words {
  /** One sentence without its full stop; facts in parentheses follow. */
  readonly message: string;
  /** One sentence; "" when there is nothing to do. */
  readonly remedy: string;
}

const NOTHING = "";
const HARMLESS = "Nothing needs to be done.";
const COPY_AGAIN = "Copy the file again from where the run was recorded.";
const LIVE_OR_COPY =
  "If the run is still going, it will be complete soon; otherwise copy the file again from where it was recorded.";
const REWRITE = "Look at what writes this file; it does not follow the format.";
const PERMISSION = "Give your user permission to read it, then try again.";
const UPGRADE = "Update Flight Deck.";

const say = (message: string, remedy = NOTHING): Words => ({ message, remedy });

export const WARNING_WORDS: Readonly<Record<WarningCode, Words>> = {
  // manifest.json
  "manifest-unreadable": say(
    "The manifest could not be read, so the run goes by its folder's name",
    COPY_AGAIN,
  ),
  "manifest-field": say("A field of the manifest is missing or is not what it should be", REWRITE),
  "manifest-too-deep": say("The manifest is nested too deeply; what lies deeper is left out", REWRITE),
  "schema-version-assumed": say("The manifest does not say which version of the format it follows", REWRITE),
  // text of any kind
  bom: say("The file starts with a byte order mark", HARMLESS),
  "invalid-utf8": say("Some bytes are not UTF-8 text and are shown as �", "Write text as UTF-8."),
  "not-utf8": say("The file is not UTF-8 text", "Save the file as UTF-8."),
  "non-finite": say("Some numbers are NaN or infinite", "Look at the charts: they are marked there."),
  "unsafe-integer": say(
    "Some integers are beyond 2^53; they are kept exactly and drawn to the nearest number",
  ),
  "duplicate-key": say("A key stands twice in one object; the last one counts", REWRITE),
  "control-chars": say("Text holds control characters; they are shown by name", HARMLESS),
  "bidi-chars": say(
    "Text holds characters that turn the reading direction; they are shown by name",
    HARMLESS,
  ),
  "invisible-chars": say("Text holds invisible characters; they are shown by name", HARMLESS),
  "text-truncated": say(
    "A long text is cut on the screen",
    "Run “flight-deck show” with --full to see all of it.",
  ),
  "too-deep": say("A value is nested too deeply; what lies deeper is left out", REWRITE),
  "nul-tail": say(
    "The file ends in NUL bytes, as after a power cut; what was written before them is shown",
    "The last records before the crash are lost; nothing can bring them back.",
  ),
  "nul-run": say(
    "The file holds a run of NUL bytes, as after a crash; what lies around it is shown",
    "The records that stood there are lost; nothing can bring them back.",
  ),
  // files
  "empty-file": say("The file is empty", LIVE_OR_COPY),
  "nul-file": say("The file holds nothing but NUL bytes: space was set aside and never filled", COPY_AGAIN),
  "not-a-regular-file": say("This is no regular file and was not opened", "Replace it with the file itself."),
  "permission-denied": say("You may not read this", PERMISSION),
  "io-error": say(
    "The disk or network failed while this was read",
    "Check the disk or mount, then try again.",
  ),
  "stray-file": say(
    "A file lies here that is no part of a run and was left out",
    "Move it elsewhere if it is yours.",
  ),
  "size-limit": say(
    "This is beyond what Flight Deck reads; the rest is left out",
    "Look at what wrote so much; docs/format.md has the limits.",
  ),
  "dangling-link": say("A link leads to something that is not there", "Copy what it should lead to."),
  "link-outside": say("A link leads out of the run folder", "Copy the run with its files instead of links."),
  "link-restricted": say(
    "A link leads out of the run folder, and is not followed in Restricted Mode",
    "Trust the workspace if you trust where the link leads, or copy the run with its files instead of links.",
  ),
  "link-loop": say("A link leads back to where it came from and was not followed", "Remove the link."),
  "name-not-utf8": say("A name is not UTF-8; its odd bytes are shown as �", "Rename it."),
  "gzip-wrapped": say("The file is compressed with gzip", "Unpack it with gunzip."),
  "lfs-pointer": say(
    "This is a Git LFS pointer, not the file itself",
    "Run “git lfs pull” in the repository.",
  ),
  "html-page": say(
    "This is a web page, not the file itself: a download went wrong",
    "Download it again, signed in where that is needed.",
  ),
  "encrypted-parquet": say("The Parquet file is encrypted", "Write it without encryption."),
  // parquet
  "steps-unreadable": say("The step table could not be read", LIVE_OR_COPY),
  "part-unreadable": say("A part of the steps could not be read and is left out", COPY_AGAIN),
  "part-incomplete": say("A part of the steps is being written or was cut off while it was", LIVE_OR_COPY),
  "shard-unreadable": say("A shard of samples could not be read and is left out", LIVE_OR_COPY),
  "truncated-parquet": say("The Parquet file is cut off", LIVE_OR_COPY),
  "bad-magic": say("The file is no Parquet file", COPY_AGAIN),
  "footer-corrupt": say("The Parquet file's directory (its footer) is damaged", COPY_AGAIN),
  "page-corrupt": say("Data in the Parquet file is damaged; the columns concerned are left out", COPY_AGAIN),
  "unsupported-codec": say(
    "The Parquet file is compressed in a way that cannot be read here",
    "Write it with zstd, as the recorder does.",
  ),
  "type-mismatch": say("A column is of a type that it should not be", REWRITE),
  "coerced-type": say("Values of another type were read as what they should be", REWRITE),
  "bad-cell": say("Some values could not be read and are left out", REWRITE),
  "bad-row": say("Some rows could not be read and are left out", REWRITE),
  "column-limit": say(
    "There is more than a screen takes; it is read as it is looked at, and a list is cut",
    HARMLESS,
  ),
  "duplicate-column": say("A column stands twice in one file; the last one counts", REWRITE),
  "unknown-column": say("A column is not part of the format; it is shown as it is", HARMLESS),
  "missing-column": say("A column that belongs to the format is missing", REWRITE),
  "missing-step-column": say("The table has no step column, so its rows have no place in the run", REWRITE),
  "external-file-path": say(
    "The Parquet file points to data in another file, which is not followed",
    COPY_AGAIN,
  ),
  "arrow-schema-ignored": say(
    "The Arrow schema inside the Parquet file is damaged and was not needed",
    COPY_AGAIN,
  ),
  // the run as a whole
  "no-steps": say("The run has no steps", "If the run has just begun, they will come with the first flush."),
  "part-gap": say(
    "Numbers are missing among the parts of the steps",
    "Copy the missing parts, if they still exist.",
  ),
  "shard-gap": say(
    "Numbers are missing among the shards of samples",
    "Copy the missing shards, if they still exist.",
  ),
  "duplicate-steps": say(
    "Steps were recorded more than once; their rows are merged, the value written last counts",
    "Nothing for a closing row; “flight-deck show” with --as-recorded has every row.",
  ),
  "duplicate-samples": say("Samples were recorded more than once; all of them are shown", HARMLESS),
  "unsorted-steps": say("Steps do not lie in order; they are shown sorted", HARMLESS),
  "negative-step": say("Some steps are negative", REWRITE),
  "timestamp-units": say(
    "Time stamps look like milliseconds or finer, not like seconds",
    "Record Unix seconds.",
  ),
  "timestamp-range": say(
    "Some time stamps lie outside any plausible time",
    "Check the clock of the training machine.",
  ),
  "stale-compacted": say(
    "Parts lie beside an older step table; rows of both are shown",
    "Record every run into a folder of its own.",
  ),
  "compaction-interrupted": say(
    "The recorder was stopped while it closed the recording; nothing readable was lost",
  ),
  "mixed-attempts": say(
    "The folder was used for more than one run, and their records are mixed",
    "Give each run a folder of its own; what was overwritten is gone.",
  ),
  // events.jsonl
  "bad-line": say("Some lines are no events and are left out", REWRITE),
  "torn-last-line": say("The last event is cut off", LIVE_OR_COPY),
  // rank folders
  "rank-name": say(
    "A folder is named like a rank without a usable number; the one in its manifest counts",
    "Name it rank-001, rank-002 and so on.",
  ),
  "rank-duplicate": say(
    "Two folders are the same rank; the samples and events of both are shown",
    "Rename or remove one of them.",
  ),
  "rank-nested": say("A rank folder lies inside another one and is left out", "Move it into the run folder."),
  "rank-no-manifest": say("A rank folder has no manifest and is left out", "Copy its manifest.json."),
  "rank-mismatch": say("A rank folder's name and its records do not agree on the rank", REWRITE),
  "newer-schema": say("This was written in a newer version of the format and is left out", UPGRADE),
  "bad-schema-version": say(
    "This states a version of the format that does not exist and is left out",
    REWRITE,
  ),
  "not-a-directory": say("This should be a folder and is none", "Remove it or put the folder in its place."),
  // run records
  "record-unreadable": say("A run record could not be read", COPY_AGAIN),
  "record-shape": say("A run record is not what it should be; what can be read is shown", REWRITE),
  "newer-record-format": say("A run record was written in a newer format and is not shown", UPGRADE),
  "config-hash-mismatch": say(
    "The configuration does not match the hash that was recorded with it",
    "Compare the configuration with what was meant to run: one of the two was changed.",
  ),
  "attempt-name": say(
    "A witness file's name states no attempt number, so it is left out",
    "Name it observed.attempt1.json, observed.attempt2.json and so on.",
  ),
  "attempt-gap": say(
    "Numbers are missing among the attempts",
    "An attempt that was killed leaves no witness; otherwise copy the missing file.",
  ),
  "attempt-mismatch": say(
    "A witness file's name and content do not agree on the attempt; the name counts",
    "Compare it with the other attempts under Records.",
  ),
};

export const REFUSAL_WORDS: Readonly<Record<RefusalCode, Words>> = {
  "not-found": say("There is nothing at this path", "Check the path: it may have been moved or deleted."),
  "not-a-run": say(
    "This folder holds no run: there is no manifest.json in it",
    "Choose the folder that holds manifest.json.",
  ),
  "newer-schema": say(
    "This run was written in a newer version of the format than this Flight Deck reads",
    UPGRADE,
  ),
  "bad-schema-version": say(
    "The manifest states a version of the format that does not exist",
    "Correct schema_version in manifest.json (the current version is 1).",
  ),
  "not-a-regular-file": say("This is no regular file and was not opened", "Replace it with the file itself."),
  "not-a-directory": say("This is a file, not a run's folder", "Choose the folder that holds manifest.json."),
  "permission-denied": say("You may not read this", PERMISSION),
  "io-error": say(
    "The disk or network failed while this was read",
    "Check the disk or mount, then try again.",
  ),
  aborted: say("The request was cancelled"),
  internal: say("Something went wrong inside Flight Deck", "Run “Flight Deck: Show Log” for details."),
};
