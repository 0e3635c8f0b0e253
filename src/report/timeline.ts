/** The whole run at a glance: one curve, its events below it, and a numbered flag where each finding begins. */
import { chart, frameOf, type Onset } from "./chart.ts";
import { count } from "./figures.ts";
import type { RunReport } from "./gather.ts";
import { type Child, el } from "./markup.ts";
import { type Plot, toX } from "./plot.ts";

const FLAG_SPACE = 16;
const MAX_SHIFT = 64;

export function timeline({ timeline: view, diagnosis }: RunReport): Child {
  const { series, domain, title, marks, yRange } = view;
  if (!series || !domain) return null;
  const plot = frameOf(true, domain, [0, 1]);
  const onsets: Onset[] = diagnosis.findings.flatMap(({ firstStep, severity }) =>
    firstStep === null ? [] : [{ x: firstStep, severity }],
  );
  const events = marks.reduce((sum, mark) => sum + mark.count, 0);
  return [
    el("h4", {}, "The run at a glance"),
    chart({
      title,
      unit: "",
      lines: [{ label: title, style: 0, series }],
      xDomain: domain,
      y: yRange,
      outside: 0,
      isWide: true,
      onsets,
      notes: [events === 0 ? null : el("span", { class: "badge" }, `${count(events)} events below`)],
      extra: [flags(plot, diagnosis.findings), ticks(plot, marks)],
    }),
  ];
}

function flags(plot: Plot, findings: RunReport["diagnosis"]["findings"]): Child {
  let last = Number.NEGATIVE_INFINITY;
  const placed = findings
    .map(({ firstStep, severity, title }, i) => ({ firstStep, severity, title, number: i + 1 }))
    .flatMap(({ firstStep, ...flag }) => (firstStep === null ? [] : [{ ...flag, x: toX(plot, firstStep) }]))
    .sort((a, b) => a.x - b.x);
  return placed.flatMap(({ x, number, severity, title }) => {
    // Flags that would cover each other stand side by side, as long as there is room.
    const at = Math.max(x, last + FLAG_SPACE);
    if (at > plot.left + plot.width || at - x > MAX_SHIFT) return [];
    last = at;
    const y = plot.top - 5;
    return el(
      "g",
      {},
      el("title", {}, `${number}. ${title}`),
      el("circle", { class: `flag ${severity}`, cx: at, cy: y, r: 7 }),
      el("text", { class: "flag-label", x: at, y: y + 3.5 }, String(number)),
    );
  });
}

function ticks(plot: Plot, marks: RunReport["timeline"]["marks"]): Child {
  const floor = plot.top + plot.height;
  const tones = new Map<string, string>();
  for (const { step, tone } of marks)
    tones.set(tone, `${tones.get(tone) ?? ""}M${toX(plot, step)} ${floor - 6}v6`);
  return [...tones].map(([tone, d]) => el("path", { class: `ev ${tone}`, d }));
}
