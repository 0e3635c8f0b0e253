/** Codes for which a run is not opened at all, beside those that are warnings elsewhere. */
import type { RefusalCode } from "../../core/format/problems.ts";
import { type CodePage, page } from "./page.ts";

export const REFUSAL_PAGES = {
  "not-found": page(
    "The path leads to nothing, or a link in it leads round in a circle.",
    ["The folder was moved, renamed or deleted.", "A disk is not mounted.", "The path has a typing error."],
    "Nothing is opened. In the editor it is looked for again, and opens by itself when it is back.",
    ["“Flight Deck: Open Run” lists runs that were opened before; missing ones are taken off the list."],
  ),
  "not-a-run": page(
    "A run's folder is known by its `manifest.json`, which a recorder writes first. There is none here.",
    [
      "The folder above or below was meant.",
      "Only part of the run was copied.",
      "The run has not begun to record.",
    ],
    "Nothing is opened. Where step files or samples lie here all the same, they can be opened without a manifest. Once there is one, the run opens by itself.",
    ["“Flight Deck: Open Run” lists runs that were opened before."],
  ),
  aborted: page(
    "Nobody waited for the answer any more.",
    ["The editor was closed or hidden while it was loading.", "Something newer was asked for."],
    "Nothing: it is asked again when it is needed.",
  ),
  internal: page(
    "A mistake in Flight Deck itself, not in your recording.",
    ["Something about this recording that nobody thought of."],
    "The error is written to the log. The recording is never changed by it.",
    ["Please report it with the log. Look through it first: it names your folders."],
  ),
} as const satisfies Partial<Record<RefusalCode, CodePage>>;
