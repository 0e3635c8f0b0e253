/** Words for what a recorder could not write. */

/** As `RecorderProblem` of the recorder has it. */
export interface WritingProblem {
  readonly code: "exists" | "no-space" | "permission-denied" | "not-found" | "io-error" | "writer-lost";
  /** Relative to the recording; "" where it is no file. */
  readonly file: string;
}

/** A sentence that names folder or file, without its full stop. */
export function writingProblem(folder: string, { code, file }: WritingProblem): string {
  const where = file === "" ? folder : `${folder.replace(/\/$/, "")}/${file}`;
  return `${where}: ${WORDS[code]}`;
}

const WORDS: Readonly<Record<WritingProblem["code"], string>> = {
  exists: "something else is there already",
  "no-space": "there is no space left on the disk",
  "permission-denied": "it may not be written here",
  "not-found": "the folder is gone",
  "io-error": "it cannot be written",
  "writer-lost": "the writer has stopped",
};
