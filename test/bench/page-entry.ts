/** The product's page with its own code, over HTTP instead of VS Code's messages; measures itself. Runs in Chromium. */
import * as z from "zod/mini";
import type { Transport } from "../../src/protocol/rpc.ts";
import { mount } from "../../webview/app.ts";
import { connect } from "../../webview/client.ts";
import { applyTheme } from "../../webview/dev/themes.ts";
import type { Session } from "../../webview/session.ts";
import { decode, encode, Frames, frameOf } from "./page-codec.ts";

z.config({ jitless: true });

/** Milliseconds since the page's document arrived; NaN before it has happened. */
export interface Painted {
  header: number;
  first: number;
  all: number;
  /** The verdict, or what was found. */
  findings: number;
}

export interface PageBench {
  readonly painted: Painted;
  /** Zooms the page to a share of the run and waits until it is painted. @returns milliseconds */
  zoom(from: number, to: number): Promise<number>;
  /** Tries a threshold and waits until its answer is painted. @returns milliseconds */
  slide(signature: string, name: string, value: number): Promise<number>;
  /** The same questions, drawn on bare canvases of the same size. */
  bare(from: number, to: number): Promise<number>;
}

declare global {
  interface Window {
    bench?: PageBench;
  }
}

/** One stream of answers for as long as the page lives; what is asked in one turn goes in one request. */
function line(): Transport {
  const listeners = new Set<(message: unknown) => void>();
  let asked: Uint8Array<ArrayBuffer>[] = [];
  const flush = (): void => {
    const body = new Blob(asked);
    asked = [];
    void fetch("/up", { method: "POST", body });
  };
  void listenTo((message) => {
    for (const listener of listeners) listener(message);
  });
  return {
    channel: "json",
    post(message) {
      if (asked.length === 0) queueMicrotask(flush);
      asked.push(frameOf(encode(message)));
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function listenTo(take: (message: unknown) => void): Promise<void> {
  const reader = (await fetch("/down")).body?.getReader();
  const frames = new Frames();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    for (const body of frames.take(part.value)) take(decode(body));
}

/** After what was changed until now is on the screen, as far as a page can tell. */
const frame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
  });
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const drawn = (): number =>
  document.querySelectorAll('fd-chart .canvas path[stroke-width="1"], fd-chart canvas.heat').length;

const VERDICT = ["no-findings", "no-verdict", "finding"].map((id) => `[data-testid="${id}"]`).join();

/** When the page's document arrived: what comes before is the browser's own start. */
function arrived(): number {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0;
}

async function watch(painted: Painted, charts: number): Promise<void> {
  const begun = arrived();
  while (Number.isNaN(painted.all) || Number.isNaN(painted.findings)) {
    await frame();
    const now = performance.now() - begun;
    const count = drawn();
    if (Number.isNaN(painted.header) && document.querySelector('[data-testid="run-header"]'))
      painted.header = now;
    if (Number.isNaN(painted.first) && count > 0) painted.first = now;
    if (Number.isNaN(painted.all) && count >= charts) painted.all = now;
    if (Number.isNaN(painted.findings) && document.querySelector(VERDICT)) painted.findings = now;
  }
}

const part = (session: Session, from: number, to: number): [number, number] => {
  const [first, last] = session.fullSteps() ?? [0, 1];
  return [Math.round(first + from * (last - first)), Math.round(first + to * (last - first))];
};

async function zoom(session: Session, from: number, to: number): Promise<number> {
  const begun = performance.now();
  session.zoom(part(session, from, to));
  while (session.ready.busy) await turn();
  await frame();
  return performance.now() - begun;
}

async function slide(session: Session, signature: string, name: string, value: number): Promise<number> {
  const { findings } = session;
  const before = findings.diagnosis;
  const begun = performance.now();
  findings.try(signature, name, value);
  while (findings.diagnosis === before) await turn();
  await frame();
  return performance.now() - begun;
}

/** Canvases over the page, where its plots are. */
function canvases(): HTMLCanvasElement[] {
  const known = [...document.querySelectorAll<HTMLCanvasElement>("canvas.bare")];
  if (known.length > 0) return known;
  return [...document.querySelectorAll<HTMLElement>("fd-chart .plot")].map((plot) => {
    const { left, top, width, height } = plot.getBoundingClientRect();
    const canvas = document.createElement("canvas");
    canvas.className = "bare";
    canvas.width = Math.round(width);
    canvas.height = Math.round(height);
    Object.assign(canvas.style, { position: "fixed", left: `${left}px`, top: `${top}px`, zIndex: "99" });
    document.body.append(canvas);
    return canvas;
  });
}

async function bare(session: Session, from: number, to: number): Promise<number> {
  const all = canvases();
  const metrics = [...document.querySelectorAll<HTMLElement>("fd-chart")].map(
    (one) => one.dataset["metric"] ?? "",
  );
  for (const canvas of all) canvas.hidden = false;
  await frame();
  const begun = performance.now();
  const steps = part(session, from, to);
  await Promise.all(all.map((canvas, i) => drawBare(session, canvas, metrics[i] ?? "", steps)));
  await frame();
  const took = performance.now() - begun;
  for (const canvas of all) canvas.hidden = true;
  await frame();
  return took;
}

async function drawBare(
  session: Session,
  canvas: HTMLCanvasElement,
  metric: string,
  steps: [number, number],
): Promise<void> {
  const { width, height } = canvas;
  const params = { id: metric, metrics: [metric], x: "step" as const, range: null, steps, width };
  const { series, yRobust, xDomain } = await session.client.call("chart.series", params);
  const context = canvas.getContext("2d");
  const [line] = series;
  if (!context || !line || !yRobust) return;
  const sx = width / (xDomain[1] - xDomain[0]);
  const sy = height / (yRobust[1] - yRobust[0]);
  context.fillStyle = "#1f1f1f";
  context.fillRect(0, 0, width, height);
  context.strokeStyle = "#3794ff";
  context.lineWidth = 1;
  context.beginPath();
  for (let i = 0; i < line.x.length; i++) {
    context.lineTo(((line.x[i] ?? 0) - xDomain[0]) * sx, height - ((line.y[i] ?? 0) - yRobust[0]) * sy);
  }
  context.stroke();
}

const charts = Number(new URLSearchParams(location.search).get("charts"));
const painted: Painted = {
  ...{ header: Number.NaN, first: Number.NaN, all: Number.NaN, findings: Number.NaN },
};
applyTheme("dark");
const root = document.getElementById("root");
if (root) {
  const session = mount(root, connect(line()), { getState: () => null, setState: () => {} });
  window.bench = {
    painted,
    zoom: (from, to) => zoom(session, from, to),
    slide: (signature, name, value) => slide(session, signature, name, value),
    bare: (from, to) => bare(session, from, to),
  };
  void watch(painted, charts);
}
