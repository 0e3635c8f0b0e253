/** The page of a signature, as Markdown: written into docs/signatures, and shown in the editor. Nothing of a recording is in it. */
import { CHECKS } from "../core/doctor/checks/index.ts";
import { SIGNATURES } from "../core/doctor/signatures/index.ts";
import type { Param, Signature } from "../core/doctor/types.ts";
import { SEVERITY_WORDS, signatureOf } from "./findings.ts";

export const ALL_SIGNATURES: readonly Signature[] = [...SIGNATURES, ...CHECKS];

/** @param chart where the picture is; "" for none */
export function signaturePage(id: string, chart: string): string | null {
  const signature = signatureOf(id);
  if (!signature) return null;
  const { title, pages, samples, needs, needsAny } = signature;
  const isOurs = (CHECKS as readonly Signature[]).includes(signature);
  const metrics = needs.map((n) => `\`${n}\``).join(", ");
  return `${[
    `# ${title}`,
    `\`${id}\` · ${SEVERITY_WORDS[signature.severity]}${isOurs ? " · a check of Flight Deck's own, which rlprobe does not have" : ""}`,
    pages.what,
    "## What it looks like",
    pages.looks,
    ...(chart === "" ? [] : [`![A recording in which it fired](${chart})`]),
    "## What makes it fire",
    `It looks at ${needsAny ? "any of " : ""}${metrics}.`,
    paramTable(signature),
    `In \`doctor.toml\`, with the defaults:`,
    `\`\`\`toml\n${tomlOf(signature)}\n\`\`\``,
    "## What to try",
    pages.tries.map((t, i) => `${i + 1}. ${t}`).join("\n"),
    `Samples to read: ${samples.why}.`,
    "## Known false alarms",
    pages.falseAlarms,
  ].join("\n\n")}\n`;
}

function paramTable({ params }: Signature): string {
  const rows = Object.entries(params).map(
    ([name, p]) => `| \`${name}\` | ${p.default} | ${rangeOf(p)} | ${p.doc} |`,
  );
  return ["| parameter | default | range | what it decides |", "|---|---|---|---|", ...rows].join("\n");
}

/** "1 to 1000, whole". */
export const rangeOf = (p: Param): string => `${p.min} to ${p.max}${p.integer ? ", whole" : ""}`;

/** The signature's section with every key at its default. */
export function tomlOf({ id, params }: Signature): string {
  const keys = Object.entries(params).map(([name, p]) => `${name} = ${p.default}`);
  return [`[${id.toLowerCase()}]`, "enabled = true", ...keys].join("\n");
}

/** @param pageOf where the page of a signature is */
export function signatureIndex(pageOf: (id: string) => string): string {
  const table = (all: readonly Signature[]) =>
    [
      "| signature | severity | what it is |",
      "|---|---|---|",
      ...all.map(
        (s) =>
          `| [${s.id.replaceAll("_", "\\_")}](${pageOf(s.id)}) | ${SEVERITY_WORDS[s.severity]} | ${s.title} |`,
      ),
    ].join("\n");
  return `${[
    "# Signatures",
    "What the doctor looks for in a run. How it works, and what `doctor.toml` can change: [the doctor](../doctor.md).",
    "These pages are written from the signatures' files; `npx vitest run test/unit/docs -u` writes them anew.",
    "## rlprobe's fourteen",
    table(SIGNATURES),
    "## Flight Deck's own",
    "For what rlprobe cannot see. They are marked as ours wherever they are shown, and can be switched off.",
    table(CHECKS),
  ].join("\n\n")}\n`;
}
