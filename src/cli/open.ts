/** `flight-deck open RUN`: opens a run in VS Code, by a link that can be given on. */
import path from "node:path";
import { linkTo, type RunLink } from "../view/links.ts";
import { UsageError } from "./args.ts";
import { type Context, DONE, InRunError, open } from "./context.ts";
import { strictJson } from "./json.ts";
import { oneLine } from "./terminal.ts";

export interface OpenOptions {
  readonly step: number | null;
  /** A sample_id. */
  readonly sample: string | null;
  readonly rank: number | null;
  /** The run that it is compared with. */
  readonly other: string | null;
  /** Only say the link. */
  readonly print: boolean;
  readonly json: boolean;
}

/** @throws UsageError; FlightDeckError when the folder is no run; InRunError when the one that is compared is none */
export async function openInEditor(context: Context, folder: string, options: OpenOptions): Promise<number> {
  const { step, sample, rank, other, print, json } = options;
  if (other !== null && (step !== null || sample !== null))
    throw new UsageError("--with goes together with no step and no sample");
  if (sample === "") throw new UsageError("--sample is empty");
  if (other === "") throw new UsageError("--with is empty");
  if (rank !== null && sample === null) throw new UsageError("--rank goes together with --sample");
  // A folder that is no run is said here, not in a window.
  await open(context, folder);
  if (other !== null) await openNamed(context, other);
  const at = (dir: string) => ({ path: path.resolve(dir), authority: "" });
  const link: RunLink = {
    run: at(folder),
    step: step === null ? null : String(step),
    sample: sample === null ? null : { rank, id: sample },
    other: other === null ? null : at(other),
  };
  const address = linkTo("vscode", link);
  if (typeof address !== "string") throw new UsageError(`no link can be made: ${address.refused}`);
  const isOpened = !print && context.launch !== undefined && (await context.launch(address));
  if (json) context.out(strictJson({ link: address, opened: isOpened }));
  else context.out(oneLine(address));
  if (!print && !isOpened)
    context.err("flight-deck: the command code was not found; open the link in a browser or from a chat");
  return DONE;
}

async function openNamed(context: Context, folder: string): Promise<void> {
  try {
    await open(context, folder);
  } catch (error) {
    throw new InRunError(folder, error);
  }
}
