/** One page of a document: its HTML, and the answers to what it asks. */
import * as vscode from "vscode";
import {
  type PageAction,
  type PageContract,
  type PageDiagnosis,
  pageContract,
  pageNotices,
} from "../../protocol/page.ts";
import { ABORTED, createServer, type Handlers, ProblemError } from "../../protocol/rpc.ts";
import { runContract } from "../../protocol/run.ts";
import type { Params } from "../../protocol/wire.ts";
import { problemOfError } from "../../view/problems.ts";
import type { DoctorConfigText } from "../doctor/doctor.ts";
import type { Focus } from "../doctor/focus.ts";
import { writeThresholds } from "../doctor/write.ts";
import type { Listeners } from "../listeners.ts";
import { refusedBy } from "../log.ts";
import type { Services } from "../services.ts";
import { copyShown } from "./copy.ts";
import { forwarded, loadPage, RUN_PAGE, transportOf } from "./page.ts";
import { saveBytes, saveRows } from "./save.ts";
import type { RunSession } from "./session.ts";
import { Thresholds } from "./thresholds.ts";

export interface PageHost {
  readonly session: RunSession;
  /** Told when the page has been told how the opening ended. */
  readonly onOpened: Listeners<void>;
  act(action: PageAction): Promise<void>;
  /** Looks at the run's files now. @returns whether it was opened again */
  recheck(): Promise<boolean>;
}

const MAX_REPORT = 2000;

/** Everything ends with the panel: questions at work are aborted, nothing is posted any more. */
export function showPage(panel: vscode.WebviewPanel, host: PageHost, services: Services): void {
  const { webview } = panel;
  const { session } = host;
  const thresholds = new Thresholds<DoctorConfigText>((dir) => services.doctor.configFor(dir));
  const server = createServer(
    pageContract,
    handlersFor(panel, host, services, thresholds),
    transportOf(webview),
    {
      notices: pageNotices,
      toProblem: problemOfError,
      onError: (method, error) => services.log.error(`${method}: ${describe(error)}`),
      onRefused: refusedBy(services.log, "page"),
    },
  );
  const listening = [
    session.onReopened((reason) => server.notify("reopened", { reason })),
    session.onStopped((problem) => server.notify("stopped", { problem })),
    session.onChanged((state) => server.notify("changed", { state })),
    services.doctor.onChanged((concerns) => {
      if (session.dir === null || !concerns(session.dir)) return;
      thresholds.forget();
      server.notify("diagnosis", { reason: vscode.l10n.t("The thresholds have changed.") });
    }),
    followFocus(panel, host, services.focus, (finding) => server.notify("focus", { finding })),
    followFocus(panel, host, services.sampleFocus, (place) => server.notify("sample", place)),
  ];
  const shown = panel.onDidChangeViewState(() => {
    // A hidden page is gone; it is made anew when it is shown, and asks anew.
    if (!panel.visible) server.abortAll();
    server.notify("visible", { visible: panel.visible });
  });
  panel.onDidDispose(() => {
    for (const stop of listening) stop();
    shown.dispose();
    server.dispose();
  });
  loadPage(webview, services.extensionUri, RUN_PAGE);
}

/**
 * Hands on what a command wants to be shown, once the page has asked for its run: before that it hears nothing, and
 * `page.open` is answered first. @returns how to stop
 */
function followFocus<T>(
  panel: vscode.WebviewPanel,
  { session, onOpened }: PageHost,
  focus: Focus<T>,
  show: (what: T) => void,
): () => void {
  let hasAsked = false;
  const handOn = (): void => {
    const what = hasAsked && panel.visible && session.dir !== null ? focus.take(session.dir) : null;
    if (what !== null) show(what);
  };
  const stop = focus.onAsked((dir) => {
    if (dir === session.dir) handOn();
  });
  const hidden = panel.onDidChangeViewState(() => {
    if (!panel.visible) hasAsked = false;
  });
  onOpened.add(() => {
    hasAsked = true;
    setImmediate(handOn);
  });
  return () => {
    stop();
    hidden.dispose();
  };
}

function handlersFor(
  panel: vscode.WebviewPanel,
  host: PageHost,
  services: Services,
  thresholds: Thresholds<DoctorConfigText>,
): Handlers<PageContract> {
  const { session } = host;
  return {
    ...forwarded(runContract, (...asked) => session.call(...asked)),
    "page.open": async () => {
      const state = await session.open();
      host.onOpened.tell();
      return state;
    },
    "page.diagnose": async (asked, { signal }) => {
      const begun = performance.now();
      let answer = await diagnosePage(session, thresholds, asked, signal);
      // A recorder that closes takes its parts away: what could not be read may lie in another file now.
      if (answer.diagnosis.unreadCount > 0 && (await host.recheck()))
        answer = await diagnosePage(session, thresholds, asked, signal);
      if (session.dir !== null) services.doctor.took(session.dir, performance.now() - begun);
      if (session.dir !== null && !asked.values) services.doctor.learned(session.dir, answer.diagnosis);
      return answer;
    },
    "doctor.write": async ({ signature, values }) => ({
      written: session.dir !== null && (await writeThresholds(services, session.dir, signature, values)),
    }),
    "page.retry": () => session.retry(),
    "page.openLoose": () => session.openLoose(),
    "page.action": async (action) => {
      await host.act(action);
      return {};
    },
    "prefs.get": () => ({ prefs: services.prefs.get() }),
    "prefs.set": async ({ prefs }) => {
      await services.prefs.set(prefs);
      return {};
    },
    "page.save": async (file) => ({ saved: await saveBytes(session.dir, file) }),
    "page.saveRows": async (rows, { signal }) => ({ saved: await saveRows(session, rows, signal) }),
    "page.copyText": async ({ text }) => {
      await copyShown(panel, text);
      return {};
    },
    "page.pinned": ({ step }) => {
      if (session.dir !== null) services.pins.set(session.dir, step);
      return {};
    },
    "page.report": ({ message }) => {
      services.log.error(`page: ${message.slice(0, MAX_REPORT)}`);
      return {};
    },
  };
}

async function diagnosePage(
  session: RunSession,
  thresholds: Thresholds<DoctorConfigText>,
  { values, known }: Params<PageContract, "page.diagnose">,
  signal: AbortSignal,
): Promise<PageDiagnosis> {
  const state = await session.open();
  if (state.state !== "run") throw new ProblemError(state.problem);
  if (session.dir === null) throw new ProblemError(ABORTED);
  const { file, text, extra } = await thresholds.of(session.dir, !values && !known);
  const asked = { config: text, extra, known, ...(values ? { values } : {}) };
  const diagnosis = await session.call("run.diagnose", asked, signal);
  return { diagnosis, config: file === null ? "" : vscode.workspace.asRelativePath(file) };
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
