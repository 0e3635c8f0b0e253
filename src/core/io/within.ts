import path from "node:path";

/** True for a folder itself and for all below it, by the names alone: links are not followed. Both paths are absolute. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
