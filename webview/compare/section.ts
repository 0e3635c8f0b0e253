/** What the tables of the compare editor share: they ask when they come near the visible part, and again when runs change. */
import type { TemplateResult } from "lit";
import { problemBox } from "../panels/problem.ts";
import { FdElement } from "../ui/element.ts";
import { Asked } from "./asked.ts";
import type { CompareSession } from "./session.ts";

/** A table this far from the visible part is already asked for. */
const AHEAD = "300px 0px";

export abstract class CompareSection<A> extends FdElement {
  declare session: CompareSession;
  protected readonly asked = new Asked<A>(() => this.requestUpdate());
  #isNear = false;
  #stops: (() => void)[] = [];
  readonly #sight = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      this.#isNear = true;
      this.request();
    },
    { rootMargin: AHEAD, scrollMargin: AHEAD } as IntersectionObserverInit,
  );

  /** Names the question: the same one is not asked twice. */
  protected abstract key(): string;
  protected abstract fetch(signal: AbortSignal): Promise<A>;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sight.observe(this);
    const again = (): void => {
      this.request();
      this.requestUpdate();
    };
    this.#stops = [
      this.session.subscribe(again),
      this.session.store.subscribe((_, change) => {
        if (!("scroll" in change)) again();
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sight.disconnect();
    this.asked.stop();
    for (const stop of this.#stops) stop();
  }

  protected request(): void {
    if (!this.#isNear || this.session.runs.length < 2) return;
    this.asked.ask(
      this.key(),
      (signal) => this.fetch(signal),
      () => this.#begin(),
    );
  }

  /** The page is ready when what it asked for is on it. */
  #begin(): () => void {
    const done = this.session.ready.begin();
    return () => void this.updateComplete.then(done);
  }

  protected trouble(): TemplateResult | null {
    const { problem } = this.asked;
    if (!problem) return null;
    return problemBox(problem, () => {
      this.asked.forget();
      this.request();
    });
  }
}
