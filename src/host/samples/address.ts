/** Addresses of documents about samples. All that a document shows follows from its address, so that it survives a reload. */
import nodePath from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { SampleDetail } from "../../protocol/samples.ts";
import { fileNamePart, sampleName } from "../../view/sample-words.ts";
import { SCHEME } from "../documents.ts";

export const LANGUAGE = "flight-deck-sample";
export const EXTENSION = ".fdsample";
/** Ids that are longer are left out of addresses: file and row name the sample. */
const MAX_ID = 500;
const MAX_QUERY = 2000;

const Dir = z.string().check(
  z.maxLength(4096),
  z.refine((dir) => nodePath.isAbsolute(dir) && !dir.includes("\0")),
);

/** What names a sample for good: rank, step and id; file and row where that is not unique. */
export const SampleRef = z.object({
  rank: z.int(),
  step: z.string().check(z.maxLength(40)),
  id: z.nullable(z.string().check(z.maxLength(MAX_ID))),
  file: z.string().check(z.maxLength(1000)),
  row: z.int().check(z.gte(0)),
});
export type SampleRef = z.infer<typeof SampleRef>;

export const Address = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sample"), dir: Dir, sample: SampleRef }),
  /** The group, and the prompt over time, of a sample. */
  z.object({ kind: z.literal("group"), dir: Dir, sample: SampleRef }),
  z.object({ kind: z.literal("prompt"), dir: Dir, sample: SampleRef }),
  z.object({ kind: z.literal("query"), dir: Dir, query: z.string().check(z.maxLength(MAX_QUERY)) }),
]);
export type Address = z.infer<typeof Address>;

const FOLDERS = { sample: "samples", group: "groups", prompt: "prompts", query: "queries" } as const;

export function refOf({ rank, step, id, file, fileRow }: SampleDetail): SampleRef {
  return { rank, step, id: id.length > MAX_ID ? null : id, file, row: fileRow };
}

export function sampleUri(dir: string, sample: SampleDetail): vscode.Uri {
  return uriOf({ kind: "sample", dir, sample: refOf(sample) }, sampleName(sample));
}

export function groupUri(dir: string, sample: SampleDetail): vscode.Uri {
  const name = `step ${fileNamePart(sample.step)} group ${fileNamePart(sample.group)}`;
  return uriOf({ kind: "group", dir, sample: refOf(sample) }, name);
}

export function promptUri(dir: string, sample: SampleDetail): vscode.Uri {
  const name = fileNamePart(sample.promptId) || fileNamePart(sample.prompt);
  return uriOf({ kind: "prompt", dir, sample: refOf(sample) }, `prompt ${name}`);
}

export function queryUri(dir: string, query: string): vscode.Uri {
  return uriOf({ kind: "query", dir, query }, fileNamePart(query) || "all samples");
}

/** JSON writes halves of characters as escapes, so that any id has an address. */
function uriOf(address: Address, name: string): vscode.Uri {
  const run = fileNamePart(nodePath.basename(address.dir)) || "run";
  return vscode.Uri.from({
    scheme: SCHEME,
    path: `/${FOLDERS[address.kind]}/${run}/${name.trim()}${EXTENSION}`,
    query: encodeURIComponent(JSON.stringify(address)),
  });
}

/** @returns `null` for an address that is not one of these */
export function addressOf(uri: vscode.Uri): Address | null {
  if (uri.scheme !== SCHEME || !uri.path.endsWith(EXTENSION)) return null;
  try {
    const parsed = z.safeParse(Address, JSON.parse(decodeURIComponent(uri.query)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
