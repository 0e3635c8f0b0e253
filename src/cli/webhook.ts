/** Alerts to a Slack-compatible address. Nothing of the rest waits long for it or minds when it fails. */
import { UsageError } from "./args.ts";

const TIMEOUT_MS = 5000;

/** @throws UsageError unless it is an http(s) address */
export function webhookUrl(text: string): URL {
  let url: URL | null = null;
  try {
    url = new URL(text);
  } catch {
    // Said below.
  }
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new UsageError("--webhook wants an http or https address");
  return url;
}

/** @returns what went wrong, in a few words that do not give the address away: it is a secret; `null` when it was taken */
export async function postText(url: URL, text: string): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      // Slack's own marks begin with these: what a recording says must not call anybody.
      body: JSON.stringify({
        text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
      }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `it answered ${response.status}`;
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") return "it did not answer in time";
    const code: unknown = error instanceof Error ? Reflect.get(Object(error.cause), "code") : undefined;
    return typeof code === "string" && /^[A-Z0-9_]{2,40}$/.test(code)
      ? `it could not be reached (${code})`
      : "it could not be reached";
  }
}
