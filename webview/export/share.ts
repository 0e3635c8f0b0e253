/** Copying and saving what a chart shows: to the clipboard by the browser where it may, through the host where not. */
import { t } from "../../src/protocol/l10n.ts";
import type { ChartSpec } from "../../src/protocol/run.ts";
import type { ChartTheme } from "../charts/palette.ts";
import { problemFrom } from "../client.ts";
import type { Answer } from "../panels/chart-data.ts";
import { rangeWords } from "../panels/words.ts";
import type { Session } from "../session.ts";
import type { MenuItem } from "../ui/menu.ts";
import { say } from "../ui/say.ts";
import { chartCsv } from "./chart-csv.ts";
import { chartPicture, type Picture, pngOf } from "./chart-picture.ts";

export interface ShareView {
  readonly session: Session;
  readonly spec: ChartSpec;
  readonly answer: Answer | null;
  /** The chart's drawn part; `null` when it is shown as a table, or not at all. */
  readonly plot: HTMLElement | null;
  readonly theme: ChartTheme;
}

export function shareMenu(view: ShareView): MenuItem[] {
  const { answer, plot } = view;
  const undrawn = !plot?.querySelector(".canvas svg");
  const tell = (work: () => Promise<void>) => (): void => void report(view.session, work);
  return [
    { label: t("Copy as PNG"), disabled: undrawn, run: tell(() => copyPng(view)) },
    { label: t("Copy as SVG"), disabled: undrawn, run: tell(() => copyText(view, picture(view).svg)) },
    { label: t("Copy as CSV"), disabled: !answer, run: tell(() => copyText(view, csv(view))) },
    { label: t("Save as PNG…"), apart: true, disabled: undrawn, run: tell(() => savePng(view)) },
    {
      label: t("Save as SVG…"),
      disabled: undrawn,
      run: tell(() => save(view, "svg", encode(picture(view).svg))),
    },
    { label: t("Save as CSV…"), disabled: !answer, run: tell(() => save(view, "csv", encode(csv(view)))) },
    {
      label: t("Save All Rows as CSV…"),
      apart: true,
      disabled: view.spec.kind !== "lines",
      run: tell(() => saveRows(view)),
    },
  ];
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function picture({ session, spec, answer, plot, theme }: ShareView): Picture {
  const { range } = session.store.state;
  const note = [session.overview?.label ?? "", range ? rangeWords(range, "") : ""].filter(Boolean).join(", ");
  const drawn = plot && chartPicture(spec, note, plot, theme, answer?.heat?.valueDomain);
  if (!drawn) throw new Error("nothing is drawn");
  return drawn;
}

function csv({ spec, answer }: ShareView): string {
  if (!answer) throw new Error("nothing is drawn");
  return chartCsv(spec, answer);
}

async function copyPng(view: ShareView): Promise<void> {
  const png = pngOf(picture(view));
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    say(t("Copied the picture"));
  } catch {
    // Where the browser may not, a file is the next best.
    await save(view, "png", new Uint8Array(await (await png).arrayBuffer()));
  }
}

async function copyText({ session }: ShareView, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    await session.client.call("page.copyText", { text });
  }
  say(t("Copied"));
}

async function savePng(view: ShareView): Promise<void> {
  const png = await pngOf(picture(view));
  await save(view, "png", new Uint8Array(await png.arrayBuffer()));
}

/** The title that the file's name is made of: the run's, the chart's. */
const titleOf = ({ session, spec }: ShareView): string =>
  `${session.overview?.label ?? ""} ${spec.title}`.trim().slice(0, 200);

async function save(
  view: ShareView,
  kind: "png" | "svg" | "csv",
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { saved } = await view.session.client.call("page.save", { title: titleOf(view), kind, bytes });
  if (saved) say(t("Saved"));
}

async function saveRows(view: ShareView): Promise<void> {
  const { session, spec } = view;
  const { range } = session.store.state;
  const { saved } = await session.client.call("page.saveRows", {
    title: titleOf(view),
    metrics: spec.series.map(({ metric }) => metric),
    steps: range && [range[0], range[1]],
  });
  if (saved) say(t("Saved"));
}

async function report(session: Session, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const problem = problemFrom(error);
    say(problem?.code === "not-written" ? problem.message : t("That did not work; the log says why"));
    session.report(error);
  }
}
