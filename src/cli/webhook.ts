/** `--webhook`: where alerts go. */
import { parseWebhook } from "../view/webhook.ts";
import { UsageError } from "./args.ts";

/** @throws UsageError unless it is an http(s) address */
export function webhookUrl(text: string): URL {
  const url = parseWebhook(text);
  if (!url) throw new UsageError("--webhook wants an http or https address");
  return url;
}
