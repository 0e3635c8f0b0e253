/** A sentence of which some words are elements: of a run's name, of a number that stands out. */
import type { TemplateResult } from "lit";

/** @param words `t("No run in {0}")`: its placeholders are still in it, in that language's order */
export const sentence = (words: string, ...parts: readonly unknown[]): unknown[] =>
  words.split(/\{(\d+)\}/).map((piece, i) => (i % 2 === 0 ? piece : parts[Number(piece)]));

export type Sentence = string | TemplateResult | unknown[];
