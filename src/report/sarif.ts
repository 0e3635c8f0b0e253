/** Findings as SARIF 2.1.0, which code hosts and CI read: one run of the tool for each recording. */
import type { FindingView } from "../protocol/diagnosis.ts";
import type { ReportParams } from "../protocol/report.ts";
import type { WarningView } from "../protocol/run.ts";
import { ALL_SIGNATURES } from "../view/signature-page.ts";
import { visibleLabel } from "../view/visible.ts";
import { moment } from "./figures.ts";
import type { RunReport } from "./gather.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const LEVELS = { critical: "error", warn: "warning", info: "note" } as const;
const MAX_TEXT = 4000;
const MAX_NOTES = 200;

/** Text of a recording, on one line, what does not show by name. */
const plain = (text: string): string => visibleLabel(text, MAX_TEXT);

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

export async function sarif(reports: readonly RunReport[], params: ReportParams): Promise<string> {
  const runs = await Promise.all(reports.map((report) => runOf(report, params)));
  const log: Json = { $schema: SCHEMA, version: "2.1.0", runs };
  return `${JSON.stringify(log, null, 2)}\n`;
}

async function runOf(report: RunReport, { version, madeAt }: ReportParams): Promise<Json> {
  const { overview, diagnosis, warnings, run } = report;
  const results: Json[] = [];
  for (const finding of diagnosis.findings) results.push(await resultOf(finding, report));
  return {
    tool: { driver: { name: "Flight Deck", semanticVersion: version, version, rules: rules() } },
    automationDetails: { id: `flight-deck/${encodeURIComponent(wellFormed(overview.label))}/` },
    columnKind: "utf16CodeUnits",
    invocations: [
      {
        executionSuccessful: diagnosis.verdict.state !== "none",
        ...(moment(madeAt) === "" ? {} : { endTimeUtc: new Date(madeAt).toISOString() }),
        toolExecutionNotifications: notes(warnings, report),
      },
    ],
    results,
    properties: {
      runId: plain(overview.runId),
      verdict: diagnosis.verdict.state,
      steps: diagnosis.steps,
      thresholds: run.configName === "" ? "default" : plain(run.configName),
      passed: diagnosis.passed.map(({ signature }) => signature),
      skipped: diagnosis.skipped.map(({ signature, words }) => ({ signature, why: plain(words) })),
    },
  };
}

function rules(): Json {
  return ALL_SIGNATURES.map(({ id, title, severity, pages }) => ({
    id,
    name: pascal(id),
    shortDescription: { text: title },
    fullDescription: { text: pages.what },
    help: {
      text: `${pages.what}\n\nWhat to try:\n${pages.tries.map((text) => `- ${text}`).join("\n")}\n\nKnown false alarms: ${pages.falseAlarms}`,
      markdown: `${pages.what}\n\n**What to try**\n\n${pages.tries.map((text, i) => `${i + 1}. ${text}`).join("\n")}\n\n**Known false alarms**: ${pages.falseAlarms}`,
    },
    defaultConfiguration: { level: levelOf(severity) },
    properties: { tags: ["reinforcement-learning"] },
  }));
}

const pascal = (id: string): string =>
  id
    .toLowerCase()
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const levelOf = (severity: string): string =>
  Object.hasOwn(LEVELS, severity) ? LEVELS[severity as keyof typeof LEVELS] : "warning";

async function resultOf(finding: FindingView, { run, overview }: RunReport): Promise<Json> {
  const { signature, severity, words, firstStepText, knownStepText, confidence, evidence, title } = finding;
  const since = firstStepText === "" ? "" : ` Begins at step ${firstStepText}.`;
  return {
    ruleId: signature,
    ruleIndex: ALL_SIGNATURES.findIndex(({ id }) => id === signature),
    level: levelOf(severity),
    message: { text: plain(`${title} in ${overview.runId}: ${words}${since}`) },
    locations: [
      {
        physicalLocation: placeOf(run.address, "manifest.json"),
        logicalLocations: [
          {
            name: firstStepText === "" ? "the whole run" : `step ${firstStepText}`,
            fullyQualifiedName: plain(`${overview.label}/${firstStepText}`),
            kind: "step",
          },
        ],
      },
    ],
    partialFingerprints: { "flightDeckFinding/v1": await fingerprint([overview.runId, finding.id]) },
    rank: Math.round(confidence * 1000) / 10,
    properties: {
      onsetStep: firstStepText === "" ? null : firstStepText,
      knownStep: knownStepText === "" ? null : knownStepText,
      confidence,
      evidence: evidence.map(({ figures }) =>
        plain(figures.map(({ label, value }) => `${label} ${value}`).join(", ")),
      ),
    },
  };
}

/** What is wrong with the recording itself. */
function notes(warnings: readonly WarningView[], { run }: RunReport): Json {
  return warnings.slice(0, MAX_NOTES).map(({ code, file, message, remedy, level }) => ({
    descriptor: { id: code },
    level: level === "warning" ? "warning" : "note",
    message: { text: plain(`${message} ${remedy}`.trim()) },
    ...(file === "" ? {} : { locations: [{ physicalLocation: placeOf(run.address, file) }] }),
  }));
}

/** A recording is no text: its first line stands for all of it, since readers want one. */
function placeOf(address: string, file: string): Json {
  const uri = `${address}/${file
    .split("/")
    .map((part) => encodeURIComponent(wellFormed(part)))
    .join("/")}`;
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(address);
  return {
    artifactLocation: { uri, ...(isRelative ? { uriBaseId: "%SRCROOT%" } : {}) },
    region: { startLine: 1 },
  };
}

/** Halves of characters have no place in an address. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd");

/** The same finding of the same run has the same one, whatever its figures are by now. */
async function fingerprint(parts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
