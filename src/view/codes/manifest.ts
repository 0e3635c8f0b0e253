/** Codes about manifest.json, and about text files of any kind. */
import type { WarningCode } from "../../core/format/problems.ts";
import { type CodePage, page } from "./page.ts";

const KEEPS = "The rest of the file is read as usual.";

export const MANIFEST_PAGES = {
  "manifest-unreadable": page(
    "`manifest.json` is there, but nothing in it could be used. It names the run, its algorithm and its configuration; steps, samples and events do not depend on it.",
    [
      "The recorder was killed, or the disk was full, while the file was written: it is empty or ends in the middle.",
      "Power was lost: the file has its length but holds NUL bytes only.",
      "Something else was saved under the name: a list, a web page, a Git LFS pointer, UTF-16 text.",
    ],
    "The run opens under its folder's name, without algorithm, model and configuration. Steps, samples, events and ranks are read as usual.",
    [
      "Without a copy, write a new one with the fields below; the configuration is lost with the old file, unless a witness (`observed.attempt<N>.json`) holds it.",
    ],
    '{"schema_version": 1, "run_id": "my-run", "created_at": "2026-01-02T03:04:05+00:00", "algorithm": "grpo"}',
  ),
  "manifest-field": page(
    "A field of `manifest.json` is missing, empty or of another type than the format says. The warning names it, with what was found and what was expected.",
    ["A script wrote or edited the manifest.", 'A number stands where text belongs, as in `"run_id": 7`.'],
    "The field's default is used: the folder's name for `run_id`, 1 for `world_size`, empty for the others. All other fields count.",
    ["The configuration tab shows the manifest as it is, so the odd value can be seen there."],
  ),
  "manifest-too-deep": page(
    "Objects or lists in `manifest.json` lie more than 256 levels inside one another. Nobody writes that by hand: something was serialised that refers to itself, or the file was made to do harm.",
    ["A configuration object that contains itself was dumped.", "A crafted file."],
    "What lies deeper than 256 levels is left out; everything above is shown.",
  ),
  "schema-version-assumed": page(
    "`schema_version` says how the rest of the recording is to be read. It is missing here, so version 1 is assumed, which is the only one there is so far.",
    ["The manifest was written by hand or by a script.", "An early version of a recorder left it out."],
    "The run is read as version 1.",
    ['Add `"schema_version": 1` to the manifest: then a later Flight Deck need not guess either.'],
  ),
} as const satisfies Partial<Record<WarningCode, CodePage>>;

export const TEXT_PAGES = {
  bom: page(
    "Three bytes (EF BB BF) stand at the beginning of the file, or of a line of it, that some editors put there to mark UTF-8. JSON does not allow them; plain JSON parsers refuse such a file.",
    [
      "The file was saved by an editor or a shell on Windows.",
      "Files that each had the mark were joined into one.",
    ],
    `The mark is skipped. ${KEEPS}`,
    ["Other tools may stumble over it: save the file as UTF-8 without BOM."],
  ),
  "invalid-utf8": page(
    "Some bytes of a text are not UTF-8. Each such place is shown as �; the text around it is as it was recorded.",
    [
      "A text was cut in the middle of a character, by length in bytes.",
      "Text in another encoding (Latin-1, CESU-8 with its surrogates) was written as if it were UTF-8.",
      "A byte changed on disk or on the way.",
    ],
    `The bytes are replaced and counted. ${KEEPS}`,
    [
      "Where it comes from completions, look at how they are decoded and cut: by characters or tokens, not by bytes.",
    ],
  ),
  "not-utf8": page(
    "The whole file is in another encoding, or no text at all, such as UTF-16 or zstd. Nothing in it can be read as lines or JSON.",
    ["It was written by PowerShell's `>`, which writes UTF-16.", "It was compressed to save space."],
    "The file is left out; everything beside it is read.",
    [],
    "iconv -f UTF-16 -t UTF-8 events.jsonl > events.utf8.jsonl",
  ),
  "non-finite": page(
    "A number is NaN or infinite. In a metric that is often the finding itself: a loss or a gradient that went to NaN is where a run broke.",
    [
      "The training computed it: a division by zero, an overflow in half precision, the mean of nothing.",
      "Python wrote `NaN` or `Infinity` into a JSON file, which JSON itself does not know.",
    ],
    "The values are kept as they are: charts lift the pen, mark the places and count them; they never count as zero, nor stretch an axis.",
    [
      "Open the chart of the column: marks at its edge show where they lie. Look at the steps before the first one.",
    ],
  ),
  "unsafe-integer": page(
    "Integers beyond 2^53 cannot be told apart as ordinary numbers: 9007199254740993 would become …992. It concerns steps and ids that were made from hashes or clocks.",
    [
      "A step counter in tokens or nanoseconds.",
      "A 64-bit hash used as a number.",
      "A damaged or crafted value.",
    ],
    "They are kept exactly, to the last digit, and shown so; only their place on an axis is that of the nearest number.",
  ),
  "duplicate-key": page(
    "An object in a JSON file names a key twice. JSON leaves open which counts; Python and JavaScript take the last one, and so does Flight Deck.",
    ["Two parts of a script write the same key by hand.", "The file was merged or edited."],
    "The last value counts, the earlier ones are left out.",
    ["Look for the key in the file: the value that is shown may not be the one that was meant."],
  ),
  "control-chars": page(
    "A text holds characters that control a terminal or a printer instead of showing something: escape sequences, NUL, a carriage return by itself. Printed raw they can recolour, clear or rewrite a terminal.",
    [
      "A model produced them: completions can hold anything.",
      "A log with colours was recorded as a message.",
      "Somebody tries to mislead whoever looks at the text.",
    ],
    "The text is kept; on screen and in the terminal each such character is shown by name, never carried out.",
    ["Be careful with copying such text into a terminal."],
  ),
  "bidi-chars": page(
    "A text holds characters that turn the reading direction. They belong to Arabic or Hebrew text, but can also make a line read differently from what it says.",
    [
      "Text in a language that is written from right to left.",
      "An attempt to make code or a name look like another one.",
    ],
    "The text is kept in its order; the characters are shown by name.",
  ),
  "invisible-chars": page(
    "A text holds characters that cannot be seen: zero-width spaces and joiners, soft hyphens, tag characters. Two texts can look alike and still differ.",
    [
      "They were copied from a web page or a document into the data.",
      "Emoji are joined with them, and some scripts need them.",
      "They hide a mark or an instruction in a text.",
    ],
    "The text is kept; the characters are shown by name, so that nothing is hidden.",
    ["Where two prompts or names look alike but are counted apart, this is why."],
  ),
  "text-truncated": page(
    "A text is too long for a screen: longer than 200,000 characters or 20,000 lines, a list of more than 100,000 tokens, or one character under hundreds of marks. It is whole in the recording.",
    ["A completion that never ended, or repeated itself until the limit.", "A whole document in the prompt."],
    "The screen shows the beginning and says how long the text is. In the terminal, `--full` shows all of it.",
  ),
  "too-deep": page(
    "A value lies more than 256 levels inside others. Programs that follow such nesting run out of stack, so what lies deeper is not followed.",
    ["An object that contains itself was dumped as data of an event.", "A crafted file."],
    "What lies deeper is left out; the rest of the value, and the line or record around it, is shown.",
  ),
  "nul-tail": page(
    "The file ends in bytes that are zero. A file system had already noted the new length when the machine went down, but the bytes never reached the disk.",
    [
      "Power was lost or the machine crashed.",
      "A virtual machine was stopped hard.",
      "Space was set aside for the file and never used.",
    ],
    "What stands before the zeros is read; the zeros are skipped.",
    ["Look at the end of the recording: it says how far the run had got at that time."],
  ),
  "nul-run": page(
    "A stretch of bytes in the middle of the file is zero: a block that never reached the disk, with a later writing behind it.",
    [
      "The machine went down, and the run was resumed into the same file.",
      "A network file system lost a block.",
    ],
    "The lines before and behind are read; a line that they cut through may be a `bad-line`.",
  ),
} as const satisfies Partial<Record<WarningCode, CodePage>>;
