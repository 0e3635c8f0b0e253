/** What the tab of run records says: without a page, so that it can be tested without one. */
import type { AttemptView, RecordsView } from "../../src/protocol/run.ts";
import { formatCount, plural } from "../text/numbers.ts";

export interface Pill {
  readonly tone: "ok" | "warn" | "bad" | "";
  readonly words: string;
  readonly title: string;
}

const HASH: Readonly<Record<AttemptView["hash"], Pill>> = {
  match: { tone: "ok", words: "hash matches", title: "config_hash is that of the configuration in the file" },
  mismatch: {
    tone: "bad",
    words: "hash does not match",
    title: "config_hash is not that of the configuration in the file: one of them was changed",
  },
  unknown: {
    tone: "",
    words: "hash not checked",
    title: "The file states no config_hash, or holds no configuration that can be hashed exactly",
  },
};

const MANIFEST: Readonly<Record<AttemptView["manifest"], Pill | null>> = {
  match: {
    tone: "ok",
    words: "as in manifest.json",
    title: "The same configuration as trainer_config of manifest.json",
  },
  differs: {
    tone: "warn",
    words: "not that of manifest.json",
    title: "Another configuration than trainer_config of manifest.json",
  },
  unknown: null,
};

/** How the configuration of an attempt stands to its hash, to manifest.json and to the attempt before. */
export function attemptPills(attempt: AttemptView, before: AttemptView | undefined): Pill[] {
  const pills = [HASH[attempt.hash]];
  const manifest = MANIFEST[attempt.manifest];
  if (manifest) pills.push(manifest);
  if (attempt.previous === "differs" && before)
    pills.push({
      tone: "warn",
      words: `changed since attempt ${before.attempt}`,
      title: `Another configuration than that of attempt ${before.attempt}`,
    });
  return pills;
}

/** "3 attempts, so 2 restarts. All ran the configuration of manifest.json; every hash matches." */
export function attemptsWords({ attempts, warnings }: RecordsView): string {
  const restarts = attempts.length - 1;
  const count =
    restarts > 0
      ? `${plural(attempts.length, "attempt")}, so ${plural(restarts, "restart")}.`
      : "1 attempt, no restart.";
  const unread = new Set(
    warnings
      .filter(({ code, file }) => UNREAD.has(code) && file.startsWith("observed."))
      .map(({ file }) => file),
  ).size;
  const more = unread > 0 ? ` ${plural(unread, "witness", "witnesses")} more cannot be read.` : "";
  return [count + more, configWords(attempts), hashWords(attempts)].filter(Boolean).join(" ");
}

const UNREAD: ReadonlySet<string> = new Set([
  "record-unreadable",
  "newer-record-format",
  "permission-denied",
  "io-error",
  "size-limit",
  "not-a-regular-file",
]);

function configWords(attempts: readonly AttemptView[]): string {
  const known = attempts.filter(({ computedHash }) => computedHash !== "");
  const [first] = known;
  if (!first) return "No configuration is in the files.";
  const different = new Set(known.map(({ computedHash }) => computedHash)).size;
  if (different > 1) return `${formatCount(different)} configurations were run.`;
  const all = attempts.length === 1 ? "It ran" : "All ran";
  const ran = known.length < attempts.length ? "Those that hold one ran" : all;
  if (first.manifest === "match") return `${ran} the configuration of manifest.json.`;
  if (first.manifest === "differs") return `${ran} another configuration than that of manifest.json.`;
  return known.length > 1 ? `${ran} the same configuration.` : "";
}

function hashWords(attempts: readonly AttemptView[]): string {
  const wrong = attempts.filter(({ hash }) => hash === "mismatch");
  const unchecked = attempts.filter(({ hash }) => hash === "unknown").length;
  if (wrong.length > 0)
    return `The hash of attempt${wrong.length > 1 ? "s" : ""} ${wrong.map(({ attempt }) => attempt).join(", ")} does not match.`;
  if (unchecked === attempts.length) return "";
  if (unchecked > 0) return "Every hash that can be checked matches.";
  return attempts.length === 1 ? "Its hash matches." : "Every hash matches.";
}
