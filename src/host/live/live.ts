/** Watching runs in VS Code: commands, one notification for what is critical, the status bar, the webhook. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { foremost, statusAloud, statusText, statusTooltip } from "../../view/live-status.ts";
import { endedText, newsText } from "../../view/live-words.ts";
import { itemText } from "../../view/native.ts";
import { openFolder } from "../commands/openRun.ts";
import { runTargets } from "../commands/targets.ts";
import { tell, warn } from "../say.ts";
import type { Services } from "../services.ts";
import type { Ended, News } from "./guardian.ts";
import { type Secrets, Webhook } from "./webhook.ts";

const SECTION = "flightDeck.live";
/** Characters of a name and of a folder in a list. */
const MAX_NAME = 120;
const MAX_PLACE = 300;

export class Live implements vscode.Disposable {
  readonly #services: Services;
  readonly #webhook: Webhook;
  readonly #listening: (() => void)[];
  #status: vscode.StatusBarItem | null = null;

  constructor(services: Services, secrets: Secrets) {
    this.#services = services;
    const { doctor, guardian } = services;
    this.#webhook = new Webhook(secrets, (text) => services.log.warn(text));
    this.#listening = [
      doctor.onRunChanged((dir) => guardian.runChanged(dir)),
      doctor.onChanged((concerns) => guardian.rethink(concerns)),
      guardian.onChanged(() => this.#showStatus()),
      guardian.onNews((news) => this.#announce(news)),
      guardian.onEnded((ended) => void this.#sayEnd(ended)),
    ];
  }

  dispose(): void {
    for (const stop of this.#listening) stop();
    this.#status?.dispose();
  }

  async watchRun(target: unknown, selection: unknown): Promise<void> {
    for (const { fsPath } of await runTargets(this.#services, vscode.l10n.t("Watch Run"), target, selection))
      this.#services.guardian.watch(fsPath);
  }

  /** What was clicked; else the only one that is watched, or those that are chosen. */
  async stopWatching(target: unknown, selection: unknown): Promise<void> {
    if (target !== undefined) {
      for (const { fsPath } of await runTargets(
        this.#services,
        vscode.l10n.t("Stop Watching"),
        target,
        selection,
      ))
        this.#services.guardian.stop(fsPath);
      return;
    }
    const watched = this.#services.guardian.watched();
    if (watched.length === 0) {
      void tell(vscode.l10n.t("No run is watched."));
      return;
    }
    const items = watched.map(({ dir, label }) => ({
      label: itemText(label, MAX_NAME),
      description: itemText(nodePath.dirname(dir), MAX_PLACE),
      dir,
    }));
    const options = {
      title: vscode.l10n.t("Stop Watching"),
      placeHolder: vscode.l10n.t("Runs that are watched"),
      canPickMany: true,
    } as const;
    const chosen = items.length === 1 ? items : await vscode.window.showQuickPick(items, options);
    for (const { dir } of chosen ?? []) this.#services.guardian.stop(dir);
  }

  async setWebhook(): Promise<void> {
    const address = await vscode.window.showInputBox({
      title: vscode.l10n.t("Set Webhook"),
      prompt: vscode.l10n.t(
        "Address of a Slack-compatible webhook for new findings; empty removes it. It is kept in the secret storage.",
      ),
      placeHolder: "https://hooks.slack.com/services/…",
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) =>
        text === "" || /^https?:\/\/[^/\s]/i.test(text)
          ? null
          : vscode.l10n.t("An address begins with https:// or http://"),
    });
    if (address === undefined) return;
    if (!(await this.#webhook.set(address.trim()))) {
      void warn(vscode.l10n.t("That is no http or https address; nothing was changed."));
      return;
    }
    const live = vscode.workspace.getConfiguration(SECTION);
    if (address === "" || live.get("webhook", false)) return;
    const on = vscode.l10n.t("Turn On");
    const words = vscode.l10n.t(
      "The webhook is kept. New findings are sent to it once flightDeck.live.webhook is on.",
    );
    if ((await tell(words, on)) === on) await live.update("webhook", true, vscode.ConfigurationTarget.Global);
  }

  #showStatus(): void {
    const watched = this.#services.guardian.watched();
    const front = foremost(watched);
    if (!front) {
      this.#status?.hide();
      return;
    }
    this.#status ??= makeStatus();
    this.#status.text = statusText(watched);
    this.#status.tooltip = statusTooltip(watched);
    this.#status.accessibilityInformation = { label: statusAloud(watched) };
    const uri = vscode.Uri.file(front.dir);
    this.#status.command = {
      command: "flightDeck.openRun",
      title: vscode.l10n.t("Open Run"),
      arguments: [uri],
    };
    this.#status.show();
  }

  #announce(news: News): void {
    const { dir, findings } = news;
    for (const { signature, severity } of findings)
      this.#services.log.info(`new finding in ${dir}: ${signature} (${severity})`);
    if (vscode.workspace.getConfiguration(SECTION).get("webhook", false)) void this.#tellWebhook(news);
    if (findings.some(({ severity }) => severity === "critical")) void this.#notify(news);
  }

  /** What goes out is in English, whatever the language here: others read it. */
  async #tellWebhook({ dir, label, findings }: News): Promise<void> {
    const said = await this.#services.doctor.inEnglish(dir, findings);
    await this.#webhook.send(label, said);
  }

  async #notify({ dir, label, findings }: News): Promise<void> {
    const critical = findings.filter(({ severity }) => severity === "critical");
    const [open, mute] = [vscode.l10n.t("Open"), vscode.l10n.t("Mute This Run")];
    const chosen = await warn(newsText(label, critical), open, mute);
    if (chosen === mute) this.#services.guardian.mute(dir);
    if (chosen !== open || !critical[0]) return;
    this.#services.guardian.seen(dir);
    this.#services.focus.ask(dir, critical[0].id);
    await openFolder(vscode.Uri.file(dir));
  }

  async #sayEnd({ dir, label, summary }: Ended): Promise<void> {
    const open = vscode.l10n.t("Open");
    if ((await tell(endedText(label, summary), open)) === open) await openFolder(vscode.Uri.file(dir));
  }
}

function makeStatus(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem("flightDeck.live", vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t("Flight Deck: Watched Runs");
  return item;
}
