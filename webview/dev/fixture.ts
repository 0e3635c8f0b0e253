/** What the pages on made-up data share: the theme that the address asks for, a memory, and what the policy has refused. */
import type { Memory } from "../kept.ts";
import { applyTheme } from "./themes.ts";

export interface PageFixture {
  /** The address's questions. */
  readonly query: URLSearchParams;
  readonly memory: Memory;
  /** What the content security policy refused. */
  readonly violations: string[];
}

export function pageFixture(): PageFixture {
  const violations: string[] = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    violations.push(
      `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`,
    );
  });
  const query = new URLSearchParams(location.search);
  applyTheme(query.get("theme") ?? "dark");
  const memory = {
    getState: (): unknown => JSON.parse(sessionStorage.getItem("state") ?? "null"),
    setState: (state: unknown): void => sessionStorage.setItem("state", JSON.stringify(state)),
  };
  return { query, memory, violations };
}
