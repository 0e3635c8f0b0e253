/** The recorder's types as one file, from its sources: what it shows of itself needs nothing but itself. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { root } from "./paths.mjs";

const sources = ["types", "record-types", "records", "index"].map((name) => `src/recorder/${name}.ts`);

async function declared(file) {
  const text = await readFile(path.join(root, file), "utf8");
  const { outputText, diagnostics } = ts.transpileDeclaration(text, {
    fileName: file,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      isolatedDeclarations: true,
    },
  });
  const problem = diagnostics?.[0]?.messageText;
  if (problem) throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(problem, "\n")}`);
  // The files become one.
  return outputText.replace(/^(import|export)\b[^;{]*(\{[^}]*\})?[^;{]*from "\.[^"]*";\n/gm, "");
}

/** @returns {Promise<string>} */
export async function recorderTypes() {
  const texts = await Promise.all(sources.map(declared));
  const types = texts.join("\n");
  if (/\bfrom "|\bimport\(/.test(types)) throw new Error("the recorder's types need other files");
  return types;
}
