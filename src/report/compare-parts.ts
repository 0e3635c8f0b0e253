/** What is configured differently, and the same prompts with the best completions of each side. */
import type { CompareConfigSection, ConfigCell, PromptGaps } from "../protocol/compare.ts";
import { section, table } from "./document.ts";
import { count, figure, plural } from "./figures.ts";
import type { CompareReport } from "./gather-compare.ts";
import { type Child, el, type Markup, passage, recorded } from "./markup.ts";
import { short } from "./run-page.ts";

const MAX_COMPLETION = 500;
const MAX_CONFIG = 200;

export function configuration({ config, overview }: CompareReport): Child {
  const differing = config.filter(({ rows }) => rows.some(({ differs }) => differs));
  if (differing.length === 0)
    return section("Configuration", el("p", {}, "Nothing is configured differently."));
  return section(
    "Configured differently",
    differing.map((part) =>
      configPart(
        part,
        overview.runs.map(({ label }) => label),
      ),
    ),
  );
}

function configPart({ title, rows, dropped }: CompareConfigSection, names: readonly string[]): Child {
  const all = rows.filter(({ differs }) => differs);
  const shown = all.slice(0, MAX_CONFIG);
  const left = all.length - shown.length + dropped;
  return [
    el("h4", {}, title),
    table(
      [{ title: "key" }, ...names.map((name) => ({ title: short(name, 60) }))],
      shown.map(({ path, cells }) => [recorded(short(path, 200)), ...cells.map(cellOf)]),
    ),
    left > 0 ? el("p", { class: "cut" }, `${plural(left, "more value")} left out.`) : null,
  ];
}

function cellOf({ present, value, type }: ConfigCell): Child {
  if (!present) return el("span", { class: "muted" }, "–");
  return value === ""
    ? el("span", { class: "muted" }, type === "string" ? "empty text" : type)
    : recorded(short(value, 400));
}

export function prompts(report: CompareReport): Child {
  return report.prompts.filter(({ prompts: all }) => all.length > 0).map((gaps) => promptTable(gaps, report));
}

function promptTable({ prompts: all, total, by, other }: PromptGaps, report: CompareReport): Markup {
  const { runs } = report.overview;
  const name = runs.length > 2 ? [" (", recorded(runs[other]?.label ?? ""), ")"] : [];
  const of =
    total > all.length ? `The ${all.length} widest gaps of ${count(total)} prompts` : plural(total, "prompt");
  return section(
    "Same prompt, other reward",
    el(
      "p",
      { class: "muted" },
      `${of}, matched by ${by === "id" ? "prompt_id" : "text"}; mean rewards`,
      name,
      ", with the best completion of each side.",
    ),
    all.map(({ text, rewardA, rewardB, gap, nA, nB, bestA, bestB }) =>
      el(
        "div",
        { class: "sample" },
        el(
          "div",
          { class: "facts-line" },
          `A ${figure(rewardA)} (${plural(nA, "sample")}) · B ${figure(rewardB)} (${plural(nB, "sample")}) · gap B − A ${figure(gap)}`,
        ),
        passage(text, 300),
        el("div", { class: "two" }, best("A", bestA), best("B", bestB)),
      ),
    ),
  );
}

function best(
  side: string,
  { step, id, reward, completion, completionLength }: PromptGaps["prompts"][number]["bestA"],
): Markup {
  return el(
    "div",
    {},
    el("h5", {}, `Best of ${side}: reward ${figure(reward)}, step ${step}, `, recorded(short(id, 80))),
    completion === ""
      ? el("p", { class: "muted" }, "Nothing was written.")
      : passage(completion, MAX_COMPLETION, completionLength),
  );
}
