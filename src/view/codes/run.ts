/** Codes about the run as a whole, its events, its rank folders and its run records. */
import type { WarningCode } from "../../core/format/problems.ts";
import { type CodePage, page } from "./page.ts";

const ALL_SHOWN = "Everything that is there is shown.";

export const RUN_PAGES = {
  "no-steps": page(
    "There is a manifest, but no row of metrics: neither `steps.parquet` nor parts, or tables without rows.",
    [
      "The run has just begun: the first flush comes within seconds.",
      "It crashed before its first step.",
      "Only part of the folder was copied.",
    ],
    "Manifest, events and samples are shown. Steps appear by themselves once they are written.",
    ["Look at the events: a crash before the first step is recorded there."],
  ),
  "part-gap": page(
    "Parts are numbered without gaps. Some numbers are missing, so some steps may be missing too.",
    [
      "Files were lost while copying.",
      "The disk was full when they were to be written.",
      "Files were deleted to save space.",
    ],
    "All parts that are there are read. Charts show a gap where steps are missing.",
  ),
  "shard-gap": page(
    "Shards of samples are numbered without gaps. Some numbers are missing, so samples of some steps are missing too.",
    ["Files were lost while copying.", "Shards were deleted to save space, or only some were downloaded."],
    "All shards that are there are read. Counts and distributions are those of what is there.",
  ),
  "duplicate-steps": page(
    "Some steps have more than one row. Where the steps go back the run was resumed from a checkpoint and recorded them again; otherwise one step has a second row, as an evaluation or a closing summary adds.",
    [
      "The run was resumed from a checkpoint.",
      "An evaluation logs under the step of the training.",
      "A trainer logs a summary at its end.",
    ],
    "The rows of one step are merged field by field, the value written last counts. `--as-recorded` in the terminal shows them as they lie in the files.",
    [
      "Where it was resumed, the curve is that of the second attempt from there on; what the first attempt recorded beyond that point is shown up to where the second one got.",
    ],
  ),
  "duplicate-samples": page(
    "A sample's id stands twice within one step and rank. Ids should tell the samples of a step apart.",
    [
      "The ids are made from the prompt alone, though each prompt has several completions.",
      "A shard was copied within the folder.",
      "The run was resumed and recorded the step again.",
    ],
    `${ALL_SHOWN} Samples are told apart by their shard and row.`,
    ["If you record yourself, give each completion an id of its own."],
  ),
  "unsorted-steps": page(
    "From one row to the next the step goes back. The warning says where that happens first.",
    [
      "The run was resumed from a checkpoint.",
      "Rows of several processes were written into one table.",
      "The table was rewritten in another order.",
    ],
    "Charts and tables are sorted by step; no row is lost.",
  ),
  "negative-step": page(
    "Steps count from 0 or 1. Some here are below zero.",
    ["Warm-up steps were numbered backwards.", "A counter ran over."],
    `${ALL_SHOWN} The axis begins below zero.`,
  ),
  "timestamp-units": page(
    "Time stamps are Unix seconds. These are about a thousand times (or more) as large: milliseconds, microseconds or nanoseconds.",
    ["`Date.now()` or `time.time_ns()` was recorded.", "The table was rewritten with a time stamp type."],
    "They are divided so that the time axis is right.",
  ),
  "timestamp-range": page(
    "Some time stamps are so large or small that no calendar has such a day.",
    ["The clock of the machine was wrong.", "A damaged or crafted value."],
    "These rows have no place on a time axis; by step they are shown.",
    ["Show the charts by step."],
  ),
  "stale-compacted": page(
    "`steps.parquet` is written when a recording is closed. Parts with other steps lie beside it, so the folder was used again afterwards.",
    ["The run was resumed into the same folder.", "Another run was started in it."],
    "Rows of both are shown: those of the parts count where steps repeat.",
    ["While the second run goes on, other tools that read only `steps.parquet` show the first one."],
  ),
  "compaction-interrupted": page(
    "When a recording is closed, its parts are joined into `steps.parquet` and then deleted. That was interrupted: the joined file is not whole, or parts are left that it holds already.",
    [
      "The process was killed, or the job's time was up, while it closed.",
      "The disk was full: joining needs room for both.",
    ],
    "Where the joined file is not whole, the parts are read instead: all steps are there. Where it is whole, the parts left beside it are ignored.",
    ["Nothing needs doing. To tidy up, delete the file that is not whole; never the parts."],
    "steps.parquet                 17 KB of 35, not whole: ignored\nsteps/part-00000 … 00002      whole: read",
  ),
  "mixed-attempts": page(
    "Files of two runs lie in one folder. Numbers of parts and shards begin at 0 again, so the second run overwrites files of the first one by one, and what is not yet overwritten stays.",
    [
      "A crashed run was started again in the same folder.",
      "Two runs were configured with the same output folder.",
    ],
    "All rows are shown, the later run's where steps repeat. A curve can therefore be the second run at its beginning and the first one behind that.",
    ["Compare the time axis: it jumps back where one run ends and the other goes on."],
  ),
} as const satisfies Partial<Record<WarningCode, CodePage>>;

export const EVENT_PAGES = {
  "bad-line": page(
    "A line of `events.jsonl` is no event: no JSON, no object, without a kind, or two objects on one line. The warning gives the number of lines and the first one.",
    [
      "The machine went down in the middle of a line, and a resumed run wrote on behind it.",
      "Two processes wrote into one file at the same time.",
      "Something else was appended to the file.",
    ],
    "Each bad line costs that line. Whole objects at its beginning are read; an event whose time or step makes no sense is shown without it.",
    [],
    '{"timestamp":1767323045.0,"kind":"checkpoi{"timestamp":1767323050.1,"kind":"train_begin",…}',
  ),
  "torn-last-line": page(
    "The last line of `events.jsonl` stops in the middle. While a run goes on that can be seen for a moment.",
    [
      "The run is going on, and the line is being written.",
      "The process was killed while it wrote.",
      "The file was copied while it grew.",
    ],
    "All lines before it are read. It is read by itself once it is whole.",
  ),
} as const satisfies Partial<Record<WarningCode, CodePage>>;

export const RANK_PAGES = {
  "rank-name": page(
    "Folders of ranks are called `rank-` and a number. This one has something else in place of the number.",
    ["It was renamed.", "A script names ranks by host."],
    "The number in its own manifest is used, and its samples and events are shown.",
  ),
  "rank-duplicate": page(
    "Two folders stand for the same rank, such as `rank-1` and `rank-001`, or a `rank-000` beside the run's own recording, which is rank 0.",
    ["A folder was copied or renamed.", "The launcher and the recorder number differently."],
    "The samples and events of both are shown, so they may count twice.",
  ),
  "rank-nested": page(
    "A rank's folder lies inside another rank's. Ranks lie side by side in the run's folder.",
    ["A process was started in another's folder.", "Folders were moved."],
    "The inner one is left out.",
  ),
  "rank-no-manifest": page(
    "A folder is called like a rank but has no `manifest.json`, which is the first thing a rank writes.",
    ["That rank crashed at its start.", "The folder was copied in part.", "It is something else."],
    "It is left out; the other ranks are shown.",
    ["The launcher's log of that rank says why it did not start."],
  ),
  "rank-mismatch": page(
    "Samples in a rank's folder say that they are another rank's. Often every process believes that it is rank 0.",
    ["The recorder was not told its rank.", "Folders were renamed."],
    "The folder counts: samples are shown under its rank.",
  ),
  "newer-schema": page(
    "`schema_version` is higher than what this Flight Deck reads. Names and meanings may have changed, so guessing could show wrong numbers.",
    ["The recorder is newer than Flight Deck."],
    "A run is not opened, and a rank is left out, rather than read wrongly.",
    ["In VS Code: Extensions, Flight Deck, Update."],
  ),
  "bad-schema-version": page(
    "`schema_version` is there but no version at all: a fraction, a negative number, true, null.",
    ["The manifest was written by hand or by a script.", "A byte changed."],
    "A run is not opened, and a rank is left out: what the rest means cannot be known.",
    [],
    '"schema_version": 1',
  ),
  "not-a-directory": page(
    "A file lies where a folder belongs, or a file was to be opened as a run.",
    ["A copy turned the folder into a file, or an archive was not unpacked.", "The wrong thing was chosen."],
    "What should lie in the folder counts as missing. Everything else of the run is read.",
  ),
} as const satisfies Partial<Record<WarningCode, CodePage>>;

export const RECORD_PAGES = {
  "record-unreadable": page(
    "`metrics.json` or a witness (`observed.attempt<N>.json`) could not be read as JSON.",
    ["It was cut while it was written or copied.", "It is empty or all zeros, as after a power cut."],
    "That record is left out; the others, and the recording, are shown.",
  ),
  "record-shape": page(
    "A record is JSON, but not what it should be: an object where a list of rows belongs, rows without a value, text where a number belongs. The warning names rows and fields.",
    ["Another script wrote it under the same name.", "It is JSON Lines instead of one list."],
    "What can be read is shown: rows that are right count, the others are named. JSON Lines are read like a list.",
    [],
    '[{"benchmark": "gsm8k", "metric": "accuracy", "horizon": 200, "seed": 0, "value": 0.71}]',
  ),
  "newer-record-format": page(
    "`run_record_format` is higher than what this Flight Deck reads.",
    ["The tool that writes records is newer than Flight Deck."],
    "That record is not shown; the recording is.",
  ),
  "config-hash-mismatch": page(
    "A witness holds a configuration and the hash that it had when it was made. The two do not belong together any more, so one of them was changed afterwards.",
    [
      "The file was edited.",
      "The hash was computed in another way, or from another object.",
      "A number was rewritten in another spelling: 1e-05 and 0.00001 hash differently.",
    ],
    "Both hashes are shown under Records, the stated and the computed one.",
    ["Do not rely on that witness as evidence of what ran."],
  ),
  "attempt-name": page(
    "Witnesses are called `observed.attempt1.json`, `observed.attempt2.json` and so on. This name begins that way, but holds no usable number.",
    [
      "It was renamed or copied: `observed.attempt1 (1).json`.",
      "The number has letters, a sign or leading zeros in it.",
    ],
    "It is left out.",
  ),
  "attempt-gap": page(
    "Attempts are numbered one after another. Some in between left no witness.",
    ["They crashed before they wrote one.", "Their files were deleted or not copied."],
    "The attempts that are there are shown.",
  ),
  "attempt-mismatch": page(
    "The number in a witness's name and the number inside it are not the same.",
    ["The file was renamed or copied.", "The counter was not raised for a new attempt."],
    "The name counts.",
    ["Compare the two configurations under Records: they may be of one and the same attempt."],
  ),
} as const satisfies Partial<Record<WarningCode, CodePage>>;
