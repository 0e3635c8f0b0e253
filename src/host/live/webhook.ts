/** Sends news to a webhook. Its address is a secret: it is in no setting, no log and no message. */
import type { FindingView } from "../../protocol/diagnosis.ts";
import { alertText } from "../../view/alerts.ts";
import { parseWebhook, postText } from "../../view/webhook.ts";

/** The part of VS Code's SecretStorage that is used. */
export interface Secrets {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

const KEY = "flightDeck.live.webhook";
/** A diagnosis can bring this many news at once; nobody reads more. */
const MAX_AT_ONCE = 10;

export class Webhook {
  readonly #secrets: Secrets;
  readonly #log: (text: string) => void;
  /** One message after another, in their order. */
  #turn: Promise<void> = Promise.resolve();

  constructor(secrets: Secrets, log: (text: string) => void) {
    this.#secrets = secrets;
    this.#log = log;
  }

  /** @param address "" for none @returns whether it was taken: it is http(s), or none */
  async set(address: string): Promise<boolean> {
    if (address === "") {
      await this.#secrets.delete(KEY);
      return true;
    }
    const url = parseWebhook(address);
    if (url) await this.#secrets.store(KEY, url.href);
    return url !== null;
  }

  /** Settles when everything was sent, or could not be. Never rejects. */
  send(run: string, findings: readonly FindingView[]): Promise<void> {
    this.#turn = this.#turn.then(() => this.#send(run, findings));
    return this.#turn;
  }

  async #send(run: string, findings: readonly FindingView[]): Promise<void> {
    try {
      const address = await this.#secrets.get(KEY);
      const url = address === undefined ? null : parseWebhook(address);
      if (!url) {
        this.#log("the webhook was not told: it has no address; it is set with “Flight Deck: Set Webhook…”");
        return;
      }
      for (const finding of findings.slice(0, MAX_AT_ONCE)) {
        const failed = await postText(url, alertText(alertOf(run, finding)));
        if (failed !== null) this.#log(`the webhook was not told: ${failed}`);
      }
    } catch (error) {
      // Secret storage can be closed to us.
      this.#log(
        `the webhook was not told: ${error instanceof Error ? error.name : "its address cannot be read"}`,
      );
    }
  }
}

const alertOf = (run: string, { signature, severity, firstStepText, words, what }: FindingView) => ({
  ...{ run, signature, severity },
  firstStep: firstStepText,
  words: `${words} ${what}`,
});
