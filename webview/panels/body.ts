/**
 * What stands below the header, begun when the header is painted or has nothing to show yet: it answers who is looked at,
 * and the controls, tables and charts take longer to set up than it does. A file of their own brings them meanwhile.
 */
let starting: Promise<void> | null = null;

/** Defines the elements; those that stand on the page already come to life. */
export function bodyElements(): Promise<void> {
  starting ??= import("./elements.ts").then(() => {});
  return starting;
}
