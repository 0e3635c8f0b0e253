/** What the tab of run records says: without a page, so that it can be tested without one. */
import { t } from "../../src/protocol/l10n.ts";
import type { AttemptView, RecordsView } from "../../src/protocol/run.ts";
import { formatCount, plural } from "../text/numbers.ts";

export interface Pill {
  readonly tone: "ok" | "warn" | "bad" | "";
  readonly words: string;
  readonly title: string;
}

const HASH: Readonly<Record<AttemptView["hash"], Pill>> = {
  match: {
    tone: "ok",
    words: t("hash matches"),
    title: t("config_hash is that of the configuration in the file"),
  },
  mismatch: {
    tone: "bad",
    words: t("hash does not match"),
    title: t("config_hash is not that of the configuration in the file: one of them was changed"),
  },
  unknown: {
    tone: "",
    words: t("hash not checked"),
    title: t("The file states no config_hash, or holds no configuration that can be hashed exactly"),
  },
};

const MANIFEST: Readonly<Record<AttemptView["manifest"], Pill | null>> = {
  match: {
    tone: "ok",
    words: t("as in manifest.json"),
    title: t("The same configuration as trainer_config of manifest.json"),
  },
  differs: {
    tone: "warn",
    words: t("not that of manifest.json"),
    title: t("Another configuration than trainer_config of manifest.json"),
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
      words: t("changed since attempt {0}", before.attempt),
      title: t("Another configuration than that of attempt {0}", before.attempt),
    });
  return pills;
}

/** "3 attempts, so 2 restarts. All ran the configuration of manifest.json; every hash matches." */
export function attemptsWords({ attempts, warnings }: RecordsView): string {
  const restarts = attempts.length - 1;
  const count =
    restarts > 0
      ? t("{0}, so {1}.", plural(attempts.length, "attempt"), plural(restarts, "restart"))
      : t("1 attempt, no restart.");
  const unread = new Set(
    warnings
      .filter(({ code, file }) => UNREAD.has(code) && file.startsWith("observed."))
      .map(({ file }) => file),
  ).size;
  return [count, unreadWords(unread), configWords(attempts), hashWords(attempts)].filter(Boolean).join(" ");
}

function unreadWords(unread: number): string {
  if (unread === 0) return "";
  return unread === 1
    ? t("1 witness more cannot be read.")
    : t("{0} witnesses more cannot be read.", formatCount(unread));
}

const UNREAD: ReadonlySet<string> = new Set([
  "record-unreadable",
  "newer-record-format",
  "permission-denied",
  "io-error",
  "size-limit",
  "not-a-regular-file",
]);

const RAN = {
  one: {
    asManifest: t("It ran the configuration of manifest.json."),
    other: t("It ran another configuration than that of manifest.json."),
    same: t("It ran the same configuration."),
  },
  all: {
    asManifest: t("All ran the configuration of manifest.json."),
    other: t("All ran another configuration than that of manifest.json."),
    same: t("All ran the same configuration."),
  },
  some: {
    asManifest: t("Those that hold one ran the configuration of manifest.json."),
    other: t("Those that hold one ran another configuration than that of manifest.json."),
    same: t("Those that hold one ran the same configuration."),
  },
} as const;

function configWords(attempts: readonly AttemptView[]): string {
  const known = attempts.filter(({ computedHash }) => computedHash !== "");
  const [first] = known;
  if (!first) return t("No configuration is in the files.");
  const different = new Set(known.map(({ computedHash }) => computedHash)).size;
  if (different > 1) return t("{0} configurations were run.", formatCount(different));
  const ran = RAN[known.length < attempts.length ? "some" : attempts.length === 1 ? "one" : "all"];
  if (first.manifest === "match") return ran.asManifest;
  if (first.manifest === "differs") return ran.other;
  return known.length > 1 ? ran.same : "";
}

function hashWords(attempts: readonly AttemptView[]): string {
  const wrong = attempts.filter(({ hash }) => hash === "mismatch");
  const unchecked = attempts.filter(({ hash }) => hash === "unknown").length;
  const names = wrong.map(({ attempt }) => attempt).join(", ");
  if (wrong.length > 0)
    return wrong.length > 1
      ? t("The hash of attempts {0} does not match.", names)
      : t("The hash of attempt {0} does not match.", names);
  if (unchecked === attempts.length) return "";
  if (unchecked > 0) return t("Every hash that can be checked matches.");
  return attempts.length === 1 ? t("Its hash matches.") : t("Every hash matches.");
}
