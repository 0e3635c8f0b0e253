/** A page for each code of a warning or a refusal: what it means, what causes it, what is done about it, what to do. */
import type { RefusalCode, WarningCode } from "../core/format/problems.ts";
import { FILE_PAGES } from "./codes/files.ts";
import { MANIFEST_PAGES, TEXT_PAGES } from "./codes/manifest.ts";
import type { CodePage } from "./codes/page.ts";
import { PARQUET_PAGES } from "./codes/parquet.ts";
import { REFUSAL_PAGES } from "./codes/refusals.ts";
import { EVENT_PAGES, RANK_PAGES, RECORD_PAGES, RUN_PAGES } from "./codes/run.ts";
import { REFUSAL_WORDS, WARNING_WORDS, type Words } from "./words.ts";

export type Code = WarningCode | RefusalCode;

/** A code without a page does not compile. */
const PAGES: Readonly<Record<Code, CodePage>> = {
  ...MANIFEST_PAGES,
  ...TEXT_PAGES,
  ...FILE_PAGES,
  ...PARQUET_PAGES,
  ...RUN_PAGES,
  ...EVENT_PAGES,
  ...RANK_PAGES,
  ...RECORD_PAGES,
  ...REFUSAL_PAGES,
};

/** In the order of the recording's files. */
export const SECTIONS: readonly { readonly title: string; readonly codes: readonly Code[] }[] = [
  { title: "The manifest", codes: codesOf(MANIFEST_PAGES) },
  { title: "Text of any kind", codes: codesOf(TEXT_PAGES) },
  { title: "Files", codes: codesOf(FILE_PAGES) },
  { title: "Parquet files: steps and samples", codes: codesOf(PARQUET_PAGES) },
  { title: "The run as a whole", codes: codesOf(RUN_PAGES) },
  { title: "Events", codes: codesOf(EVENT_PAGES) },
  { title: "Ranks", codes: codesOf(RANK_PAGES) },
  { title: "Run records", codes: codesOf(RECORD_PAGES) },
  { title: "Why a run is not opened", codes: codesOf(REFUSAL_PAGES) },
];

export function isCode(code: string): code is Code {
  return Object.hasOwn(PAGES, code);
}

/** The page as Markdown. Nothing of any recording is in it. */
export function codePage(code: Code): string {
  const { means, causes, does, more, example } = PAGES[code];
  const [first, second] = wordsOf(code);
  const remedies = [...new Set([first.remedy, second?.remedy ?? "", ...more])].filter((text) => text !== "");
  return [
    `# ${code}`,
    `**${first.message}.**`,
    ...(second && second.message !== first.message ? [`For the run as a whole: **${second.message}.**`] : []),
    "## What it means",
    means,
    "## What causes it",
    bullets(causes),
    "## What Flight Deck does",
    does,
    "## What to do",
    remedies.length === 0 ? "Nothing." : remedies.length === 1 ? (remedies[0] ?? "") : bullets(remedies),
    ...(example === undefined ? [] : ["## Example", `\`\`\`text\n${example}\n\`\`\``]),
  ].join("\n\n");
}

/** All pages by section, as a Markdown page with links to `<code>.md` beside it. */
export function codeIndex(): string {
  const sections = SECTIONS.map(({ title, codes }) => {
    const rows = codes.map((code) => `- [${code}](${code}.md): ${wordsOf(code)[0].message}.`);
    return `## ${title}\n\n${rows.join("\n")}`;
  });
  return `# Warnings\n\n${INTRODUCTION}\n\n${sections.join("\n\n")}`;
}

const INTRODUCTION =
  "What could be read of a recording is shown, and what could not is named. Each name has a page: what it means, what causes it, what Flight Deck does and what to do.";

/** As a warning; and as a refusal, where it is one too. */
function wordsOf(code: Code): readonly [Words, Words?] {
  const warning = Object.hasOwn(WARNING_WORDS, code) ? [WARNING_WORDS[code as WarningCode]] : [];
  const refusal = Object.hasOwn(REFUSAL_WORDS, code) ? [REFUSAL_WORDS[code as RefusalCode]] : [];
  return [...warning, ...refusal] as unknown as readonly [Words, Words?];
}

function codesOf<C extends Code>(pages: Readonly<Record<C, CodePage>>): readonly C[] {
  return Object.keys(pages) as C[];
}

const bullets = (texts: readonly string[]): string => texts.map((text) => `- ${text}`).join("\n");
