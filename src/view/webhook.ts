/** Messages to a Slack-compatible address. Nothing waits long for it or minds when it fails. */

const TIMEOUT_MS = 5000;

/** @returns `null` unless it is an http(s) address */
export function parseWebhook(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}

/** @returns what went wrong, in a few words that do not give the address away: it is a secret; `null` when it was taken */
export async function postText(url: URL, text: string, timeout = TIMEOUT_MS): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      // Slack's own marks begin with these: what a recording says must not call anybody.
      body: JSON.stringify({
        text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
      }),
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
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
