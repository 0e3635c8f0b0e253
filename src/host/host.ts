/** Everything behind the registrations; loaded with the first command or editor. */
import { language } from "./language.ts";
import "./english.ts";
import * as vscode from "vscode";
import { Agents } from "./agents/agents.ts";
import { diagnose, openFindings, showInProblems } from "./commands/diagnose.ts";
import { explainSignature } from "./commands/explainSignature.ts";
import { explainWarning } from "./commands/explainWarning.ts";
import { openAsText } from "./commands/openAsText.ts";
import { openDemo } from "./commands/openDemo.ts";
import { openRun } from "./commands/openRun.ts";
import { CompareCommands } from "./compare/commands.ts";
import { ConfigDocuments, configAddress } from "./compare/documents.ts";
import { DemoRuns } from "./demo/demo-runs.ts";
import { DoctorDocuments } from "./doctor/documents.ts";
import { TomlEditor } from "./doctor/toml-editor.ts";
import { documentText } from "./documents.ts";
import { RunDocument, RunEditorProvider } from "./editor/provider.ts";
import { answerFrom } from "./inline/answer.ts";
import type { Answer } from "./inline/inline.ts";
import { Links } from "./links/links.ts";
import { Live } from "./live/live.ts";
import { ReportCommands } from "./report/commands.ts";
import { KeptRuns } from "./runs/kept.ts";
import { Runs } from "./runs/runs.ts";
import type { TreeParts } from "./runs/view.ts";
import { RunsTablePanels } from "./runs-table/panels.ts";
import { addressOf } from "./samples/address.ts";
import { type SampleCommandName, SampleCommands } from "./samples/commands.ts";
import { SampleDocuments } from "./samples/documents.ts";
import { SampleLanguage } from "./samples/language.ts";
import { Services } from "./services.ts";
import { VirtualFiles } from "./virtual-files.ts";

export class Host {
  readonly editor: RunEditorProvider;
  readonly #services: Services;
  /** What can be read at `flightdeck:`. */
  readonly files: VirtualFiles;
  /** What other files mention. */
  readonly answer: Answer;
  readonly #samples: SampleCommands;
  readonly #runs: () => Runs;
  readonly compare: CompareCommands;
  readonly live: Live;
  readonly runsTable: RunsTablePanels;
  readonly demos: DemoRuns;
  readonly reports: ReportCommands;
  readonly links: Links;
  readonly agents: Agents;

  /**
   * @param changed tells VS Code of documents whose text is another now
   * @param tree the Runs view
   */
  constructor(
    context: vscode.ExtensionContext,
    changed: vscode.EventEmitter<vscode.FileChangeEvent[]>,
    tree: TreeParts,
  ) {
    this.#services = new Services(context);
    const documents = new DoctorDocuments(this.#services);
    const { reader, doctor, log } = this.#services;
    const samples = new SampleDocuments(reader);
    this.#samples = new SampleCommands(this.#services, reader, samples);
    this.answer = answerFrom(reader, (text) => log.debug(text));
    const configurations = new ConfigDocuments(() => this.#services.pool);
    this.compare = new CompareCommands(this.#services);
    this.live = new Live(this.#services, context.secrets);
    this.demos = new DemoRuns(this.#services);
    this.agents = new Agents(this.#services);
    const comparison = (): readonly vscode.Uri[] => this.compare.panels.front;
    this.reports = new ReportCommands(this.#services, comparison, versionOf(context));
    this.links = new Links({
      services: this.#services,
      comparison,
      compare: (uris) => this.compare.panels.open(uris),
      sample: (name, target) => this.sample(name, target),
    });
    this.files = new VirtualFiles(
      async (uri) =>
        documentText(uri) ??
        (await samples.text(uri)) ??
        (await configurations.text(uri)) ??
        (await documents.text(uri)),
      changed,
    );
    const stops = [
      documents.onStale((isStale) => this.files.forget(isStale)),
      doctor.onRunChanged((dir) =>
        this.files.forget((uri) => addressOf(uri)?.dir === dir || configAddress(uri)?.dir === dir),
      ),
    ];
    context.subscriptions.push(
      this.live,
      this.demos,
      this.agents,
      this.#services,
      documents,
      new TomlEditor(),
      new SampleLanguage(samples, reader),
      ...stops.map((stop) => new vscode.Disposable(stop)),
    );
    this.editor = new RunEditorProvider(this.#services);
    let runs: Runs | undefined;
    this.#runs = () => {
      if (!runs) {
        runs = new Runs(this.#services, tree, context.workspaceState, keptRuns(context));
        context.subscriptions.push(runs);
      }
      return runs;
    };
    this.runsTable = new RunsTablePanels(this.#services, () => this.runs.view, context.workspaceState);
    context.subscriptions.push(this.runsTable);
  }

  /** The runs of the workspace; made when they are first asked for. */
  get runs(): Runs {
    return this.#runs();
  }

  sample(name: SampleCommandName, argument: unknown): Promise<void> {
    return this.#samples.run(name, argument);
  }

  resolve(document: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    if (document instanceof RunDocument) this.editor.resolveCustomEditor(document, panel);
  }

  openRun(target: unknown, selection: unknown): Promise<void> {
    return openRun(this.#services, target, selection);
  }

  openDemo(): Promise<void> {
    return openDemo(this.#services);
  }

  openAsText(target: unknown): Promise<void> {
    return openAsText(target);
  }

  explainWarning(code: unknown): Promise<void> {
    return explainWarning(code);
  }

  diagnose(target: unknown, selection: unknown): Promise<void> {
    return diagnose(this.#services, target, selection);
  }

  openFindings(target: unknown, selection: unknown): Promise<void> {
    return openFindings(this.#services, target, selection);
  }

  showInProblems(target: unknown, selection: unknown): Promise<void> {
    return showInProblems(this.#services, target, selection);
  }

  clearProblems(): void {
    this.#services.problems.clearAll();
  }

  explainSignature(id: unknown): Promise<void> {
    return explainSignature(id);
  }

  showLog(): void {
    this.#services.log.show();
  }
}

/** Each workspace has its own: one window at a time writes it. */
function keptRuns(context: vscode.ExtensionContext): KeptRuns {
  const { storageUri } = context;
  const file = storageUri && vscode.Uri.joinPath(storageUri, "runs.json").fsPath;
  // What is kept is worded.
  return new KeptRuns(file ?? null, `${versionOf(context)} ${language().tag}`);
}

function versionOf({ extension }: vscode.ExtensionContext): string {
  const { version }: { readonly version?: unknown } = extension.packageJSON;
  return String(version);
}
