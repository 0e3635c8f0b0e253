/** A still picture of why a signature fired: the curves it cites, its threshold, the windows it compares, the onset. Reads well on light and dark pages. */

/**
 * @typedef {{ from: number, to: number }} Rows rows from (included) to (excluded)
 * @typedef {{ metric: string, values: ArrayLike<number>, threshold?: number, early?: Rows, late?: Rows }} Panel
 */

const WIDTH = 640;
const HEIGHT = 130;
const LEFT = 56;
const RIGHT = 12;
const TOP = 22;
const BOTTOM = 8;
const FOOT = 26;
/** Middle tones, which stand out from white and from black. */
const LINE = "#3b82c4";
const LIMIT = "#c2573b";
const ONSET = "#b7791f";
const EARLY = "#4f9d69";
const LATE = "#8a63b8";
const TEXT = "#7a7f87";

/**
 * @param {{ title: string, steps: ArrayLike<number>, onset: number, panels: readonly Panel[] }} picture `onset` is a row, -1 for none
 * @returns {string} an SVG document
 */
export function signatureChart({ title, steps, onset, panels }) {
  const height = panels.length * HEIGHT + FOOT;
  const x = (row) => LEFT + (row / Math.max(1, steps.length - 1)) * (WIDTH - LEFT - RIGHT);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="11">`,
    ...panels.map((panel, i) => drawPanel(panel, i * HEIGHT, x)),
    ...(onset < 0 ? [] : [drawOnset(x(onset), steps[onset], panels.length * HEIGHT)]),
    drawAxis(steps, x, panels.length * HEIGHT),
    "</svg>",
  ].join("\n")}\n`;
}

function drawPanel({ metric, values, threshold, early, late }, top, x) {
  const finite = Array.from(values).filter((v) => Number.isFinite(v));
  const all = threshold === undefined ? finite : [...finite, threshold];
  const low = Math.min(...all);
  const high = Math.max(...all);
  const span = high - low || 1;
  const bottom = top + HEIGHT - BOTTOM;
  const y = (v) => bottom - ((v - low) / span) * (HEIGHT - TOP - BOTTOM);
  return [
    ...(early ? [drawWindow(early, EARLY, top, x)] : []),
    ...(late ? [drawWindow(late, LATE, top, x)] : []),
    ...drawLegend(early, late, top),
    `<text x="${LEFT}" y="${top + 14}" fill="${TEXT}" font-weight="600">${escaped(metric)}</text>`,
    label(LEFT - 6, y(high) + 4, figure(high)),
    label(LEFT - 6, y(low) + 2, figure(low)),
    `<path d="${pathOf(values, x, y)}" fill="none" stroke="${LINE}" stroke-width="1.4" stroke-linejoin="round"/>`,
    ...(threshold === undefined ? [] : [drawThreshold(threshold, y(threshold))]),
  ].join("\n");
}

function drawWindow({ from, to }, color, top, x) {
  const left = x(from);
  const width = x(to - 1) - left;
  return `<rect x="${px(left)}" y="${top + TOP - 2}" width="${px(width)}" height="${HEIGHT - TOP - BOTTOM + 4}" fill="${color}" opacity="0.15"/>`;
}

/** In the title's row, where no curve is. */
function drawLegend(early, late, top) {
  const names = [...(early ? [["early", EARLY]] : []), ...(late ? [["late", LATE]] : [])];
  const spans = names.map(([name, color]) => `<tspan dx="8" fill="${color}">${name} window</tspan>`);
  if (spans.length === 0) return [];
  return [`<text x="${WIDTH - RIGHT}" y="${top + 14}" text-anchor="end">${spans.join("")}</text>`];
}

function drawThreshold(value, y) {
  return `<line x1="${LEFT}" y1="${px(y)}" x2="${WIDTH - RIGHT}" y2="${px(y)}" stroke="${LIMIT}" stroke-dasharray="5 3"/><text x="${WIDTH - RIGHT}" y="${px(y - 3)}" text-anchor="end" fill="${LIMIT}">${figure(value)}</text>`;
}

/** Its label stands between the first and the last step, below the curves. */
function drawOnset(x, step, height) {
  const at = Math.min(WIDTH - RIGHT - 70, Math.max(LEFT + 75, x));
  return `<line x1="${px(x)}" y1="${TOP - 2}" x2="${px(x)}" y2="${height}" stroke="${ONSET}" stroke-width="1.4"/><text x="${px(at)}" y="${height + 15}" text-anchor="middle" fill="${ONSET}">onset ${step}</text>`;
}

function drawAxis(steps, x, top) {
  const last = steps.length - 1;
  return `<line x1="${LEFT}" y1="${top}" x2="${WIDTH - RIGHT}" y2="${top}" stroke="${TEXT}" opacity="0.5"/><text x="${px(x(0))}" y="${top + 15}" fill="${TEXT}">step ${steps[0]}</text><text x="${px(x(last))}" y="${top + 15}" text-anchor="end" fill="${TEXT}">${steps[last]}</text>`;
}

/** Gaps are gaps; a point between two gaps is a short stroke. */
function pathOf(values, x, y) {
  let path = "";
  let down = false;
  for (let row = 0; row < values.length; row++) {
    const v = values[row];
    if (!Number.isFinite(v)) {
      down = false;
      continue;
    }
    path += `${down ? "L" : "M"}${px(x(row))} ${px(y(v))}`;
    if (!down && !Number.isFinite(values[row + 1])) path += "h1";
    down = true;
  }
  return path;
}

const label = (x, y, text) => `<text x="${x}" y="${px(y)}" text-anchor="end" fill="${TEXT}">${text}</text>`;
const px = (n) => String(Math.round(n * 10) / 10);
const figure = (v) => String(Number(v.toPrecision(3)));
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (c) => ENTITIES[c]);
