/** The line to a page, over VS Code's messages. */
import type * as vscode from "vscode";
import type { Transport } from "../../protocol/rpc.ts";

export function transportOf(webview: vscode.Webview): Transport {
  return {
    channel: "json",
    async post(message) {
      // False is how VS Code says that a page is hidden or gone.
      if (!(await webview.postMessage(message))) throw new Error("not delivered");
    },
    listen(listener) {
      const subscription = webview.onDidReceiveMessage(listener);
      return () => subscription.dispose();
    },
  };
}
