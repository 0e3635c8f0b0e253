/** The documents of the doctor: findings of a run, and pages of signatures. All that they show follows from their address. */
import { readFile } from "node:fs/promises";
import nodePath from "node:path";
import * as vscode from "vscode";
import { ProblemError } from "../../protocol/rpc.ts";
import { findingsDocument } from "../../view/findings-document.ts";
import { inMarkdown } from "../../view/markdown.ts";
import { problemText } from "../../view/problems.ts";
import { signaturePage } from "../../view/signature-page.ts";
import { SCHEME } from "../documents.ts";
import { Listeners } from "../listeners.ts";
import type { Services } from "../services.ts";

const FINDINGS = "/findings/";
const SIGNATURE = /^\/signatures\/([A-Z_]{1,60})\.md$/;
/** The page with its picture in it: for the preview, not for reading as text. */
const WITH_CHART = "chart";
const QUIET_MS = 150;

/** @param dir the run's folder, absolute; it is in the address, so that the document survives a reload */
export function findingsUri(dir: string): vscode.Uri {
  const name = (nodePath.basename(dir) || "run").replaceAll(/[/\\\p{Cc}]/gu, "-");
  return vscode.Uri.from({ scheme: SCHEME, path: `${FINDINGS}${name}.md`, query: encodeURIComponent(dir) });
}

/** The run that a document is about; `null` when it is no document of findings. */
export function findingsDir(uri: vscode.Uri): string | null {
  if (uri.scheme !== SCHEME || !uri.path.startsWith(FINDINGS)) return null;
  try {
    const dir = decodeURIComponent(uri.query);
    return nodePath.isAbsolute(dir) && !dir.includes("\0") ? dir : null;
  } catch {
    return null;
  }
}

export function signatureUri(id: string, chart = false): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    path: `/signatures/${id}.md`,
    query: chart ? WITH_CHART : "",
  });
}

export class DoctorDocuments implements vscode.Disposable {
  readonly #services: Services;
  readonly #onStale = new Listeners<(uri: vscode.Uri) => boolean>();
  readonly #stop: () => void;
  #stale: ((dir: string) => boolean)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #charts: Promise<Readonly<Record<string, string>>> | null = null;

  constructor(services: Services) {
    this.#services = services;
    this.#stop = services.doctor.onChanged((concerns) => this.#refresh(concerns));
  }

  /** Told when documents have to be asked for again, with a test of which. */
  onStale(listener: (isStale: (uri: vscode.Uri) => boolean) => void): () => void {
    return this.#onStale.add(listener);
  }

  /** @returns `null` for an address that is not the doctor's */
  async text(uri: vscode.Uri): Promise<string | null> {
    const id = SIGNATURE.exec(uri.path)?.[1];
    if (id !== undefined) {
      const chart = uri.query === WITH_CHART ? ((await this.#chartsOf())[id] ?? "") : "";
      return signaturePage(id, chart);
    }
    const dir = findingsDir(uri);
    return dir === null ? null : this.#findings(dir);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#stop();
    this.#onStale.clear();
  }

  /** Several changes at once are one: a saved file is noticed twice. */
  #refresh(concerns: (dir: string) => boolean): void {
    this.#stale.push(concerns);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const stale = this.#stale;
      this.#stale = [];
      this.#onStale.tell((uri) => {
        const dir = findingsDir(uri);
        return dir !== null && stale.some((test) => test(dir));
      });
    }, QUIET_MS);
  }

  async #findings(dir: string): Promise<string> {
    try {
      const diagnosed = await this.#services.doctor.diagnose(dir, new AbortController().signal);
      return findingsDocument(diagnosed, (id) => `../signatures/${id}.md`);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const title = vscode.l10n.t("# Findings of {0}", inMarkdown(nodePath.basename(dir)));
      return vscode.l10n.t(
        "{0}\n\nThe run could not be diagnosed.\n\n{1}\n",
        title,
        inMarkdown(problemText(error.problem)),
      );
    }
  }

  /** Pictures of real recordings, as data: a preview loads nothing else for a document without a file. */
  #chartsOf(): Promise<Readonly<Record<string, string>>> {
    this.#charts ??= readCharts(
      vscode.Uri.joinPath(this.#services.extensionUri, "dist", "signatures.json").fsPath,
    );
    return this.#charts;
  }
}

async function readCharts(file: string): Promise<Readonly<Record<string, string>>> {
  try {
    const svgs = JSON.parse(await readFile(file, "utf8")) as Readonly<Record<string, string>>;
    const entries = Object.entries(svgs).map(([id, svg]) => [
      id,
      `data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}`,
    ]);
    return Object.fromEntries(entries) as Readonly<Record<string, string>>;
  } catch {
    return {};
  }
}
