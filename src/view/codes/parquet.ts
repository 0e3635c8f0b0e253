/** Codes about Parquet files: the step table, its parts, the shards of samples. */
import type { WarningCode } from "../../core/format/problems.ts";
import { type CodePage, page } from "./page.ts";

const COLUMN =
  "The column concerned is left empty for the rows of that file; all other columns and files are shown.";
const FILE = "The file is left out; the other files of the run are shown.";
const CHECKED = "What a file claims about itself is checked before anything is decoded";

export const PARQUET_PAGES = {
  "steps-unreadable": page(
    "`steps.parquet` holds the metrics of all steps, and it could not be opened. A second warning says what is wrong with it. Without parts beside it there are no charts.",
    [
      "The recorder was stopped while it joined the parts into this file.",
      "A copy was cut.",
      "The file is something else: a pointer, a web page.",
    ],
    "Samples and events are shown. Where parts lie beside it, they are the steps instead (`compaction-interrupted`).",
    [
      "Look for parts in a copy of `steps/` from before the run was closed: put them back, and they are read.",
    ],
  ),
  "part-unreadable": page(
    "A file in `steps/` could not be opened. Each part holds the steps of one flush, so a stretch of steps is missing from the charts.",
    [
      "The recorder was killed while it wrote the part, and was resumed later.",
      "A copy was cut.",
      "A disk or a mount lost a block.",
    ],
    "The part is left out; all others are read. The gap in the charts is a gap, not a line.",
    [],
  ),
  "part-incomplete": page(
    "The newest part of the steps is not whole. While a run goes on this is ordinary: the part is being written at this moment.",
    [
      "The run is going on.",
      "The recorder was killed during its last flush.",
      "The folder was copied while the run was going on.",
    ],
    "All parts before it are shown. It is looked at again when it changes, without you doing anything.",
    ["If the run has ended, the steps of that last flush are lost: seconds of it, as a rule."],
    "steps/part-00041.parquet     whole\nsteps/part-00042.parquet     half, being written",
  ),
  "shard-unreadable": page(
    "A file in `samples/` could not be opened; the samples in it are missing from tables and counts.",
    [
      "The recorder was killed while it wrote the shard.",
      "A copy was cut.",
      "The newest shard of a run that is going on is being written.",
    ],
    FILE,
  ),
  "truncated-parquet": page(
    "A Parquet file is read from its end, where its directory lies. This one begins as a Parquet file and stops before that: it was cut, or is still being written.",
    [
      "The recorder was killed, or the disk was full.",
      "A copy or a download was interrupted.",
      "It is being written right now.",
    ],
    `${FILE} It is looked at again when it changes.`,
    ["Compare its size with that of the original: a cut copy is shorter."],
  ),
  "bad-magic": page(
    "A Parquet file begins and ends with the letters `PAR1`. This one does not, so it is something else, or bytes were added to it or changed.",
    [
      "Another kind of file under the name.",
      "Text was appended to it, by a tool or by mistake.",
      "The last bytes were overwritten.",
    ],
    FILE,
    [],
    "$ tail -c 4 steps.parquet\nPAR1",
  ),
  "footer-corrupt": page(
    "The directory at the end of the file (its footer) says where each column lies and how long it is. It is damaged, or contradicts itself or the file.",
    [
      "A byte changed on disk or on the way.",
      "A program wrote it wrongly.",
      "It was made to make readers crash.",
    ],
    `${CHECKED}: what fits is read, sometimes all of it; what does not fit is left out, by column where possible.`,
    ["If values are shown in spite of it, take them with care."],
  ),
  "page-corrupt": page(
    "A piece of a column (a page) cannot be unpacked, does not match its checksum, or holds another number of values than it says.",
    [
      "A block of the file was lost or overwritten.",
      "A byte changed on disk or on the way.",
      "It was made to make readers crash.",
    ],
    COLUMN,
    [
      "Not every damage can be seen: the recorder writes no checksums, so a changed byte can also give another value without any sign. A file with such a warning deserves a fresh copy.",
    ],
  ),
  "unsupported-codec": page(
    "Parquet knows several ways to compress. This column is compressed in one that is not built in (zstd, snappy, gzip, brotli, LZ4 and none are), or in one that does not exist.",
    ["It was written with LZO.", "The directory of the file is damaged."],
    COLUMN,
  ),
  "type-mismatch": page(
    "A column holds another type than the format says, and it cannot be turned into that: structures or text where numbers belong, one number where a list belongs. Or two files of a run disagree on its type.",
    [
      "The metric was logged as an object or a list.",
      "A run was resumed by another version of the script.",
      "A text such as “n/a” was logged among numbers.",
    ],
    "The column is shown by name and left out of the charts, or read from the files where it fits. Text columns that hold structures are shown as JSON.",
  ),
  "coerced-type": page(
    'Values came in another type than the format says, and could be taken for what was meant: `"12"` for 12, 12.0 for a whole number, true for 1.',
    [
      "A script logs steps as text or floats.",
      "The table was rewritten by pandas or another tool.",
      "Booleans were logged as a metric.",
    ],
    "They were converted; nothing was lost.",
    ["Other readers may refuse the file: write the types of the format."],
  ),
  "bad-cell": page(
    "Single values are no numbers where numbers belong, or no whole numbers where those belong. The warning counts them and gives the first row.",
    [
      "A text such as “n/a” in a column of text that holds numbers otherwise.",
      "A count such as 0.5 or NaN in a column of whole numbers.",
      "A null inside a list.",
    ],
    "Each such value is left out; the row and the column stay.",
  ),
  "bad-row": page(
    "Rows have no usable step: none, NaN, a fraction, or text that is no number. A row without a step has no place on any axis.",
    ["Evaluation rows were logged without a step.", "The step was computed, and once to NaN."],
    "These rows are left out and counted; all others are shown. The row number counts from 0, over all files.",
  ),
  "column-limit": page(
    "The table has more than a thousand columns, or a list in it more than 4,096 entries a row. Most screens and memories would choke on reading all of that at once.",
    [
      "One metric for each layer or each prompt.",
      "`kl_positional` was recorded by token instead of by bucket.",
    ],
    "Columns are read as they are looked at, and found by search. Of a list the first 4,096 entries are shown.",
  ),
  "duplicate-column": page(
    "Two columns of one file have the same name, and nothing says which is meant. Many readers refuse such a file, or keep one of the two without a word.",
    ["A metric is logged both by the trainer and by a callback.", "Tables were joined without renaming."],
    "The last one counts, as it does where one key is logged twice.",
  ),
  "unknown-column": page(
    "The format does not know this column. It keeps `extra.` for metrics of your own, so that names never collide with later ones.",
    ["A metric of your own without the prefix.", "An index column that pandas added.", "A newer recorder."],
    "It is drawn like any other, in the group of further metrics, if it holds numbers.",
    ["Log metrics of your own as `extra.<name>`."],
  ),
  "missing-column": page(
    "A shard of samples lacks `step` or `sample_id`, which say where a sample belongs.",
    ["Another tool wrote or rewrote the table.", "A column was dropped to save space."],
    "What depends on it is left out: without ids, samples go by shard and row.",
  ),
  "missing-step-column": page(
    "The table has no column `step`, so its rows cannot be placed, and no chart can be drawn from it.",
    [
      "The table was written by another tool, with the step as its index or under another name.",
      "An empty table was written.",
    ],
    "The file counts as having no rows; other files of the run are shown.",
    [],
    'df.rename(columns={"global_step": "step"}).to_parquet("steps.parquet", index=False)',
  ),
  "external-file-path": page(
    "Parquet allows a file to say that its data lies in another one. Nobody uses that, and a crafted file could name any file of yours.",
    ["A crafted or damaged file."],
    "The name is ignored: data is read from the file itself and from nowhere else.",
  ),
  "arrow-schema-ignored": page(
    "Beside its own description a Parquet file can carry a second one for Arrow. This one is damaged or describes other columns; some decoders refuse the file for it.",
    ["The table was rewritten by a tool that copied the old description.", "A byte changed."],
    "The file's own description is used, and everything is read.",
  ),
} as const satisfies Partial<Record<WarningCode, CodePage>>;
