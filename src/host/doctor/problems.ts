/** Findings in the Problems view: only for runs of which somebody asked for it, until they are closed. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { MANIFEST_FILE } from "../../core/format/names.ts";
import type { FindingView, SeverityView } from "../../protocol/diagnosis.ts";
import { visibleLabel } from "../../view/visible.ts";
import type { Diagnosed, Doctor } from "./doctor.ts";

const SEVERITY: Readonly<Record<SeverityView, vscode.DiagnosticSeverity>> = {
  critical: vscode.DiagnosticSeverity.Error,
  warn: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};
/** Characters of a finding; the editor has all. */
const MAX_WORDS = 2000;
const NEVER = new AbortController().signal;
const FIRST_LINE = new vscode.Range(0, 0, 0, 1);

export class FindingProblems implements vscode.Disposable {
  #collection: vscode.DiagnosticCollection | null = null;
  readonly #shown = new Set<string>();

  /** Diagnoses again what is shown, where that is another diagnosis now. */
  follow(doctor: Doctor): void {
    doctor.onChanged(async (concerns) => {
      for (const dir of [...this.#shown].filter(concerns)) {
        const diagnosed = await doctor.diagnose(dir, NEVER).catch(() => null);
        // What cannot be diagnosed any more has no findings, and may be closed by now.
        if (!this.#shown.has(dir)) continue;
        if (diagnosed) this.show(diagnosed);
        else this.clear(dir);
      }
    });
  }

  show({ dir, view }: Diagnosed): void {
    this.#collection ??= vscode.languages.createDiagnosticCollection("flightDeck.findings");
    this.#shown.add(dir);
    this.#collection.set(placeOf(dir), view.findings.map(diagnosticOf));
  }

  clear(dir: string): void {
    if (this.#shown.delete(dir)) this.#collection?.delete(placeOf(dir));
  }

  clearAll(): void {
    this.#shown.clear();
    this.#collection?.clear();
  }

  dispose(): void {
    this.#collection?.dispose();
  }
}

/** A finding is about no line of any file; the manifest is the file that stands for the run. */
const placeOf = (dir: string): vscode.Uri => vscode.Uri.file(nodePath.join(dir, MANIFEST_FILE));

function diagnosticOf(finding: FindingView): vscode.Diagnostic {
  const onset = finding.firstStepText === "" ? "" : vscode.l10n.t(" From step {0}.", finding.firstStepText);
  const text = `${finding.title}: ${visibleLabel(finding.words, MAX_WORDS)}${onset}`;
  const diagnostic = new vscode.Diagnostic(FIRST_LINE, text, SEVERITY[finding.severity]);
  diagnostic.source = "Flight Deck";
  const args = encodeURIComponent(JSON.stringify([finding.signature]));
  diagnostic.code = {
    value: finding.signature,
    target: vscode.Uri.parse(`command:flightDeck.explainSignature?${args}`),
  };
  return diagnostic;
}
