/** Page ↔ host: the run's questions, and what only the host can do. */
import * as z from "zod/mini";
import { DiagnoseParams, DiagnosisView } from "./diagnosis.ts";
import { ChartPrefs } from "./prefs.ts";
import { runContract } from "./run.ts";
import { type Contract, Problem } from "./wire.ts";

/** How the opening ended. The page shows "refused" and "empty" as states of their own, with a next step. */
export const OpenState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("run") }),
  /** There is a run, but it cannot be read (newer schema, no permission, …). */
  z.object({ state: z.literal("refused"), label: z.string(), problem: Problem }),
  /** There is no run here. `loose`: step files without a manifest lie here and can be opened all the same. */
  z.object({ state: z.literal("empty"), label: z.string(), problem: Problem, loose: z.boolean() }),
]);
export type OpenState = z.infer<typeof OpenState>;

/** Row over all shards and ranks, in reading order. */
const SampleRowIndex = z.int().check(z.gte(0));

/** What a page may ask the host to do: our own commands by a fixed name, and things about its own run. */
export const PageAction = z.discriminatedUnion("action", [
  z.object({
    action: z.enum(["openRun", "openDemo", "showLog", "openAsText", "revealFolder", "copyPath"]),
  }),
  /** Show the page that explains a warning's or a refusal's code. A code that is not known does nothing. */
  z.object({ action: z.literal("explain"), code: z.string() }),
  /** Show the page of a signature, by its id. One that is not known does nothing. */
  z.object({ action: z.literal("explainSignature"), signature: z.string() }),
  /** What the commands of the same name do, with this page's run. */
  z.object({ action: z.enum(["openFindings", "showInProblems"]) }),
  /** Show a file of the run in the Explorer; it is not opened. `file` as warnings name it, relative to the run. */
  z.object({ action: z.literal("revealFile"), file: z.string() }),
  /** Copy one warning about the recording as text. The host words it anew: a page never chooses what is copied. */
  z.object({ action: z.literal("copy"), code: z.string(), file: z.string() }),
  /** Show a sample as a document; with `search`, at its first place there. A row that is not in the index does nothing. */
  z.object({
    action: z.literal("openSample"),
    row: SampleRowIndex,
    search: z.optional(z.string().check(z.maxLength(1000))),
  }),
  /** Show two samples side by side with their differences. */
  z.object({ action: z.literal("diffSamples"), a: SampleRowIndex, b: SampleRowIndex }),
  /** Show the group, or the prompt over time, of a sample as a document. */
  z.object({ action: z.enum(["openGroup", "openPrompt"]), row: SampleRowIndex }),
]);
export type PageAction = z.infer<typeof PageAction>;

/** Largest file that a page may hand over, and longest text that it may put on the clipboard. */
export const MAX_SAVED_BYTES = 16 * 2 ** 20;
const MAX_COPIED = 4 * 2 ** 20;
/** A name to suggest in the save dialog; the host makes a file name of it. */
const FileTitle = z.string().check(z.maxLength(200));

/** A diagnosis, and where its thresholds came from. */
export const PageDiagnosis = z.object({
  diagnosis: DiagnosisView,
  /** The doctor.toml that was used, as a person names it; "" for the defaults. */
  config: z.string(),
});
export type PageDiagnosis = z.infer<typeof PageDiagnosis>;

export const pageContract = {
  ...runContract,
  /** First call of a page; answered when the run is open or could not be opened. */
  "page.open": { params: z.object({}), result: OpenState },
  /** Try again after a refusal. */
  "page.retry": { params: z.object({}), result: OpenState },
  /** Open step files without a manifest. */
  "page.openLoose": { params: z.object({}), result: OpenState },
  "page.action": { params: PageAction, result: z.object({}) },
  /** `run.diagnose` with the doctor.toml and the settings that count for this run. */
  "page.diagnose": {
    params: z.object({ values: DiagnoseParams.shape.values, known: z.boolean() }),
    result: PageDiagnosis,
  },
  /**
   * Write thresholds of one signature into the doctor.toml of the workspace folder, once the user has agreed; `written` is
   * false otherwise. Never into a run's folder.
   */
  "doctor.write": {
    params: z.object({
      signature: z.string().check(z.maxLength(80)),
      values: z.record(z.string().check(z.maxLength(80)), z.number()),
    }),
    result: z.object({ written: z.boolean() }),
  },
  /** `null` when nothing was kept for this workspace, or nothing that can be understood. */
  "prefs.get": { params: z.object({}), result: z.object({ prefs: z.nullable(ChartPrefs) }) },
  "prefs.set": { params: z.object({ prefs: ChartPrefs }), result: z.object({}) },
  /** Save a picture or table of what is shown, where the user chooses. `saved` is false when the user chose not to. */
  "page.save": {
    params: z.object({
      title: FileTitle,
      kind: z.enum(["png", "svg", "csv"]),
      bytes: z.instanceof(Uint8Array).check(z.refine((bytes) => bytes.byteLength <= MAX_SAVED_BYTES)),
    }),
    result: z.object({ saved: z.boolean() }),
  },
  /** Save all rows of some steps as CSV, where the user chooses: they do not pass through the page. */
  "page.saveRows": {
    params: z.object({
      title: FileTitle,
      metrics: z.array(z.string()).check(z.maxLength(4096)),
      steps: z.nullable(z.tuple([z.number(), z.number()])),
    }),
    result: z.object({ saved: z.boolean() }),
  },
  /**
   * Put text on the clipboard where the browser does not let the page do so itself. The page makes the text: a picture or table as
   * it is drawn. It is our own code, under a policy that runs no other, and says nothing of a recording but as text; and where a
   * browser lets it, it can do the same without asking. The host does it for the page in front only, which is where somebody
   * can have asked for it.
   */
  "page.copyText": {
    params: z.object({ text: z.string().check(z.maxLength(MAX_COPIED)) }),
    result: z.object({}),
  },
  /** The step that the page points out everywhere, `null` for none: what Copy Link leads to. */
  "page.pinned": { params: z.object({ step: z.nullable(z.number()) }), result: z.object({}) },
  /** An error in the page, for the log. */
  "page.report": { params: z.object({ message: z.string() }), result: z.object({}) },
} as const satisfies Contract;
export type PageContract = typeof pageContract;

/** Notices from the host to the page. */
export const pageNotices = {
  /** The panel was shown or hidden. */
  visible: z.object({ visible: z.boolean() }),
  /** The worker was lost and replaced: ask for everything again. */
  reopened: z.object({ reason: z.string() }),
  /**
   * Files of the run have changed and it was opened again; `state` is what `page.open` answers now. Whoever shows the run asks
   * for what is shown once more, quietly; whoever shows a refusal asks `page.open`.
   */
  changed: z.object({ state: z.enum(["run", "refused", "empty"]) }),
  /**
   * Reading a file or a chart of this run ended the worker; `problem` says which, and that the rest is open. It is not
   * read again before `page.retry`.
   */
  stopped: z.object({ problem: Problem }),
  /** Other thresholds count from now on (doctor.toml, a setting): ask `page.diagnose` again. */
  diagnosis: z.object({ reason: z.string() }),
  /** Show this finding, by the id it has in a diagnosis: its charts, zoomed to where it begins. */
  focus: z.object({ finding: z.string() }),
  /** Show this sample among the samples, or where `row` is `null` the charts around this step. */
  sample: z.object({ row: z.nullable(SampleRowIndex), step: z.number() }),
} as const;
