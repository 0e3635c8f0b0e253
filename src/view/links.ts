/**
 * Links to a run, a step, a sample or a comparison: `vscode://flight-deck.flight-deck/open?run=<folder>&step=12`. Anybody can write one, so
 * that what is read here is checked to the last character; a link says what to look at and nothing else.
 */

import { t } from "../protocol/l10n.ts";

export const EXTENSION_ID = "flight-deck.flight-deck";
const PATH = "/open";
const MAX_QUERY = 12_000;
const MAX_PATH = 4096;
const MAX_ID = 500;

/** A folder of this machine, or of the one that a window is connected to. */
export interface LinkedFolder {
  /** Absolute, as that machine writes paths; no part of it is "..". */
  readonly path: string;
  /** "ssh-remote+host" of a `vscode-remote://` address; "" for a plain path. */
  readonly authority: string;
}

export interface RunLink {
  readonly run: LinkedFolder;
  /** All digits; `null` for the whole run. */
  readonly step: string | null;
  readonly sample: { readonly rank: number | null; readonly id: string } | null;
  /** The run that is compared with it. */
  readonly other: LinkedFolder | null;
}

/** Why a link is refused, one sentence. */
export interface LinkRefusal {
  readonly refused: string;
}

const KEYS = ["run", "step", "sample", "rank", "with"] as const;
type Key = (typeof KEYS)[number];

/** @param query decoded once, as VS Code hands it over */
export function parseLink(path: string, query: string): RunLink | LinkRefusal {
  if (path.replace(/\/$/, "") !== PATH)
    return refuse(t("It asks for something that Flight Deck does not know."));
  if (query.length > MAX_QUERY) return refuse(t("It is too long."));
  const found = new Map<Key, string>();
  for (const part of query.split("&").filter((each) => each !== "")) {
    const at = part.indexOf("=");
    const key = KEYS.find((name) => name === part.slice(0, Math.max(at, 0)));
    if (!key || found.has(key)) return refuse(t("It asks for something that Flight Deck does not know."));
    const value = decoded(part.slice(at + 1));
    if (value === null || isOdd(value)) return refuse(t("It holds characters that no link needs."));
    found.set(key, value);
  }
  return linkOf(found);
}

function linkOf(found: ReadonlyMap<Key, string>): RunLink | LinkRefusal {
  const run = folderOf(found.get("run") ?? "");
  if (!run) return refuse(t("It names no folder that can be opened."));
  const step = found.get("step") ?? null;
  if (step !== null && !/^-?\d{1,19}$/.test(step)) return refuse(t("Its step is no number."));
  const id = found.get("sample") ?? null;
  const rank = found.get("rank") ?? null;
  if (id !== null && (id === "" || id.length > MAX_ID)) return refuse(t("It names no sample."));
  if (rank !== null && (id === null || !/^\d{1,6}$/.test(rank))) return refuse(t("Its rank is no number."));
  const named = found.get("with");
  const other = named === undefined ? null : folderOf(named);
  if (named !== undefined && (!other || id !== null || step !== null))
    return refuse(t("It names no folder to compare with."));
  return { run, step, sample: id === null ? null : { rank: rank === null ? null : Number(rank), id }, other };
}

const refuse = (refused: string): LinkRefusal => ({ refused });

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", "%2B"));
  } catch {
    return null;
  }
}

/** Nothing that moves a cursor or hides, and no half of a character. */
const isOdd = (text: string): boolean => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text);

/** A plain path, a `file://` address without a host, or a `vscode-remote://` one. Nothing else is asked for over a network. */
function folderOf(text: string): LinkedFolder | null {
  if (text.length > MAX_PATH) return null;
  const remote = /^vscode-remote:\/\/([\w.%+@~-]{1,255})(\/.*)$/i.exec(text);
  const local = /^file:\/\/(\/.*)$/i.exec(text);
  const authority = decoded(remote?.[1] ?? "");
  const whole = remote ? decoded(remote[2] ?? "") : local ? decoded(local[1] ?? "") : text;
  if (whole === null || authority === null || isOdd(whole) || isOdd(authority)) return null;
  const path = /^\/[A-Za-z]:[\\/]/.test(whole) ? whole.slice(1) : whole;
  return isPlain(path) ? { path, authority } : null;
}

/** "/a/b" or "C:\\a": absolute, on no other machine (`\\\\host\\share`), and nothing in it climbs. */
function isPlain(path: string): boolean {
  if (/^[\\/]{2}/.test(path) || !/^(\/|[A-Za-z]:[\\/])/.test(path)) return false;
  return path.split(/[\\/]/).every((part) => part !== ".." && part !== ".");
}

/**
 * @param scheme of the VS Code that is to open it: "vscode", "vscode-insiders"
 * @returns why there is no link where {@link parseLink} would refuse it
 */
export function linkTo(scheme: string, { run, step, sample, other }: RunLink): string | LinkRefusal {
  // Before anything is encoded: half a character cannot be.
  if ([run, ...(other ? [other] : [])].some(({ path, authority }) => isOdd(path + authority)))
    return refuse(t("It holds characters that no link needs."));
  const parts: (readonly [Key, string])[] = [["run", addressOf(run)]];
  if (step !== null) parts.push(["step", step]);
  if (sample) parts.push(["sample", sample.id]);
  if (sample && sample.rank !== null) parts.push(["rank", String(sample.rank)]);
  if (other) parts.push(["with", addressOf(other)]);
  const handedOver = parts.map(([key, value]) => `${key}=${value.replace(SEPARATORS, encodeURIComponent)}`);
  const read = parseLink(PATH, handedOver.join("&"));
  if ("refused" in read) return read;
  const query = parts.map(([key, value]) => `${key}=${encoded(value)}`);
  return `${scheme}://${EXTENSION_ID}${PATH}?${query.join("&")}`;
}

const SEPARATORS = /[%&=#+]/g;

/**
 * VS Code decodes a query once before it hands it over, and what separates its parts must still be told from what stands in them then:
 * such characters are encoded twice.
 */
const encoded = (value: string): string =>
  encodeURIComponent(value.replace(SEPARATORS, encodeURIComponent))
    .replaceAll("%2F", "/")
    .replaceAll("%3A", ":");

function addressOf({ path, authority }: LinkedFolder): string {
  return authority === "" ? path : `vscode-remote://${encodeURIComponent(authority)}${encodeURI(path)}`;
}

/** Something in a line of a terminal that can be opened. */
export interface LineLink {
  readonly from: number;
  readonly to: number;
  /** As it stands there: a path, or the name of a run. */
  readonly run: string;
  readonly step: string | null;
  readonly sample: { readonly rank: number; readonly id: string } | null;
}

const MAX_LINE = 4000;
const MAX_LINKS = 16;
/** What stands between spaces, quotes or brackets. */
const WORD = /[^\s"'`<>()[\]{},;|│]+/gu;
const CITATION = /^(.+?)\/(\d{1,19})(?:\/(\d{1,6})\/(.{1,500}))?$/u;

/** Words of a line that may be a run's folder (they have a slash) or a citation `run/step/rank/sample_id`. */
export function linksInLine(line: string): LineLink[] {
  const found: LineLink[] = [];
  for (const { 0: word, index } of line.slice(0, MAX_LINE).matchAll(WORD)) {
    if (found.length >= MAX_LINKS) break;
    const text = word.replace(/[.:!?]+$/, "").replace(/\/+$/, "");
    if (!/[\\/]/.test(word) || text === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(word) || isOdd(word)) continue;
    const place = { from: index, to: index + text.length };
    const [, run, step, rank, id] = CITATION.exec(text) ?? [];
    if (run !== undefined && step !== undefined && run !== "")
      found.push({
        ...place,
        run,
        step,
        sample: rank === undefined || id === undefined ? null : { rank: Number(rank), id: decoded(id) ?? id },
      });
    found.push({ ...place, run: text, step: null, sample: null });
  }
  return found;
}
