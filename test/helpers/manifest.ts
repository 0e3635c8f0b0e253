/** package.json as VS Code shows it in English: with the words of package.nls.json for its keys. */
import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), "utf8"));

/** @param language "de"; English without */
export const words = (language = ""): Readonly<Record<string, string>> =>
  read(`package.nls.${language === "" ? "" : `${language}.`}json`) as Record<string, string>;

/** Every key that package.json asks for. */
export const askedKeys = (): string[] =>
  [...JSON.stringify(read("package.json")).matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key ?? "");

export function manifest(): unknown {
  const english = words();
  return JSON.parse(JSON.stringify(read("package.json")), (_, value: unknown) => {
    const key = typeof value === "string" ? /^%([\w.-]+)%$/.exec(value)?.[1] : undefined;
    return key === undefined ? value : english[key];
  });
}
